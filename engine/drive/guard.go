package drive

import (
	"playhead/engine/trust"
)

// A Guard keeps a run where it stands until a person trusts its document.
type Guard interface {
	IsTrusted() bool
	Commands() []trust.Item // that the document would execute
	Trust() error           // remembers a person's yes
}

// SetGuard sets what keeps the run where it stands.
func (d *Driver) SetGuard(g Guard) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.guard = g
}

// isTrusted reports whether the run may execute the document's commands: either a person trusted them, which
// stays so, or nobody has to.
func (d *Driver) isTrusted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guard != nil && d.guard.IsTrusted() {
		d.guard = nil
	}
	return d.guard == nil
}

// Trust returns the commands that a person has to trust before the run goes on; there are none once one has.
// With allow it is this client that does, on a terminal.
func (d *Driver) Trust(c Client, allow bool) ([]trust.Item, error) {
	if d.isTrusted() {
		return []trust.Item{}, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	commands := d.guard.Commands()
	switch {
	case !allow:
		return commands, nil
	case !c.Controls || !c.Terminal:
		return nil, refuse("Only a person at a terminal can trust a document: use playhead attach %s.", d.run.Track.Run)
	}
	return commands, d.guard.Trust()
}
