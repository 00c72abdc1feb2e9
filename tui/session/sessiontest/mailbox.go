package sessiontest

import (
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Mailbox keeps what was sent to the program.
type Mailbox struct {
	mu       sync.Mutex
	messages []tea.Msg
}

// Send adds a message.
func (box *Mailbox) Send(msg tea.Msg) {
	box.mu.Lock()
	defer box.mu.Unlock()
	box.messages = append(box.messages, msg)
}

// Messages returns what was sent so far.
func (box *Mailbox) Messages() []tea.Msg {
	box.mu.Lock()
	defer box.mu.Unlock()
	return slices.Clone(box.messages)
}
