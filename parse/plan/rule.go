package plan

import (
	"fmt"
	"path/filepath"
	"slices"
)

// Rule is a part of the document that decides where a run goes, such as a route, a check or a limit.
type Rule struct {
	Kind     string // route, condition, gate, fallback intent, check, limit, validation, assertion, output, question, input, or one about the document
	Location TextLocation
}

// The kinds of rules that are about the whole document: the declaration of an input, and the limit
// of visits.
const (
	InputDeclarationKind = "input declaration"
	RunLimitKind         = "limit of the run"
)

// IsOfDocument reports whether a rule is about the whole document.
func (r Rule) IsOfDocument() bool { return r.Kind == InputDeclarationKind || r.Kind == RunLimitKind }

// Name returns what a rule is, such as "route of 2". step is the ID or label of its step.
func (r Rule) Name(step string) string {
	if r.IsOfDocument() {
		return r.Kind
	}
	return r.Kind + " of " + step
}

// PlaceText returns where a rule is: "line 12", or "agent.json:2" if it is not in the document's own
// file, whose path is given.
func (r Rule) PlaceText(document string) string {
	if r.Location.File != "" && r.Location.File != document {
		return fmt.Sprintf("%s:%d", filepath.Base(r.Location.File), r.Location.Span.Line)
	}
	return fmt.Sprintf("line %d", r.Location.Span.Line)
}

// RulesOf returns the rules of a step that the document writes: the condition of an arm, its
// routes, then the others. Routes that the format supplies are not among them. The first step also has the
// rules about the whole document.
func (p *Plan) RulesOf(s *Step) []Rule {
	var out []Rule
	add := func(rule Rule) {
		if !slices.ContainsFunc(out, func(other Rule) bool { return other.Location == rule.Location }) {
			out = append(out, rule)
		}
	}
	if s.ArmTest != nil {
		add(Rule{"condition", s.locationInRoutesFile(Span{Line: s.Span.Line, Column: 1, LastLine: s.Span.Line})})
	}
	for i := range s.Routes {
		for m := &s.Routes[i].Do; m != nil; m = m.AfterLimit {
			if !m.Implicit {
				add(Rule{"route", s.locationInRoutesFile(m.Span)})
			}
		}
	}
	for _, rule := range s.OtherRules {
		add(rule)
	}
	if len(p.Steps) == 0 || s != p.Steps[0] {
		return out
	}
	if p.EntryLimit.MaxLocation.Span.Line > 0 {
		add(Rule{RunLimitKind, p.EntryLimit.MaxLocation})
	}
	for _, in := range p.Inputs {
		if in.DeclaredAt.Span.Line > 0 {
			add(Rule{InputDeclarationKind, in.DeclaredAt})
		}
	}
	return out
}

// locationInRoutesFile returns a place in the file that contains the step's routes.
func (s *Step) locationInRoutesFile(at Span) TextLocation {
	return TextLocation{File: s.RoutesLocation.File, Span: at, IsJSONMember: s.RoutesLocation.IsJSONMember}
}

// IsWrittenIn reports whether the rule is where the document writes the route, or a move after one of its limits.
func (r *Route) IsWrittenIn(rule Rule) bool {
	for m := &r.Do; m != nil; m = m.AfterLimit {
		if !m.Implicit && m.Span == rule.Location.Span {
			return true
		}
	}
	return false
}
