package tui

import tea "charm.land/bubbletea/v2"

// typeahead holds the keys that come while the run is being begun: what they mean is the
// run's to say. A run that is gone on with can be seen by then, and is answered at once.
type typeahead struct {
	holds bool
	keys  []tea.KeyPressMsg
}

// hold takes a key for later, if there is something to wait for. What interrupts is not held.
func (h *typeahead) hold(k tea.KeyPressMsg) bool {
	if !h.holds || k.String() == "ctrl+c" {
		return false
	}
	h.keys = append(h.keys, k)
	return true
}

// catchUp does what the keys that were held mean, once the session says what it does.
func (m *Model) catchUp() tea.Cmd {
	if m.status.State == "" {
		return nil
	}
	keys := m.typed.keys
	m.typed = typeahead{}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Sequence(cmds...)
}
