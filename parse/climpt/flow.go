package climpt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"playhead/parse/files"
	"playhead/parse/plan"
	"playhead/parse/source"
)

// Flow is an opened agent: what the parser of a dialect works on.
type Flow struct {
	DiagnosticCollector
	fileCache
	Options      Options
	GivenPath    string             // the document, as the person named it
	Dialect      Dialect            // NoDialect if unknown, which is reported
	Agent        *Agent             // nil for a registry without agent.json
	Registry     Fields             // its top level; has no members if it cannot be read
	RegistryFile string             // its path
	AgentDir     string             // the agent directory
	ProjectRoot  string             // the folder that paths in the registry are relative to
	ModelAliases *plan.ModelAliases // the models that the configuration has; nil if unknown
}

// Open reads agent.json, if there is one, and the registry. name is the path of either, and file its
// content. givenPath is the path that the person gave, which may be the folder. dialect overrides
// detection unless it is NoDialect. Problems become diagnostics of the Flow.
func Open(givenPath, name string, file []byte, s files.System, o Options, dialect Dialect) *Flow {
	f := &Flow{GivenPath: givenPath, fileCache: newFileCache(s), Options: o, RegistryFile: name, AgentDir: s.Dir(name)}
	f.store(name, fileContent{data: file})
	f.ProjectRoot = f.findProjectRoot()
	doc := f.ParseDocument(name, file)
	if isAgentFile(name, doc.Root) {
		f.Agent = f.readAgent(doc)
		doc = f.readRegistry(f.Agent)
	} else if beside := s.Join(f.AgentDir, agentFileName); f.Exists(beside) {
		f.Info(Place{File: name}, "agent-file-unused", "the "+agentFileName+" in the same folder is not used",
			"give Playhead the folder instead of the file")
	}
	f.setRegistry(doc, dialect)
	f.checkDialect()
	return f
}

// setRegistry sets the registry and its dialect, which it detects if requested is NoDialect. A file with
// broken JSON has the fields up to the error.
func (f *Flow) setRegistry(doc *Document, requested Dialect) {
	f.Dialect = requested
	if doc == nil || !doc.Root.Is(Object) {
		return
	}
	f.Registry = f.Fields(doc.Root, RegistryDiagnosticCodes)
	if requested != NoDialect {
		return
	}
	dialect, problem := detectDialect(doc.Root)
	if f.Dialect = dialect; dialect == NoDialect && doc.Problem == nil {
		f.Error(problem.place, problem.code, problem.message, problem.suggestion)
	}
}

const agentFileName = "agent.json"

// isAgentFile reports whether a file is an agent file, by its fields or its name.
func isAgentFile(name string, v *Value) bool {
	return v.Has("runner", "behavior") || source.NameWithoutFolder(name) == agentFileName
}

// ParseDocument parses a JSON file, which must be an object, and reports its problems.
func (f *Flow) ParseDocument(name string, data []byte) *Document {
	doc := ReadJSON(name, data)
	if p := doc.Problem; p != nil {
		f.add(plan.Diagnostic{Severity: plan.Error, Pointer: p.Pointer, Code: "bad-json", Message: p.Message, Suggestion: p.Suggestion}, p.Place)
	} else if !doc.Root.Is(Object) {
		f.Error(doc.Root.Place(), "bad-json", "this is "+kindWithArticle(doc.Root.Kind)+"; it must be an object", "")
	}
	for _, m := range doc.DuplicateMembers {
		f.Error(m.KeyPlace(), "duplicate-key", fmt.Sprintf("the object has the key %q twice", m.Key()), "remove one of the two")
	}
	return doc
}

// readRegistry returns the registry that agent.json names, or nil if it cannot be read, which it reports.
func (f *Flow) readRegistry(a *Agent) *Document {
	file, err := f.ResolveBelow(f.AgentDir, a.RegistryPath)
	if err != nil {
		f.Error(a.Place(), "path-escape", "the path of the registry: "+err.Error(), "name a file in or below the folder of "+agentFileName)
		return nil
	}
	f.RegistryFile = file.Name
	data, problem := f.ReadIn(file, MaxJSONSize)
	switch {
	case problem == nil:
		return f.ParseDocument(f.RegistryFile, data)
	case problem.IsTooLarge():
		f.Error(Place{File: f.RegistryFile}, "bad-json", "the registry cannot be read: "+problem.Message, problem.Suggestion)
	default:
		f.Error(Place{File: f.RegistryFile}, "file-not-found", "the registry cannot be read: "+problem.Message, "check the path in "+agentFileName)
	}
	return nil
}

