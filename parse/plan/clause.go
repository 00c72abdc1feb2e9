package plan

import (
	"fmt"
	"path/filepath"
)

// Clause is a part of the document that decides where a run goes.
type Clause struct {
	Kind string // route, condition, gate, fallback intent, check, limit, validation, assertion, output, question, input, or one about the document
	Text Excerpt
}

// The kinds of clauses that are about the whole document: what declares an input, and the limit of visits.
const (
	InputDeclaration = "input declaration"
	RunLimit         = "limit of the run"
)

// IsOfDocument reports whether a clause is about the whole document.
func (c Clause) IsOfDocument() bool { return c.Kind == InputDeclaration || c.Kind == RunLimit }

// Name returns what a clause is, such as "route of 2". step is the ID or label of its step.
func (c Clause) Name(step string) string {
	if c.IsOfDocument() {
		return c.Kind
	}
	return c.Kind + " of " + step
}

// Place returns where a clause is: "line 12", or "agent.json:2" if it is not in the document's own
// file, whose path is given.
func (c Clause) Place(document string) string {
	if c.Text.File != "" && c.Text.File != document {
		return fmt.Sprintf("%s:%d", filepath.Base(c.Text.File), c.Text.Span.Line)
	}
	return fmt.Sprintf("line %d", c.Text.Span.Line)
}

// Deciding returns the clauses of a step that the document writes: the condition of an arm, its
// routes, then the others. Routes that the format supplies have none. The first step also has the
// clauses about the whole document.
func (p *Plan) Deciding(s *Step) []Clause {
	var out []Clause
	add := func(c Clause) {
		for _, other := range out {
			if other.Text == c.Text {
				return
			}
		}
		out = append(out, c)
	}
	if s.When != nil {
		add(Clause{"condition", s.excerpt(Span{Line: s.Span.Line, Column: 1, End: s.Span.Line})})
	}
	for i := range s.Routes {
		for m := &s.Routes[i].Do; m != nil; m = m.Then {
			if !m.Implicit {
				add(Clause{"route", s.excerpt(m.Span)})
			}
		}
	}
	for _, c := range s.Clauses {
		add(c)
	}
	if len(p.Steps) == 0 || s != p.Steps[0] {
		return out
	}
	if p.Limit.Text.Span.Line > 0 {
		add(Clause{RunLimit, p.Limit.Text})
	}
	for _, in := range p.Inputs {
		if in.Declared.Span.Line > 0 {
			add(Clause{InputDeclaration, in.Declared})
		}
	}
	return out
}

// excerpt returns a place in the file that contains the step's routes.
func (s *Step) excerpt(at Span) Excerpt {
	return Excerpt{File: s.RoutesIn.File, Span: at, Member: s.RoutesIn.Member}
}

// Writes reports whether a route, or a move that comes after one of its budgets, is written in a clause.
func (r *Route) Writes(c Clause) bool {
	for m := &r.Do; m != nil; m = m.Then {
		if !m.Implicit && m.Span == c.Text.Span {
			return true
		}
	}
	return false
}
