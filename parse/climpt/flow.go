package climpt

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"playhead/parse/plan"
)

// Flow is an opened agent: what the parser of a dialect works on.
type Flow struct {
	Report
	tree
	Options     Options
	Path        string        // the document, as the person named it
	Dialect     Dialect       // of the registry; None if unknown, which is reported
	Agent       *Agent        // nil for a registry without agent.json
	Registry    Fields        // its top level; has no members if it cannot be read
	File        string        // of the registry
	Dir         string        // the agent directory
	ProjectRoot string        // the project root
	Aliases     *plan.Aliases // of models; nil if unknown
}

// Open reads the agent's files. name is the path of agent.json or of a registry, and file its
// content. shown is the path that the person gave, which may be their folder. dialect overrides
// detection unless it is None.
func Open(shown, name string, file []byte, d Disk, o Options, dialect Dialect) *Flow {
	f := &Flow{Path: shown, tree: newTree(d), Options: o, File: name, Dir: d.Dir(name)}
	f.keep(name, file, nil)
	f.ProjectRoot = f.projectRoot()
	doc := f.Document(name, file)
	if isAgent(name, doc.Root) {
		f.Agent = f.agent(doc)
		doc = f.registryOf(f.Agent)
	} else if beside := d.Join(f.Dir, agentFile); f.Exists(beside) {
		f.Info(Place{File: name}, "agent-file-unused", "the "+agentFile+" beside this file is not read", "open its folder to have it read")
	}
	f.registry(doc, dialect)
	f.layout()
	return f
}

// registry detects the dialect of the registry. A file with broken JSON is read up to the error.
func (f *Flow) registry(doc *Document, insisted Dialect) {
	f.Dialect = insisted
	if doc == nil || !doc.Root.Is(Object) {
		return
	}
	f.Registry = f.Fields(doc.Root, OfRegistry)
	if insisted != None {
		return
	}
	var at Place
	var why reason
	f.Dialect, at, why = detect(doc.Root)
	if f.Dialect == None && doc.Problem == nil {
		f.Error(at, why.code, why.message, why.suggestion)
	}
}

const agentFile = "agent.json"

