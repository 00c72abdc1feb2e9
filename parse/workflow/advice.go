package workflow

import "playhead/parse/plan"

// What to do about several of the warnings of a run.
const (
	reportAnew = "retry, or report by hand"
	readDetail = "read the detail; decide, or retry"
	compareIt  = "compare with the declaration"
	lookAtCall = "look at the calls"
	settings   = "check the model settings; retry"
)

// sources: an outcome comes from the model, a person or the engine (§2).
var sources = map[string]string{"call": "engine", "turns": "engine", "prompt": "engine", "automatic": "engine", "answer": "person"}

// refused is the code of what the state of a run does not allow (§8).
const refused = Format + "/not-allowed"

// advice is what §5 says of the codes that a run has.
var advice = map[string]plan.Advice{
	Format + "/missing-value":        {ErrorType: "variable_missing", Suggestion: "output it in an earlier step, start with --input NAME=value, or enter it", Fails: true},
	Format + "/unknown-tool":         {ErrorType: "not_found", Suggestion: "name a configured tool, or `server/tool`; check `.mcp.json`", Fails: true},
	Format + "/malformed-report":     {ErrorType: validation, Suggestion: reportAnew, Fails: true},
	Format + "/no-report":            {ErrorType: validation, Suggestion: reportAnew, Fails: true},
	Format + "/step-out-of-order":    {ErrorType: "step_out_of_order", Suggestion: "report the current step", Fails: true},
	Format + "/assertion-failed":     {ErrorType: "assertion_mismatch", Suggestion: readDetail, Fails: true},
	Format + "/assertion-unverified": {ErrorType: "assertion_mismatch", Suggestion: readDetail},
	Format + "/assertion-text":       {ErrorType: validation, Suggestion: compareIt},
	Format + "/output-missing":       {ErrorType: validation, Suggestion: compareIt},
	Format + "/undeclared-output":    {ErrorType: validation, Suggestion: compareIt},
	Format + "/tool-not-called":      {ErrorType: validation, Suggestion: lookAtCall},
	Format + "/tool-order":           {ErrorType: validation, Suggestion: lookAtCall},
	Format + "/unknown-placeholder":  {ErrorType: validation, Suggestion: "correct the name, or supply it"},
	Format + "/model-failed":         {ErrorType: "internal", Suggestion: settings, Fails: true},
	refused:                          {ErrorType: "internal", Fails: true},
	Format + "/turn-limit":           {ErrorType: "internal", Suggestion: settings, Fails: true},
}
