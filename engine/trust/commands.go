package trust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// Item is one thing that a document would execute. Its texts are as in the document, so the caller
// has to make hidden characters visible.
type Item struct {
	Document string `json:"document"`            // the file
	StepID   string `json:"step,omitempty"`      // the ID of the step
	Line     int    `json:"line"`                // of the command
	Checks   string `json:"validator,omitempty"` // the name of the validator, "" if it is not one
	Language string `json:"language,omitempty"`  // as the document names it
	Text     string `json:"text"`                // with references unfilled
	Tools    bool   `json:"tools,omitempty"`     // not a command, but what a model may do with Playhead's own tools
	Server   string `json:"server,omitempty"`    // the name of a tool server that would be started, instead of a step's command
	Exact    string `json:"-"`                   // of a server: everything that Text stands for, including secrets; never shown
}

// SameCommand reports whether two items would execute the same, at any place.
func (i Item) SameCommand(other Item) bool {
	return i.Language == other.Language && i.Text == other.Text && i.Checks == other.Checks && i.Server == other.Server
}

// Commands lists what the steps of a document and of those it includes would execute, in document
// order, with an included document at its first inclusion. Models that may change files or run
// commands are listed, and with them those of the same document that only read.
func Commands(p *plan.Plan) []Item {
	var items []Item
	changes := map[string]bool{} // by document
	Each(p, func(file string, s *plan.Step, a plan.Action) {
		item := Item{Document: cmp.Or(a.Text.File, file), StepID: s.ID, Line: cmp.Or(a.Span.Line, s.Span.Line)}
		switch w := a.Work.(type) {
		case plan.Command:
			item.Checks, item.Language, item.Text = checks(a), w.Language, script(w)
		case plan.Tool:
			if !plan.IsLocal(w.Server) || !plan.ChangesThings(w.Name) {
				return
			}
			item.Text = w.Name + " " + text(w.Args)
		case plan.Model:
			names, change := localTools(w)
			if len(names) == 0 {
				return
			}
			changes[file] = changes[file] || change
			item.Document, item.Line, item.Tools = file, s.Span.Line, true
			item.Text = strings.Join(names, ", ") + "\n" + consent.Describe(w.Permissions.Mode)
		default:
			return
		}
		items = append(items, item)
	})
	return slices.DeleteFunc(items, func(i Item) bool { return i.Tools && !changes[i.Document] })
}

// localTools lists Playhead's own tools that a model may call, with their restrictions, and reports
// whether one of them changes something.
func localTools(w plan.Model) (names []string, changes bool) {
	for _, tool := range w.Tools {
		name := plan.LocalTool(plan.Source(tool))
		if name == "" {
			continue
		}
		changes = changes || plan.ChangesThings(name)
		only := w.Permissions.Only[name]
		if len(only) == 0 {
			names = append(names, name)
		}
		for _, pattern := range only {
			names = append(names, name+"("+pattern+")")
		}
	}
	return names, changes
}

// checks returns the name of the validator that an action is, "" if it is none.
func checks(a plan.Action) string {
	if d, ok := a.Judge.(plan.Describer); ok {
		return strings.Join(d.Describe().Validators, ", ")
	}
	return ""
}

// Each visits the actions of a document and of those it includes, in the order of Commands. Every
// document is visited once.
func Each(p *plan.Plan, visit func(file string, s *plan.Step, a plan.Action)) {
	w := walker{seen: map[*plan.Plan]bool{}, visit: visit}
	w.document(p, p.SourceFile())
}

type walker struct {
	seen  map[*plan.Plan]bool
	visit func(file string, s *plan.Step, a plan.Action)
}

func (w *walker) document(p *plan.Plan, file string) {
	w.seen[p] = true
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			w.visit(file, s, a)
			if include, ok := a.Work.(plan.Include); ok {
				w.include(p, include)
			}
		}
		return true
	})
}

// include visits the children of one action, each document once. A child with errors is never run.
func (w *walker) include(p *plan.Plan, include plan.Include) {
	for _, path := range include.Docs {
		c, ok := p.Child(path)
		if ok && c.Plan != nil && !w.seen[c.Plan] && c.Plan.Runnable() {
			w.document(c.Plan, cmp.Or(c.Plan.SourceFile(), c.File, c.Path))
		}
	}
}

// script returns the command's text, or its arguments as a shell would take them.
func script(c plan.Command) string {
	if len(c.Argv) == 0 {
		return text(c.Text)
	}
	args := make([]string, len(c.Argv))
	for i, arg := range c.Argv {
		args[i] = text(arg)
	}
	return Line(args)
}

// Line returns a program and its arguments as a shell would take them.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsAny(word, " \t\r\n\"'\\$`") {
			quoted[i] = `"` + quotes.Replace(word) + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// quotes escapes the characters that end a quoted word or its line. Other hidden characters stay,
// because the caller must find and show them.
var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// text returns a prompt as the document writes it. If it cannot be shown, the text says so, because
// a person must not take it for an empty command.
func text(p plan.Prompt) string {
	if p == nil {
		return ""
	}
	r, err := p.Render(nil)
	if err != nil {
		return fmt.Sprintf("(cannot be shown: %v)", err)
	}
	return r.Text
}

// Label returns what would execute the item: a step, or the start of a server.
func (c Item) Label() string {
	switch {
	case c.Server != "":
		return "tool server " + c.Server
	case c.Tools:
		return "step " + c.StepID + ", tools of its model"
	case c.Checks != "":
		return "step " + c.StepID + ", validator " + c.Checks
	}
	return "step " + c.StepID
}
