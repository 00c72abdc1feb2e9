package plan

import (
	"fmt"
	"path/filepath"
)

// Clause is a part of the document that decides where a run goes.
type Clause struct {
	Kind     string // route, condition, gate, fallback intent, check, limit, validation, assertion, output, question, input, or one about the document
	Location TextLocation
}

// The kinds of clauses that are about the whole document: the declaration of an input, and the limit
// of visits.
const (
	InputDeclarationKind = "input declaration"
	RunLimitKind         = "limit of the run"
)

// IsOfDocument reports whether a clause is about the whole document.
func (c Clause) IsOfDocument() bool { return c.Kind == InputDeclarationKind || c.Kind == RunLimitKind }

// Name returns what a clause is, such as "route of 2". step is the ID or label of its step.
func (c Clause) Name(step string) string {
	if c.IsOfDocument() {
		return c.Kind
	}
	return c.Kind + " of " + step
}

// PlaceText returns where a clause is: "line 12", or "agent.json:2" if it is not in the document's own
// file, whose path is given.
func (c Clause) PlaceText(document string) string {
	if c.Location.File != "" && c.Location.File != document {
		return fmt.Sprintf("%s:%d", filepath.Base(c.Location.File), c.Location.Span.Line)
	}
	return fmt.Sprintf("line %d", c.Location.Span.Line)
}

// ClausesOf returns the clauses of a step that the document writes: the condition of an arm, its
// routes, then the others. Routes that the format supplies have none. The first step also has the
// clauses about the whole document.
func (p *Plan) ClausesOf(s *Step) []Clause {
	var out []Clause
	add := func(c Clause) {
		for _, other := range out {
			if other.Location == c.Location {
				return
			}
		}
		out = append(out, c)
	}
	if s.ArmTest != nil {
		add(Clause{"condition", s.locationInRoutesFile(Span{Line: s.Span.Line, Column: 1, LastLine: s.Span.Line})})
	}
	for i := range s.Routes {
		for m := &s.Routes[i].Do; m != nil; m = m.AfterLimit {
			if !m.Implicit {
				add(Clause{"route", s.locationInRoutesFile(m.Span)})
			}
		}
	}
	for _, c := range s.Clauses {
		add(c)
	}
	if len(p.Steps) == 0 || s != p.Steps[0] {
		return out
	}
	if p.VisitLimit.MaxLocation.Span.Line > 0 {
		add(Clause{RunLimitKind, p.VisitLimit.MaxLocation})
	}
	for _, in := range p.Inputs {
		if in.DeclaredAt.Span.Line > 0 {
			add(Clause{InputDeclarationKind, in.DeclaredAt})
		}
	}
	return out
}

// locationInRoutesFile returns a place in the file that contains the step's routes.
func (s *Step) locationInRoutesFile(at Span) TextLocation {
	return TextLocation{File: s.RoutesLocation.File, Span: at, IsJSONMember: s.RoutesLocation.IsJSONMember}
}

// IsWrittenIn reports whether a clause contains the route, or a move that follows one of its budgets.
func (r *Route) IsWrittenIn(c Clause) bool {
	for m := &r.Do; m != nil; m = m.AfterLimit {
		if !m.Implicit && m.Span == c.Location.Span {
			return true
		}
	}
	return false
}
