// Package preflight checks before a run begins whether what it will need is available: models,
// tools, texts for prompts, included documents, programs. ListNeeds returns what a document needs and
// is pure. CheckNeeds asks for all of it in parallel.
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

// A NeedKind is the kind of thing that a run needs.
type NeedKind int

// The kinds of needs.
const (
	ModelNeed    NeedKind = iota // a model that a server has
	ApprovalNeed                 // a person who approves the calls of a model
	ToolNeed                     // a tool of a server
	TextNeed                     // a text for a prompt
	DocumentNeed                 // an included document
	ProgramNeed                  // a program that a command runs
)

// NeededItem is one thing that a run needs.
type NeededItem struct {
	Kind           NeedKind
	ServerOrScheme string // the server of a tool, or the scheme of a text
	Name           string // as the document writes it; for a model, empty means the default
	IsModelAlias   bool   // of a model: a configuration may map the name
	IsNameDynamic  bool   // the name is known only during the run
}

// A Need is an item with the steps that need it.
type Need struct {
	NeededItem
	StepIDs         []string // the IDs of these steps, in the order of the document
	DocumentProblem string   // why an included document cannot be run

	File         string // the place of the first step that needs it
	Line, Column int
}

// Options say where a run is and what it already has.
type Options struct {
	CurrentStepID         string                 // the ID of the step that a resumed run is at; empty: a new run
	PreparedReplies       *model.PreparedReplies // a call with a prepared reply needs no model
	PreparedResults       *tools.PreparedResults // a call with a prepared result needs no tool
	PreparedLabel         func(string) string    // returns the label that a step has in them; nil: its own
	AsksModelServer       bool                   // replies come from a model server
	AsksAboutAllowedCalls bool                   // a person is asked also about calls that a step's mode allows
	ExecutesNothing       bool                   // a person decides instead of commands and tools
}

// preparedLabel returns the label of a step in prepared replies and results.
func (o *Options) preparedLabel(s *plan.Step) string {
	if o.PreparedLabel == nil {
		return s.ID
	}
	return o.PreparedLabel(s.ID)
}

// HasCalls reports whether one of the needs is a call of a model or a tool.
func HasCalls(needs []Need) bool {
	return slices.ContainsFunc(needs, func(n Need) bool { return n.Kind == ModelNeed || n.Kind == ToolNeed })
}

// ListNeeds returns what the steps of a document need if a route can reach them, each item once.
func ListNeeds(p *plan.Plan, o Options) []Need {
	l := needLister{options: o, indexOfItem: map[NeededItem]int{}, isListed: map[*plan.Plan]bool{}}
	l.addDocument(p, p.SourcePath(), o.CurrentStepID)
	return l.needs
}

type needLister struct {
	options     Options
	needs       []Need
	indexOfItem map[NeededItem]int
	isListed    map[*plan.Plan]bool
}

// addDocument adds the needs of the steps that a run can reach from a step, or from the start.
func (l *needLister) addDocument(p *plan.Plan, file, from string) {
	if l.isListed[p] {
		return
	}
	l.isListed[p] = true
	reached := routes.GraphOf(p).ReachableSteps(from)
	p.Walk(func(s, _ *plan.Step) bool {
		if !reached[s.ID] {
			return true
		}
		for _, a := range s.Actions {
			l.addAction(p, needingAction{file, s, a})
		}
		return true
	})
}

// needingAction is an action whose needs are listed, with its place.
type needingAction struct {
	file   string
	step   *plan.Step
	action plan.Action
}

// addAction adds what one action needs. p is its document.
func (l *needLister) addAction(p *plan.Plan, from needingAction) {
	switch w := from.action.Work.(type) {
	case plan.Model:
		l.addModel(from, w)
	case plan.Tool:
		if !l.options.ExecutesNothing && !l.hasPreparedResult(from, w.Name) {
			l.addNeed(from, NeededItem{Kind: ToolNeed, ServerOrScheme: w.Server, Name: w.Name}, "")
		}
	case plan.Fetch:
		name, open := writtenText(w.Ref)
		isRead := w.Scheme == "file" && !open // the document was loaded with the file, and says what is wrong with it: see MissingFileDiagnostics
		if !isRead && (w.Scheme != "mcp" || !l.options.ExecutesNothing) {
			l.addNeed(from, NeededItem{Kind: TextNeed, ServerOrScheme: w.Scheme, Name: name, IsNameDynamic: open}, "")
		}
	case plan.Command:
		if !l.options.ExecutesNothing {
			for _, program := range programsOf(w) {
				l.addNeed(from, NeededItem{Kind: ProgramNeed, Name: program}, "")
			}
		}
	case plan.Include:
		l.addIncluded(p, from, w)
	}
}

