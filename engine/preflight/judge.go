package preflight

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"playhead/engine/config"
	"playhead/engine/model"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// The codes of diagnostics.
const (
	CodeModelServer = "preflight/model-server"  // the server cannot be asked
	CodeModel       = "preflight/model"         // the server does not list the model
	CodeToolServer  = "preflight/tool-server"   // no file describes the server, or it did not start
	CodeTool        = "preflight/tool"          // no server has the tool
	CodeText        = "preflight/prompt"        // a text for a prompt is missing
	CodeDocument    = "preflight/document"      // an included document cannot be run
	CodeProgram     = "preflight/command"       // the program of a command does not exist
	CodeInput       = "preflight/input"         // an input has no value
	CodeEnvironment = "preflight/environment"   // an environment variable is not set
	CodeTrust       = "preflight/trust"         // nobody has trusted the document to run its commands
	CodeApproval    = "preflight/approval"      // nobody can approve calls of tools
	CodeConfig      = "preflight/configuration" // the configuration file cannot be used
	CodeUnchecked   = "preflight/not-checked"   // it could not be checked
)

// NewDiagnostic returns a diagnostic at a place in a file.
func NewDiagnostic(file string, line, column int, severity plan.Severity, code, message, suggestion string) plan.Diagnostic {
	return plan.Diagnostic{
		File: file, Line: max(1, line), Column: max(1, column),
		Severity: severity, Code: code, Message: message, Suggestion: suggestion,
	}
}

// ConfigDiagnostics returns the problems of the configuration file as diagnostics.
func ConfigDiagnostics(p *config.Problems) (found []plan.Diagnostic) {
	for _, one := range p.List {
		remedy := "correct the file"
		if strings.HasSuffix(one.Message, "?") { // the message suggests a remedy
			remedy = ""
		}
		found = append(found, NewDiagnostic(p.Path, one.Line, one.Column, plan.Error, CodeConfig, one.Message, remedy))
	}
	return found
}

// diagnoser turns answers into diagnostics about needs. A problem that several needs share is reported
// once.
type diagnoser struct {
	providers   Providers
	answers     answers
	diagnostics []plan.Diagnostic
	isReported  map[string]bool
}

func (d *diagnoser) addDiagnostic(n Need, severity plan.Severity, code, message, suggestion string) {
	d.diagnostics = append(d.diagnostics, NewDiagnostic(n.File, n.Line, n.Column, severity, code, message, suggestion))
}

// addDiagnosticOnce adds a problem that other needs may share. thing identifies it: a problem with the same thing and
// severity is added once.
func (d *diagnoser) addDiagnosticOnce(thing string, n Need, severity plan.Severity, code, message, suggestion string) {
	if d.isReported == nil {
		d.isReported = map[string]bool{}
	}
	if thing += " " + string(severity); !d.isReported[thing] {
		d.isReported[thing] = true
		d.addDiagnostic(n, severity, code, message, suggestion)
	}
}

// addUnchecked adds the info that a need could not be checked. what is what the step needs, as text.
func (d *diagnoser) addUnchecked(n Need, what, why string) {
	d.addDiagnostic(n, plan.Info, CodeUnchecked, "not checked: "+n.stepsNeedText()+" "+what+", but "+why, "")
}

func (d *diagnoser) diagnoseNeed(n Need) {
	switch n.Kind {
	case ModelNeed:
		d.diagnoseModel(n, d.providers.TargetOfModel(n.Name, n.IsModelAlias))
	case ApprovalNeed:
		if d.providers.NobodyApproves {
			d.addDiagnostic(n, plan.Warning, CodeApproval, n.stepsNeedText()+" a person to approve the model's tool calls, but nobody can be asked",
				"the run would end with the result \"waiting\" at the first tool call that needs approval: use --approve none to allow tool calls without asking")
		}
	case ToolNeed:
		d.diagnoseTool(n)
	case TextNeed:
		d.diagnoseText(n)
	case DocumentNeed:
		d.addDiagnostic(n, plan.Error, CodeDocument, n.stepsNeedText()+" the document "+n.Name+", which cannot be run: "+n.DocumentProblem, "correct the path or the document")
	case ProgramNeed:
		if !d.providers.HasProgram(n.Name) {
			d.addDiagnostic(n, plan.Warning, CodeProgram, n.stepsNeedText()+" the program "+n.Name+", which was not found", "install it, add its folder to PATH, or correct its name in the document")
		}
	}
}

