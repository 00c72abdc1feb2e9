package trust

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// Item is one thing that a document would execute. Its texts are as the document
// has them: whoever shows them takes control sequences out.
type Item struct {
	Document string // the file
	Step     string // id of the step
	Line     int    // of the command
	Language string // as the document names it
	Text     string // references unfilled
}

// Commands lists what a document and those it includes would execute, in document
// order, an included document where it is first included.
func Commands(p *plan.Plan) []Item {
	l := lister{seen: map[*plan.Plan]bool{}}
	l.document(p, p.Path)
	return l.items
}

type lister struct {
	seen  map[*plan.Plan]bool
	items []Item
}

func (l *lister) document(p *plan.Plan, file string) {
	l.seen[p] = true
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			switch w := a.Work.(type) {
			case plan.Command:
				l.items = append(l.items, Item{file, s.ID, cmp.Or(a.Span.Line, s.Span.Line), w.Language, script(w)})
			case plan.Include:
				l.include(p, w)
			}
		}
		return true
	})
}

// include lists the children of one action, each document once. A child with
// errors is never run.
func (l *lister) include(p *plan.Plan, w plan.Include) {
	for _, path := range w.Docs {
		c, ok := p.Child(path)
		if ok && c.Plan != nil && !l.seen[c.Plan] && c.Plan.Runnable() {
			l.document(c.Plan, cmp.Or(c.Plan.Path, c.File, c.Path))
		}
	}
}

// script is the command's text, or its arguments as a shell would take them.
func script(c plan.Command) string {
	if len(c.Argv) == 0 {
		return text(c.Text)
	}
	words := make([]string, len(c.Argv))
	for i, arg := range c.Argv {
		words[i] = text(arg)
		if words[i] == "" || strings.ContainsAny(words[i], " \t\r\n\"'\\$`") {
			words[i] = strconv.Quote(words[i])
		}
	}
	return strings.Join(words, " ")
}

// text is a prompt as the document writes it. What cannot be shown is said to be
// so: a person must not take it for an empty command.
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
