// Package preflight checks before a run begins whether what it will need is available: models,
// tools, texts for prompts, included documents, programs. List returns what a document needs and is
// pure. Check asks for all of it in parallel.
package preflight

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/consent"
	"playhead/engine/model"
	"playhead/engine/routes"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// A Kind is the kind of thing that a run needs.
type Kind int

// The kinds of needs.
const (
	ModelNeed    Kind = iota // a model that a server has
	ApprovalNeed             // a person who approves the calls of a model
	ToolNeed                 // a tool of a server
	TextNeed                 // a text for a prompt
	DocumentNeed             // an included document
	ProgramNeed              // a program that a command runs
)

// Item is one thing that a run needs.
type Item struct {
	Kind   Kind
	Server string // the server of a tool, or the scheme of a text
	Name   string // as the document writes it; for a model, empty means the default
	Alias  bool   // of a model: a configuration may map the name
	Open   bool   // the name is known only during the run
}

// A Need is an item with the steps that need it.
type Need struct {
	Item
	Steps   []string // their labels, in the order of the document
	Problem string   // why an included document cannot be run

	File         string // the place of the first step that needs it
	Line, Column int
}

// Options say where a run is and what it already has.
type Options struct {
	From       string         // the ID of the step that a resumed run is at; empty: a new run
	Replies    *model.Replies // prepared replies
	Results    *tools.Results // prepared results of tools
	AsksServer bool           // replies come from a model server
	AsksEach   bool           // a person is asked also about calls that a step's mode allows
	Prompted   bool           // nothing is executed
}

// HasCalls reports whether one of the needs is a call of a model or a tool.
func HasCalls(needs []Need) bool {
	return slices.ContainsFunc(needs, func(n Need) bool { return n.Kind == ModelNeed || n.Kind == ToolNeed })
}

// List returns what the steps of a document need if a route can reach them, each item once.
func List(p *plan.Plan, o Options) []Need {
	l := lister{options: o, index: map[Item]int{}, seen: map[*plan.Plan]bool{}}
	l.document(p, p.SourceFile(), o.From)
	return l.needs
}

type lister struct {
	options Options
	needs   []Need
	index   map[Item]int
	seen    map[*plan.Plan]bool
}

// document adds the needs of the steps that a run can reach from a step, or from the start.
func (l *lister) document(p *plan.Plan, file, from string) {
	if l.seen[p] {
		return
	}
	l.seen[p] = true
	reached := routes.Of(p).Reached(from)
	p.Walk(func(s, _ *plan.Step) bool {
		if !reached[s.ID] {
			return true
		}
		for _, a := range s.Actions {
			l.action(p, source{file, s, a})
		}
		return true
	})
}

// source is an action that needs something.
type source struct {
	file   string
	step   *plan.Step
	action plan.Action
}

func (l *lister) action(p *plan.Plan, from source) {
	switch w := from.action.Work.(type) {
	case plan.Model:
		l.model(from, w)
	case plan.Tool:
		if !l.options.Prompted && !l.hasResult(from, w.Name) {
			l.add(from, Item{Kind: ToolNeed, Server: w.Server, Name: w.Name}, "")
		}
	case plan.Fetch:
		name, open := constant(w.Ref)
		isRead := w.Scheme == "file" && !open // the document was loaded with the file, and says what is wrong with it: see MissingFiles
		if !isRead && (w.Scheme != "mcp" || !l.options.Prompted) {
			l.add(from, Item{Kind: TextNeed, Server: w.Scheme, Name: name, Open: open}, "")
		}
	case plan.Command:
		if !l.options.Prompted {
			for _, program := range programs(w) {
				l.add(from, Item{Kind: ProgramNeed, Name: program}, "")
			}
		}
	case plan.Include:
		l.include(p, from, w)
	}
}

// model adds the needs of a model call that a server answers.
func (l *lister) model(from source, w plan.Model) {
	o := l.options
	prepared := o.Replies.Has(model.Request{Label: from.step.ID, Part: w.Part})
	if prepared || !o.AsksServer || o.Prompted && len(w.Tools) > 0 {
		return
	}
	l.add(from, Item{Kind: ModelNeed, Name: w.Name, Alias: w.Alias}, "")
	if slices.ContainsFunc(w.Tools, func(tool plan.Prompt) bool { return consent.MayAsk(w.Permissions, plan.Source(tool), o.AsksEach) }) {
		l.add(from, Item{Kind: ApprovalNeed}, "")
	}
	for _, tool := range w.Tools {
		written, open := constant(tool)
		server, name := plan.SplitTool(written)
		if !l.hasResult(from, name) {
			l.add(from, Item{Kind: ToolNeed, Server: server, Name: name, Open: open}, "")
		}
	}
}

func (l *lister) hasResult(from source, tool string) bool {
	return l.options.Results.Has(tools.Request{Label: from.step.ID, Tool: tool})
}

// include adds the documents that cannot be run, and the needs of the others.
func (l *lister) include(p *plan.Plan, from source, w plan.Include) {
	for _, path := range w.Docs {
		c, _ := p.Child(path)
		switch {
		case c.Plan == nil:
			l.add(from, Item{Kind: DocumentNeed, Name: path}, cmp.Or(c.Reason, "it was not found"))
		case !c.Plan.Runnable():
			l.add(from, Item{Kind: DocumentNeed, Name: path}, "it has errors")
		default:
			l.document(c.Plan, cmp.Or(c.Plan.SourceFile(), c.File, c.Path), "")
		}
	}
}

// add adds a need, or adds its step to an existing need.
func (l *lister) add(from source, item Item, problem string) {
	i, known := l.index[item]
	if !known {
		i = len(l.needs)
		l.index[item] = i
		at := from.action.Span
		if at.Line == 0 {
			at = from.step.Span
		}
		l.needs = append(l.needs, Need{
			Item: item, Problem: problem,
			File: from.file, Line: max(1, at.Line), Column: max(1, at.Column),
		})
	}
	if n := &l.needs[i]; !slices.Contains(n.Steps, from.step.ID) {
		n.Steps = append(n.Steps, from.step.ID)
	}
}

// constant returns a text as the document writes it, and whether it depends on values.
func constant(text plan.Prompt) (written string, open bool) {
	written = plan.Source(text)
	if text == nil {
		return written, false
	}
	r, err := text.Render(plan.NULScope{})
	return written, err != nil || r.Text != written
}

// stepText returns the subject of a sentence: the steps that need something, with the verb.
func (n Need) stepText() string {
	const most = 5
	if len(n.Steps) == 1 {
		return "step " + n.Steps[0] + " needs"
	}
	text := strings.Join(n.Steps[:min(len(n.Steps), most)], ", ")
	if len(n.Steps) > most {
		text += " …"
	}
	return "steps " + text + " need"
}