func (d *diagnoser) diagnoseModel(n Need, t ModelTarget) {
	list, came := d.answers.modelListByServer[t.ServerKey]
	switch {
	case t.Problem != nil && t.IsVariableUnset:
		d.addDiagnosticOnce(t.Problem.Error(), n, plan.Error, CodeEnvironment, n.stepsNeedText()+" a model, but "+t.Problem.Error(), "")
	case t.Problem != nil:
		d.addDiagnosticOnce(t.Problem.Error(), n, plan.Error, CodeModelServer, n.stepsNeedText()+" a model, but "+t.Problem.Error(), "")
	case !came:
		d.addUnchecked(n, "the model "+t.ModelName, t.ServerName+" did not answer in time")
	case errors.Is(list.err, model.ErrNoModelList):
		d.addUnchecked(n, "the model "+t.ModelName, list.err.Error())
	case list.err != nil:
		d.addDiagnosticOnce("model "+t.ServerKey, n, plan.Error, CodeModelServer, n.stepsNeedText()+" the model server "+t.ServerName+": "+list.err.Error(), "start it, correct its API key, or choose another server with --base-url, --model or --source")
	case !model.HasModel(list.names, t.ModelName):
		// no error: gateways do not list all models that they serve, and others accept any name
		d.addDiagnostic(n, plan.Warning, CodeModel, fmt.Sprintf("%s the model %q, which the server %s does not list", n.stepsNeedText(), t.ModelName, t.ServerName), nameHint(t.ModelName, list.names, ""))
	}
}

// nameHint suggests one of the known names, or returns the text empty if there are none.
func nameHint(name string, known []string, empty string) string {
	if len(known) == 0 {
		return empty
	}
	known = slices.Clone(known)
	slices.Sort(known)
	return near.Suggestion(name, slices.Compact(known))
}

func (d *diagnoser) diagnoseTool(n Need) {
	what := "the tool " + strings.TrimPrefix(n.ServerOrScheme+"/"+n.Name, "/")
	if n.IsNameDynamic {
		d.addUnchecked(n, what, "its name is known only during the run")
		return
	}
	if plan.IsLocalServer(n.ServerOrScheme) { // the run has the tool itself
		if !slices.Contains(plan.LocalTools, n.Name) {
			d.addDiagnostic(n, plan.Error, CodeTool, n.stepsNeedText()+" "+what+", which Playhead does not provide", nameHint(n.Name, plan.LocalTools, ""))
		}
		return
	}
	if n.ServerOrScheme != "" && !d.checkServerAnswered(n, n.ServerOrScheme, what) {
		return
	}
	list := d.answers.toolList
	if list == nil {
		if d.providers.ToolServers == nil {
			d.addDiagnosticOnce("no servers", n, plan.Error, CodeToolServer, n.stepsNeedText()+" "+what+", but no tool server is configured", "add one to a .mcp.json")
			return
		}
		d.addUnchecked(n, what, errNoAnswerInTime.Error())
		return
	}
	var names, servers []string
	for _, t := range list.tools {
		if n.ServerOrScheme == "" || strings.EqualFold(t.Server, n.ServerOrScheme) {
			names = append(names, t.Name)
			if t.Name == n.Name {
				servers = append(servers, t.Server)
			}
		}
	}
	switch {
	case len(servers) == 1, len(servers) > 1 && n.ServerOrScheme != "":
	case len(servers) > 1:
		d.addDiagnostic(n, plan.Error, CodeTool, n.stepsNeedText()+" "+what+", which several servers have: "+strings.Join(servers, ", "), "write SERVER/TOOL in the document")
	case n.ServerOrScheme != "":
		d.addDiagnostic(n, plan.Error, CodeTool, n.stepsNeedText()+" "+what+", which its server does not have", nameHint(n.Name, names, "it has no tools"))
	case d.addSilentServer(n, what):
	case d.providers.UnreadableFile != "":
		d.addUnchecked(n, what, d.providers.UnreadableFile+", which may describe its server, cannot be read")
	default:
		d.addDiagnostic(n, plan.Error, CodeTool, n.stepsNeedText()+" "+what+", which no tool server has", nameHint(n.Name, names, "name another tool in the document"))
	}
}

// checkServerAnswered reports whether the named server listed its tools. If it did not, it adds a diagnostic. what is
// the item that the need is about, as text.
func (d *diagnoser) checkServerAnswered(n Need, name, what string) bool {
	var known []string
	if list := d.answers.toolList; list != nil {
		if failed := errorOfServer(list.errorByServer, name); failed != nil && d.findServer(name) == nil {
			d.addDiagnosticOnce("server "+strings.ToLower(name), n, n.missingSeverity(), CodeToolServer, n.stepsNeedText()+" "+what+": "+failed.Error(), "")
			return false
		}
		for _, t := range list.tools {
			if strings.EqualFold(t.Server, name) {
				return true
			}
			known = append(known, t.Server)
		}
	}
	s := d.findServer(name)
	if s == nil && d.providers.UnreadableFile != "" {
		d.addUnchecked(n, what, d.providers.UnreadableFile+", which may describe its server, cannot be read")
		return false
	}
	if s == nil {
		for _, other := range d.providers.ConfiguredToolServers {
			known = append(known, other.Name)
		}
		d.addDiagnosticOnce("server "+strings.ToLower(name), n, n.missingSeverity(), CodeToolServer,
			fmt.Sprintf("%s %s, but no .mcp.json describes the tool server %q", n.stepsNeedText(), what, name), nameHint(name, known, "add it to a .mcp.json"))
		return false
	}
	return !d.addServerProblem(n, *s, what)
}