// checkDialect reports if agent.json and the registry have different dialects. If the registry has none, it
// gets that of agent.json.
func (f *Flow) checkDialect() {
	a := f.Agent
	if a == nil || a.Value == nil {
		return
	}
	switch {
	case a.Dialect == NoDialect && a.Has("runner"):
		f.Error(a.Place(), "agent-layout", `the agent file has both "runner" and "behavior"`, `keep "runner" for a registry with gates, "behavior" for a step flow`)
	case a.Dialect == NoDialect:
		f.Error(a.Place(), "agent-layout", `the agent file has neither "runner" nor "behavior"`, `add "runner" for a registry with gates, "behavior" for a step flow`)
	case f.Dialect != NoDialect && f.Dialect != a.Dialect:
		f.Error(a.Place(), "agent-layout", fmt.Sprintf("the agent file is for a %s, but it names a %s", a.Dialect.documentKind(), f.Dialect.documentKind()), `change the key in the agent file ("runner" for a registry with gates, "behavior" for a step flow), or name a file that matches the key`)
	}
	if f.Dialect == NoDialect {
		f.Dialect = a.Dialect
	}
}

// findProjectRoot returns the folder that paths of a registry are relative to (spec §1).
func (f *Flow) findProjectRoot() string {
	if root := f.Options.Get("root"); root != "" {
		return f.addRunFolder(root)
	}
	if f.files.Dir(f.files.Abs(f.AgentDir)) == f.files.Join(f.files.Dir(f.files.Dir(f.files.Abs(f.AgentDir))), ".agent") {
		return f.addRunFolder(f.files.Join(f.AgentDir, "../.."))
	}
	return f.AgentDir
}

// ChooseFolder returns the path of a folder: that of a flag, else the one at a key of the registry, which is
// relative to from, else the folder otherwise in the agent directory.
func (f *Flow) ChooseFolder(flag, key, from, otherwise string) string {
	if dir := f.Options.Get(flag); dir != "" {
		return f.addRunFolder(dir)
	}
	v := f.Registry.Get(key)
	if !v.Is(String) || v.Text() == "" {
		return f.addRunFolder(f.files.Join(f.AgentDir, otherwise))
	}
	dir, err := f.ResolveBelow(from, v.Text())
	if err != nil {
		f.Error(v.Place(), "path-escape", key+": "+err.Error(), fmt.Sprintf("name a folder below %q", from))
		return f.addRunFolder(f.files.Join(f.AgentDir, otherwise))
	}
	return f.addRunFolder(dir.Name)
}

// ChoosePromptFolder returns the folder of prompts like ChooseFolder, and whether it exists. It reports a
// folder that does not exist.
func (f *Flow) ChoosePromptFolder(key, from string) (folder string, exists bool) {
	folder = f.ChooseFolder("prompts", key, from, "prompts")
	if exists = f.Exists(folder); !exists {
		f.Warn(f.Registry.PlaceOf(key), "prompt-missing", "the prompt folder "+folder+" does not exist",
			"create it, or name another one with --prompts")
	}
	return folder, exists
}

// FlagDuration returns the time limit of a flag, or otherwise if the flag is not given. 0 means no limit. It
// reports an invalid duration.
func (f *Flow) FlagDuration(flag string, otherwise time.Duration) time.Duration {
	text := f.Options.Get(flag)
	if text == "" {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		f.Error(Place{File: "--" + flag}, "bad-option", fmt.Sprintf("%q is not a duration", text), "write it like 90s or 10m, or 0 for no limit")
	}
	return max(d, 0)
}

var versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// CheckVersion calls report if the version of the registry is a string other than three numbers.
func (f *Flow) CheckVersion(report func(at Place, code, message, suggestion string)) {
	text := f.Registry.String("version")
	if v := f.Registry.Get("version"); v.Is(String) && !versionPattern.MatchString(text) {
		report(v.Place(), "bad-version", fmt.Sprintf("the version %q is not valid", text), "write it like 1.0.0")
	}
}

