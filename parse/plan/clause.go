package plan

// Clause is a part of the document that decides where a run goes.
type Clause struct {
	Kind string // route, condition, gate, fallback intent, check, limit, validation, assertion, output, question, input or input declaration
	Text Excerpt
}

// InputDeclaration is the kind of a clause that declares an input of the document.
const InputDeclaration = "input declaration"

// Deciding returns the clauses of a step that the document writes: the condition of an arm, its
// routes, then the others. Routes that the format supplies have none. The first step also has the
// inputs that the document declares.
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
	if len(p.Steps) == 0 || s != p.Steps[0] || p.InputsElsewhere {
		return out
	}
	for _, in := range p.Inputs {
		if in.Line > 0 {
			add(Clause{InputDeclaration, Excerpt{Span: Span{Line: in.Line, Column: 1, End: in.Line}}})
		}
	}
	return out
}

// excerpt is a place in the file that the step's routes are in.
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