// addServerProblem adds a diagnostic and returns true if a configured server did not list its tools.
func (d *diagnoser) addServerProblem(n Need, s ConfiguredToolServer, what string) bool {
	if s.Problem != nil {
		d.addDiagnosticOnce("server "+s.Name, Need{File: s.File, Line: s.Line}, n.missingSeverity(), CodeEnvironment, errorWithoutPlace(s, s.Problem), "")
		return true
	}
	if s.IsProgram && !d.providers.IsTrusted {
		d.addUnchecked(n, what, "the tool server "+s.Name+" is not started until the document is trusted")
		return true
	}
	if d.answers.toolList == nil {
		d.addUnchecked(n, what, errNoAnswerInTime.Error())
		return true
	}
	err := d.answers.toolList.errorByServer[s.Name]
	switch {
	case err == nil:
		return false
	case errors.Is(err, errNoAnswerInTime):
		d.addUnchecked(n, what, "the tool server "+s.Name+" did not answer in time")
	default:
		d.addDiagnosticOnce("server "+s.Name, Need{File: s.File, Line: s.Line}, n.missingSeverity(), CodeToolServer, n.stepsNeedText()+" "+what+": "+errorWithoutPlace(s, err), "correct the server's entry in this file")
	}
	return true
}

// missingSeverity returns how severe it is if the item is not available: only a warning for a text, because a step
// can run without it.
func (n Need) missingSeverity() plan.Severity {
	if n.Kind == TextNeed {
		return plan.Warning
	}
	return plan.Error
}

// errorWithoutPlace returns the text of a server's error without file and line, because the diagnostic has them.
func errorWithoutPlace(s ConfiguredToolServer, err error) string {
	text := strings.Replace(err.Error(), fmt.Sprintf(" (%s:%d)", s.File, s.Line), "", 1)
	return strings.TrimPrefix(text, fmt.Sprintf("%s:%d: ", s.File, s.Line))
}

// addSilentServer adds a diagnostic and returns true if one of the servers that may have the tool did not
// answer.
func (d *diagnoser) addSilentServer(n Need, what string) bool {
	for _, s := range d.providers.ConfiguredToolServers {
		if d.addServerProblem(n, s, what) {
			return true
		}
	}
	return false
}

func (d *diagnoser) findServer(name string) *ConfiguredToolServer {
	i := slices.IndexFunc(d.providers.ConfiguredToolServers, func(s ConfiguredToolServer) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(d.providers.ConfiguredToolServers, func(s ConfiguredToolServer) bool { return strings.EqualFold(s.Name, name) })
	}
	if i < 0 {
		return nil
	}
	return &d.providers.ConfiguredToolServers[i]
}

// errorOfServer returns the error of a server, ignoring the case of its name.
func errorOfServer(failed map[string]error, name string) error {
	for server, err := range failed {
		if strings.EqualFold(server, name) {
			return err
		}
	}
	return nil
}

func (d *diagnoser) diagnoseText(n Need) {
	what := "the prompt " + strings.TrimPrefix(n.ServerOrScheme+":"+n.Name, ":")
	server, _, _ := strings.Cut(n.Name, "/")
	switch err, came := d.answers.textErrorByItem[n.NeededItem]; {
	case n.IsNameDynamic:
		d.addUnchecked(n, what, "its name is known only during the run")
	case d.providers.PromptTexts == nil:
		d.addDiagnostic(n, plan.Warning, CodeText, n.stepsNeedText()+" "+what+", but this run has no prompt source", "")
	case n.ServerOrScheme == "mcp" && !d.checkServerAnswered(n, server, what):
	case !came:
		d.addUnchecked(n, what, errNoAnswerInTime.Error())
	case err != nil:
		runs := "the step runs"
		if len(n.StepIDs) > 1 {
			runs = "each step runs"
		}
		d.addDiagnostic(n, plan.Warning, CodeText, n.stepsNeedText()+" "+what+": "+err.Error(), "without it, "+runs+" with its own text")
	}
}

// canFetchText reports whether a text can be fetched: its server must be one that may be started.
func (p Providers) canFetchText(n Need) bool {
	if n.ServerOrScheme != "mcp" {
		return true
	}
	server, _, _ := strings.Cut(n.Name, "/")
	s := (&diagnoser{providers: p}).findServer(server)
	return s == nil || s.Problem == nil && (p.IsTrusted || !s.IsProgram)
}

// missingFileCodes are the diagnostic codes, without the format's prefix, that say that a file which a
// document names does not exist.
var missingFileCodes = []string{"prompt-missing", "prompt-path", "path-missing", "schema-missing", "no-schemas"}

// MissingFileDiagnostics returns the document's diagnostics that say that a file which it names does not
// exist.
func MissingFileDiagnostics(p *plan.Plan) (out []plan.Diagnostic) {
	for _, d := range p.Diagnostics {
		if slices.Contains(missingFileCodes, path.Base(d.Code)) {
			out = append(out, d)
		}
	}
	return out
}
