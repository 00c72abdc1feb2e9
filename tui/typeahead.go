package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
)

// typeahead holds the keys that come while the run is being begun: what they mean is the
// run's to say. A run that is gone on with can be seen by then, and is answered at once.
type typeahead struct {
	holds bool
	keys  []tea.KeyPressMsg
	until time.Time // keys wait no longer for a run that neither stands nor does anything
}

// settling is how long a run may take from its beginning to where it stands or does something.
const settling = time.Second

// hold takes a key for later, if there is something to wait for. What interrupts is not held.
func (h *typeahead) hold(k tea.KeyPressMsg) bool {
	if !h.holds || k.String() == "ctrl+c" {
		return false
	}
	h.keys = append(h.keys, k)
	return true
}

// catchUp does what the keys that were held mean, once the session says what it does: as long
// as it is on its way there, it would refuse most of them.
func (m *Model) catchUp() tea.Cmd {
	st := m.status
	onItsWay := st.State == engine.Running && st.Running == "" && !m.replays()
	if !m.typed.holds || st.State == "" || onItsWay && m.now.Before(m.typed.until) {
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
