package remote

import (
	"io"

	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/trust"
)

// UntrustedDocument is the document of a run that waits until a person trusts it.
type UntrustedDocument struct {
	client   *service.Client
	path     string
	commands []trust.Item
}

// TakeControlIfUntrusted returns the document of the run if the run waits until a person trusts it, else nil. In the
// first case it takes control of the run, because only the client in control can trust the document. path is the
// path of the document.
func TakeControlIfUntrusted(c *service.Client, path string) (*UntrustedDocument, error) {
	state, err := c.State()
	if err != nil || !state.NeedsTrust {
		return nil, err
	}
	if err := c.Call("attach", nil, nil); err != nil {
		return nil, err
	}
	u := &UntrustedDocument{client: c, path: path}
	return u, c.Call("trust", nil, &u.commands)
}

// Path returns the path of the document.
func (u *UntrustedDocument) Path() string { return u.path }

// WriteCommands writes what the document would execute.
func (u *UntrustedDocument) WriteCommands(w io.Writer) { setup.WriteCommands(w, u.commands) }

// Trust tells the run that the person trusts the document.
func (u *UntrustedDocument) Trust() error {
	return u.client.Call("trust", map[string]bool{"allow": true}, nil)
}
