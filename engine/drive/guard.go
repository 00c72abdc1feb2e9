package drive

import "playhead/engine/trust"

// A TrustGuard prevents a run from executing anything until a person trusts its document.
type TrustGuard interface {
	IsTrusted() bool
	Commands() []trust.Item // the commands that the document would execute
	Trust() error           // stores that a person trusts the document
}

// SetGuard sets the guard of the run, nil for a trusted document.
func (d *Driver) SetGuard(g TrustGuard) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.guard = g
}

// isTrusted reports whether the run may execute the document's commands: a person has trusted the
// document, or it needs no trust. Trust is never withdrawn.
func (d *Driver) isTrusted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guard != nil && d.guard.IsTrusted() {
		d.guard = nil
	}
	return d.guard == nil
}

// TrustOrListCommands returns the commands that a person has to trust before the run continues, none if the document
// is trusted. If allow is set, the client trusts them. This needs a person at a terminal.
func (d *Driver) TrustOrListCommands(c Client, allow bool) ([]trust.Item, error) {
	if d.isTrusted() {
		return []trust.Item{}, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	commands := d.guard.Commands()
	switch {
	case !allow:
		return commands, nil
	case !c.IsController || !c.IsAtTerminal:
		return nil, &RefusedError{string(terminalOnlyReason("trust a document", d.run.Track.RunID))}
	}
	return commands, d.guard.Trust()
}