// isAgent reports whether a file is an agent file.
func isAgent(name string, v *Value) bool {
	return v.Has("runner", "behavior") || path.Base(strings.ReplaceAll(name, `\`, "/")) == agentFile
}

// Document parses a JSON file and reports its problems.
func (f *Flow) Document(name string, data []byte) *Document {
	doc := ReadJSON(name, data)
	if p := doc.Problem; p != nil {
		f.add(plan.Diagnostic{Severity: plan.Error, Pointer: p.Pointer, Code: "bad-json", Message: p.Message, Suggestion: p.Suggestion}, p.Place)
	} else if !doc.Root.Is(Object) {
		f.Error(doc.Root.Place(), "bad-json", "this is "+article(doc.Root.Kind)+"; it must be an object", "")
	}
	for _, m := range doc.Repeated {
		f.Error(m.KeyPlace(), "duplicate-key", fmt.Sprintf("%q is a key of this object already", m.Key()), "remove one of the two")
	}
	return doc
}

// registryOf reads the registry that agent.json names, or returns nil.
func (f *Flow) registryOf(a *Agent) *Document {
	file, err := f.Within(f.Dir, a.Registry)
	if err != nil {
		f.Error(a.Place(), "path-escape", "the registry: "+err.Error(), "name a file below "+agentFile)
		return nil
	}
	f.File = file.Name
	data, err := f.ReadIn(file, MaxSize)
	if err != nil {
		f.Error(Place{File: f.File}, "file-not-found", "the registry cannot be read: "+missing(err), "check the path in "+agentFile)
		return nil
	}
	return f.Document(f.File, data)
}

// layout checks that agent.json and the registry have the same dialect.
func (f *Flow) layout() {
	a := f.Agent
	if a == nil || a.Value == nil {
		return
	}
	switch {
	case a.Layout == None && a.Has("runner"):
		f.Error(a.Place(), "agent-layout", "it has both runner and behavior", "keep runner for a registry with gates, behavior for a step flow")
	case a.Layout == None:
		f.Error(a.Place(), "agent-layout", "it has neither runner nor behavior", "add runner for a registry with gates, behavior for a step flow")
	case f.Dialect != None && f.Dialect != a.Layout:
		f.Error(a.Place(), "agent-layout", fmt.Sprintf("it is the agent of a %s, and its registry is a %s", a.Layout, f.Dialect), "name another registry, or write runner for a registry with gates and behavior for a step flow")
	}
	if f.Dialect == None {
		f.Dialect = a.Layout
	}
}

// projectRoot returns the folder that paths of a registry are relative to (spec §1).
func (f *Flow) projectRoot() string {
	if root := f.Options.Get("root"); root != "" {
		return f.addFolder(root)
	}
	if f.disk.Dir(f.disk.Abs(f.Dir)) == f.disk.Join(f.disk.Dir(f.disk.Dir(f.disk.Abs(f.Dir))), ".agent") {
		return f.addFolder(f.disk.Join(f.Dir, "../.."))
	}
	return f.Dir
}

// Base returns a folder: the one of a flag, else the one at a key of the registry, relative to
// from, else one in the agent directory.
func (f *Flow) Base(flag, key, from, otherwise string) string {
	if dir := f.Options.Get(flag); dir != "" {
		return f.addFolder(dir)
	}
	v := f.Registry.Get(key)
	if !v.Is(String) || v.Text() == "" {
		return f.addFolder(f.disk.Join(f.Dir, otherwise))
	}
	dir, err := f.Within(from, v.Text())
	if err != nil {
		f.Error(v.Place(), "path-escape", key+": "+err.Error(), "name a folder below "+from)
		return f.addFolder(f.disk.Join(f.Dir, otherwise))
	}
	return f.addFolder(dir.Name)
}

// Time returns the duration of a flag, with 0 for no limit.
func (f *Flow) Time(flag string, otherwise time.Duration) time.Duration {
	text := f.Options.Get(flag)
	if text == "" {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		f.Error(Place{File: "--" + flag}, "bad-option", fmt.Sprintf("%q is not a time", text), "write it like 90s or 10m, or 0 for no limit")
	}
	return max(d, 0)
}

// Plan returns the start of a Plan for both dialects. Finish completes it.
func (f *Flow) Plan() *plan.Plan {
	p := &plan.Plan{Format: string(f.Dialect), Path: f.Path, FixedSteps: true, OpenInputs: true, CallFailed: Code + "call-failed"}
	p.Title = path.Base(strings.ReplaceAll(f.disk.Abs(f.Dir), `\`, "/"))
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

// Finish adds the source, the files and the diagnostics to the Plan.
func (f *Flow) Finish(p *plan.Plan) *plan.Plan {
	data, _ := f.Read(f.File, MaxSize)
	p.Source, p.Files, p.Diagnostics = data, f.files, f.Diagnostics()
	return p
}

// Descriptions of what sets an iteration limit, if no file does.
const (
	byFlag    = "--" + MaxIterations
	byDefault = "the default; " + byFlag + " sets another"
)

// setBy names the key that sets a limit, with its file or flag.
func setBy(at Place) string {
	key := strings.ReplaceAll(strings.TrimPrefix(at.Pointer(), "/"), "/", ".")
	if strings.HasPrefix(at.File, "--") {
		return key + " in " + at.File
	}
	return fmt.Sprintf("%s in %s:%d", key, path.Base(filepath.ToSlash(at.File)), at.Line)
}

// Guard returns a plan.Guard that ends a run after most visits. Its message has the reason, the
// limit and what sets it.
func Guard(code, reason string, most int, setBy string) plan.Guard {
	return plan.Guard{Max: most, Code: Code + code, Message: fmt.Sprintf("%s: %d (%s)", reason, most, setBy), Flag: MaxIterations}
}

// Limit returns the limit of the flag, else the usual one, and a description of what sets it.
func (f *Flow) Limit(usual int) (most int, setBy string) {
	text := f.Options.Get(MaxIterations)
	if text == "" {
		return usual, byDefault
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		f.Error(Place{File: f.File}, "bad-option", fmt.Sprintf("%s %s is not a whole number of 1 or more", byFlag, text), "")
		return usual, byDefault
	}
	return n, byFlag
}
