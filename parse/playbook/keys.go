package playbook

// key is an arm's own key: its condition.
func (a *arm) key() string {
	if a.word == "else" {
		return "else"
	}
	return a.cond.variable + a.cond.operator + a.cond.value
}
