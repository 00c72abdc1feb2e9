package stepflow

import (
	"fmt"

	"playhead/parse/plan"
)

// edges are the links that a step writes, pass before fail, and the endings that
// nothing writes (spec §7).
func (s *step) edges() []plan.Edge {
	if !s.checked {
		return []plan.Edge{{Label: "fail", Implied: true}}
	}
	return append(s.sideEdges("pass", s.check.onPass), s.sideEdges("fail", s.check.onFail)...)
}

func (s *step) sideEdges(word string, o side) []plan.Edge {
	if o.none() {
		if word == "pass" {
			word = "pass complete"
		}
		return []plan.Edge{{Label: word, Implied: true}}
	}
	var out []plan.Edge
	for _, m := range o.Members() {
		e := plan.Edge{Label: word + " " + m.Key()}
		switch {
		case m.Key() == "next" && o.next != "", m.Key() == "fallback" && o.fallback != "":
			e.To = m.Text()
		case m.Key() == "retry" && o.retry:
			e.To = s.id
			if o.most > 0 {
				e.Label += fmt.Sprintf(" ≤ %d", o.most)
			}
			if o.most > 0 && o.fallback == "" {
				e.Then = "fail"
			}
		case m.Key() == "complete" && o.complete:
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}
