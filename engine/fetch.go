package engine

import (
	"context"
	"errors"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Texts gets text for prompts. Scheme is file, library, mcp or empty; say shows what
// goes on meanwhile.
type Texts interface {
	Fetch(ctx context.Context, scheme, name string, say func(string)) (string, error)
}

var errNoTexts = errors.New("there is nowhere to get it from")

// fetch gets text for a prompt.
func (s *Session) fetch(e *machine.FetchText) (*call, error) {
	return s.call(func(ctx context.Context, c *call) {
		text, err := "", errNoTexts
		if s.cfg.Texts != nil {
			text, err = s.cfg.Texts.Fetch(ctx, e.Scheme, e.Name, s.saying(e.Action, c))
		}
		c.product = plan.Product{Text: text, Cancelled: ctx.Err() != nil}
		if err != nil {
			c.product.Err = err.Error()
		}
	})
}