// ReportNoEntry reports that a run has no first step.
func (f *Flow) ReportNoEntry(at Place, suggestion string) {
	f.Error(at, "no-entry", "nothing says where to start", suggestion)
}

// ReportUnknownEntry reports an entry that does not exist. It reports nothing if the registry has the step but it was not
// read: that is reported already.
func (f *Flow) ReportUnknownEntry(at Place, id, suggestion string) {
	if f.Registry.Get("steps").Has(id) {
		return
	}
	f.Error(at, "unknown-entry", fmt.Sprintf("the entry %q is not a step", id), suggestion)
}

// SuggestStep suggests what to write instead of an unknown step ID.
func (f *Flow) SuggestStep() string {
	if steps := f.Registry.Get("steps").Members(); len(steps) > 0 {
		return "name an existing step, such as " + steps[0].Key()
	}
	return "add the step"
}

// NewPlan returns a new Plan with what both dialects have in common, except for its files and
// diagnostics.
func (f *Flow) NewPlan() *plan.Plan {
	p := &plan.Plan{Format: string(f.Dialect), Path: f.GivenPath, IgnoresFileOrder: true, AcceptsAnyInput: true, CodePrefix: CodePrefix, ModelFailureCode: CodePrefix + "call-failed"}
	p.Title = source.NameWithoutFolder(f.files.Abs(f.AgentDir))
	if a := f.Agent; a != nil {
		if a.DisplayName != "" {
			p.Title = a.DisplayName
		}
		p.Description = a.Description
		for _, param := range a.Parameters {
			p.Inputs = append(p.Inputs, param.Input)
		}
	}
	return p
}

// FinishPlan adds the source of the registry, the files and the diagnostics to the Plan, and returns it.
func (f *Flow) FinishPlan(p *plan.Plan) *plan.Plan {
	data, _ := f.Read(f.RegistryFile, MaxJSONSize)
	p.Source, p.Files, p.Diagnostics = data, f.runFiles, f.Diagnostics()
	return p
}

// Descriptions of what sets an iteration limit, if no file does.
const (
	flagLimitSource    = "--" + MaxIterationsFlag
	defaultLimitSource = "the default; change it with " + flagLimitSource
)

// limitKeyText names the key that sets a limit, with its file or flag.
func limitKeyText(at Place) string {
	key := strings.ReplaceAll(strings.TrimPrefix(at.Pointer(), "/"), "/", ".")
	if strings.HasPrefix(at.File, "--") {
		return key + " in " + at.File
	}
	return fmt.Sprintf("%s in %s:%d", key, source.NameWithoutFolder(at.File), at.Line)
}

// NewEntryLimit returns the limit that fails a run after it has entered steps a number of times. Its message has the
// reason, the limit and what sets it.
func NewEntryLimit(code, reason string, most int, setBy string) plan.EntryLimit {
	return plan.EntryLimit{Max: most, Code: CodePrefix + code, Message: fmt.Sprintf("%s: %d (%s)", reason, most, setBy), Flag: MaxIterationsFlag}
}

// MessageWithReason is the Prompt for the message of a failed run: a text, followed by the outcome's reason if
// there is one and the step did not pass. The reason of a step that passed is its reply's, and not why the run fails.
type MessageWithReason string

// Render implements plan.Prompt.
func (m MessageWithReason) Render(scope plan.Scope) (plan.Rendered, error) {
	text := string(m)
	if scope != nil {
		if o := scope.Outcome(); o.Reason != "" && o.Result != plan.Passed {
			text += ": " + o.Reason
		}
	}
	return plan.Rendered{Text: text}, nil
}

// IterationLimit returns the limit of the flag, else the usual one, and a description of what sets it.
func (f *Flow) IterationLimit(usual int) (most int, setBy string) {
	if n := f.limitFlag(); n > 0 {
		return n, flagLimitSource
	}
	return usual, defaultLimitSource
}

// limitFlag returns the value of --max-iterations, or 0 if it is not given or is invalid. It reports an invalid value.
func (f *Flow) limitFlag() int {
	text := f.Options.Get(MaxIterationsFlag)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		f.Error(Place{File: flagLimitSource}, "agent-field", fmt.Sprintf("%q is not a whole number of 1 or more", text), "")
		return 0
	}
	return n
}
