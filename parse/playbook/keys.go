package playbook

import "fmt"

// names gives out ids and keys: a repetition is counted, as in 2a~2.
type names map[string]int

func (n names) take(name string) string {
	out := name
	for n[out] > 0 {
		n[name]++
		out = fmt.Sprintf("%s~%d", name, n[name])
	}
	n[out]++
	return out
}

// key is an arm's own key: its condition.
func (a *arm) key() string {
	if a.word == "else" {
		return "else"
	}
	return a.cond.variable + a.cond.operator + a.cond.value
}
