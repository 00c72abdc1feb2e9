package trust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// Item is one thing that a document would execute: a command, a call of a tool, the tools of a model, or a tool
// server. Its texts are as in the document, so the caller has to make hidden characters visible.
type Item struct {
	File          string `json:"document"`            // the file that contains it; of a server: that describes it
	StepID        string `json:"step,omitempty"`      // the ID of the step
	StepTitle     string `json:"-"`                   // its title, "" if it is the ID
	Line          int    `json:"line"`                // where it begins, from 1
	ValidatorName string `json:"validator,omitempty"` // the name of the validator, "" if it is not one
	Language      string `json:"language,omitempty"`  // as the document names it
	Text          string `json:"text"`                // the command, with references to variables as written
	IsToolList    bool   `json:"tools,omitempty"`     // the item lists what a model may do with Playhead's own tools, instead of a command
	ServerName    string `json:"server,omitempty"`    // the name of a tool server that would be started, if the item is not of a step
	ExactText     string `json:"-"`                   // of a server: everything that Text stands for, including secrets; never shown
}

// ExecutesSameAs reports whether two items would execute the same, wherever they are in the documents.
func (i Item) ExecutesSameAs(other Item) bool {
	return i.Language == other.Language && i.Text == other.Text && i.ValidatorName == other.ValidatorName && i.ServerName == other.ServerName
}

// ListCommands lists what the steps of a document and of those it includes would execute, in document
// order, with an included document at its first inclusion. Models that may change files or run
// commands are listed, and with them those of the same document that only read.
func ListCommands(p *plan.Plan) []Item {
	var items []Item
	changes := map[string]bool{} // the files in which a model may change something
	VisitActions(p, func(file string, s *plan.Step, a plan.Action) {
		item := Item{File: cmp.Or(a.TextLocation.File, file), StepID: s.ID, Line: cmp.Or(a.Span.Line, s.Span.Line)}
		if s.Title != s.ID {
			item.StepTitle = s.Title
		}
		switch w := a.Work.(type) {
		case plan.Command:
			item.ValidatorName, item.Language, item.Text = validatorName(a), w.Language, commandText(w)
		case plan.Tool:
			if !plan.IsLocalServer(w.Server) || !plan.CanChangeFiles(w.Name) {
				return
			}
			item.Text = w.Name + " " + promptText(w.Args)
		case plan.Model:
			names, change := localToolNames(w)
			if len(names) == 0 {
				return
			}
			changes[file] = changes[file] || change
			item.File, item.Line, item.IsToolList = file, s.Span.Line, true
			item.Text = strings.Join(names, ", ") + "\n" + consent.DescribeMode(w.Permissions.Mode)
		default:
			return
		}
		items = append(items, item)
	})
	return slices.DeleteFunc(items, func(i Item) bool { return i.IsToolList && !changes[i.File] })
}

// localToolNames lists Playhead's own tools that a model may call, with their restrictions, and reports
// whether one of them changes something.
func localToolNames(w plan.Model) (names []string, changes bool) {
	for _, tool := range w.Tools {
		name := plan.LocalToolName(plan.SourceText(tool))
		if name == "" {
			continue
		}
		changes = changes || plan.CanChangeFiles(name)
		only := w.Permissions.ToolPatterns[name]
		if len(only) == 0 {
			names = append(names, name)
		}
		for _, pattern := range only {
			names = append(names, name+"("+pattern+")")
		}
	}
	return names, changes
}

// validatorName returns the names of the validators that an action executes, "" if it is no validator.
func validatorName(a plan.Action) string {
	if d, ok := a.Judge.(plan.Describer); ok {
		return strings.Join(d.Describe().Validators, ", ")
	}
	return ""
}

// VisitActions visits the actions of a document and of those it includes, in the order of ListCommands. Every
// document is visited once.
func VisitActions(p *plan.Plan, visit func(file string, s *plan.Step, a plan.Action)) {
	w := actionWalker{isVisited: map[*plan.Plan]bool{}, visit: visit}
	w.visitDocument(p, p.SourcePath())
}

type actionWalker struct {
	isVisited map[*plan.Plan]bool
	visit     func(file string, s *plan.Step, a plan.Action)
}

func (w *actionWalker) visitDocument(p *plan.Plan, file string) {
	w.isVisited[p] = true
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			w.visit(file, s, a)
			if include, ok := a.Work.(plan.Include); ok {
				w.visitIncluded(p, include)
			}
		}
		return true
	})
}

// visitIncluded visits the documents that one action includes, each document once. One with errors is never run,
// so it is left out.
func (w *actionWalker) visitIncluded(p *plan.Plan, include plan.Include) {
	for _, path := range include.DocumentPaths {
		c, ok := p.IncludedDocument(path)
		if ok && c.Plan != nil && !w.isVisited[c.Plan] && c.Plan.Runnable() {
			w.visitDocument(c.Plan, cmp.Or(c.Plan.SourcePath(), c.File, c.WrittenPath))
		}
	}
}

// commandText returns the command's text, or its arguments as a line to read.
func commandText(c plan.Command) string {
	if len(c.Argv) == 0 {
		return promptText(c.Text)
	}
	args := make([]string, len(c.Argv))
	for i, arg := range c.Argv {
		args[i] = promptText(arg)
	}
	return ReadableCommandLine(args)
}

// ReadableCommandLine returns a program and its arguments as one line that a person can read, quoted as for a shell.
// It is not meant to be executed: $ and backticks are not escaped.
func ReadableCommandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if word == "" || strings.ContainsAny(word, " \t\r\n\"'\\$`") {
			quoted[i] = `"` + quoteEscaper.Replace(word) + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// quoteEscaper escapes the characters that end a quoted word or its line. Other hidden characters stay,
// because the caller must find and show them.
var quoteEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// promptText returns a prompt as the document writes it. If it cannot be shown, the text says so, because
// a person must not take it for an empty command.
func promptText(p plan.Prompt) string {
	if p == nil {
		return ""
	}
	r, err := p.Render(nil)
	if err != nil {
		return fmt.Sprintf("(cannot be shown: %v)", err)
	}
	return r.Text
}

// ExecutedBy returns what would execute the item, as text: "step 3", "tool server files".
func (i Item) ExecutedBy() string {
	switch {
	case i.ServerName != "":
		return "tool server " + i.ServerName
	case i.IsToolList:
		return "step " + i.StepID + ", tools that its model may call (if the approval policy is \"none\", nobody is asked first)"
	case i.ValidatorName != "":
		return "step " + i.StepID + ", validator " + i.ValidatorName
	}
	return "step " + i.StepID
}