// addModel adds the needs of a model call that a server answers.
func (l *needLister) addModel(from needingAction, w plan.Model) {
	o := l.options
	prepared := o.PreparedReplies.HasReply(model.Request{StepLabel: o.preparedLabel(from.step), CallName: w.CallName})
	if prepared || !o.AsksModelServer || o.ExecutesNothing && len(w.Tools) > 0 {
		return
	}
	l.addNeed(from, NeededItem{Kind: ModelNeed, Name: w.Name, IsModelAlias: w.IsAlias}, "")
	if slices.ContainsFunc(w.Tools, func(tool plan.Prompt) bool {
		return consent.CanNeedApproval(w.Permissions, plan.SourceText(tool), o.AsksAboutAllowedCalls)
	}) {
		l.addNeed(from, NeededItem{Kind: ApprovalNeed}, "")
	}
	for _, tool := range w.Tools {
		written, open := writtenText(tool)
		server, name := plan.SplitTool(written)
		if !l.hasPreparedResult(from, name) {
			l.addNeed(from, NeededItem{Kind: ToolNeed, ServerOrScheme: server, Name: name, IsNameDynamic: open}, "")
		}
	}
}

func (l *needLister) hasPreparedResult(from needingAction, tool string) bool {
	return l.options.PreparedResults.HasResult(tools.Request{StepLabel: l.options.preparedLabel(from.step), Tool: tool})
}

// addIncluded adds the included documents that cannot be run as needs, and the needs of the others.
func (l *needLister) addIncluded(p *plan.Plan, from needingAction, w plan.Include) {
	for _, path := range w.DocumentPaths {
		c, _ := p.IncludedDocument(path)
		switch {
		case c.Plan == nil:
			l.addNeed(from, NeededItem{Kind: DocumentNeed, Name: path}, cmp.Or(c.LoadProblem, "it was not found"))
		case !c.Plan.Runnable():
			l.addNeed(from, NeededItem{Kind: DocumentNeed, Name: path}, "it has errors")
		default:
			l.addDocument(c.Plan, cmp.Or(c.Plan.SourcePath(), c.File, c.WrittenPath), "")
		}
	}
}

// addNeed adds a need, or adds its step to an existing need. problem is the DocumentProblem of a new need.
func (l *needLister) addNeed(from needingAction, item NeededItem, problem string) {
	i, known := l.indexOfItem[item]
	if !known {
		i = len(l.needs)
		l.indexOfItem[item] = i
		at := from.action.Span
		if at.Line == 0 {
			at = from.step.Span
		}
		l.needs = append(l.needs, Need{
			NeededItem: item, DocumentProblem: problem,
			File: from.file, Line: max(1, at.Line), Column: max(1, at.Column),
		})
	}
	if n := &l.needs[i]; !slices.Contains(n.StepIDs, from.step.ID) {
		n.StepIDs = append(n.StepIDs, from.step.ID)
	}
}

// writtenText returns a text as the document writes it, and whether it depends on values.
func writtenText(text plan.Prompt) (written string, open bool) {
	written = plan.SourceText(text)
	if text == nil {
		return written, false
	}
	r, err := text.Render(plan.ProbeScope{})
	return written, err != nil || r.Text != written
}

// stepsNeedText returns the subject of a sentence: the steps that need something, with the verb.
func (n Need) stepsNeedText() string {
	const most = 5
	if len(n.StepIDs) == 1 {
		return "step " + n.StepIDs[0] + " needs"
	}
	text := strings.Join(n.StepIDs[:min(len(n.StepIDs), most)], ", ")
	if len(n.StepIDs) > most {
		text += " …"
	}
	return "steps " + text + " need"
}
