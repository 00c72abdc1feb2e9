package plan

// Clause is a part of the document that decides where a run goes.
type Clause struct {
	Kind string // route, condition, gate, fallback intent, check, limit, validation, assertion, output, question or input
	Text Excerpt
}

// Deciding returns the clauses that the document writes for a step: the condition of an arm, its
// routes, then the others. Routes that the format supplies have no clause.
func (s *Step) Deciding() []Clause {
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
	return out
}

// excerpt returns a place in the file that contains the step's routes.
func (s *Step) excerpt(at Span) Excerpt {
	return Excerpt{File: s.RoutesIn.File, Span: at, Member: s.RoutesIn.Member}
}

// ClauseOfRoute returns the index of a route's clause in Deciding, -1 if the document does not
// write the route. depth is the number of budgets that are used up.
func (s *Step) ClauseOfRoute(route, depth int) int {
	if route < 0 || route >= len(s.Routes) {
		return -1
	}
	m := &s.Routes[route].Do
	for ; depth > 0 && m.Then != nil; depth-- {
		m = m.Then
	}
	if m.Implicit {
		return -1
	}
	for i, c := range s.Deciding() {
		if c.Text.Span == m.Span {
			return i
		}
	}
	return -1
}

// InputClauses returns the clauses of the inputs that the document declares.
func (p *Plan) InputClauses() (out []Clause) {
	for _, in := range p.Inputs {
		if in.Line > 0 && !p.InputsElsewhere {
			out = append(out, Clause{"input", Excerpt{Span: Span{Line: in.Line, Column: 1, End: in.Line}}})
		}
	}
	return out
}
