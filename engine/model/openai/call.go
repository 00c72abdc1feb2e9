package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"playhead/engine/model"
	"playhead/parse/infile"
)

// A call is a request on its way to a reply, over as many attempts as it takes.
type call struct {
	*Client
	request model.Request
	out     io.Writer
	wording wording
	again   int // attempts after the first, made because of errors
	reply   received
	notes   []string
}

// Reply implements model.Source.
func (c *Client) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	if c.wrong != nil {
		return model.Reply{Err: c.wrong}
	}
	if r.Model == "" {
		r.Model = c.conf.Model
	}
	k := &call{Client: c, request: r, out: out, wording: c.understood()}
	return k.result(ctx, k.run(ctx))
}

// run makes attempts until one succeeds, or no other would help.
func (k *call) run(ctx context.Context) error {
	for {
		err := k.attempt(ctx)
		switch {
		case err == nil:
			k.learn(k.wording)
			return nil
		case ctx.Err() != nil, k.reply.begun():
			return err
		case k.reword(err):
		case !k.retry(ctx, err):
			return err
		}
	}
}

// schema says how the server was told what a reply has to be like.
func (k *call) schema() string {
	switch {
	case k.request.Schema == nil:
		return ""
	case k.wording.inPrompt:
		return model.SchemaInPrompt
	}
	return model.SchemaSent
}

// result is what the session gets.
func (k *call) result(ctx context.Context, err error) model.Reply {
	r := model.Reply{
		Text: k.reply.text.String(), Calls: k.reply.called(), Reasoning: k.reply.reasoning.String(),
		Model: k.reply.model, Finish: k.reply.finish, Schema: k.schema(),
		In: k.reply.in, Out: k.reply.out,
		Notes: slices.Clip(k.notes),
	}
	if k.reply.odd {
		r.RunNotes = append(r.RunNotes, "the server counts tokens in numbers that cannot be right, so they are left out")
	}
	switch {
	case errors.Is(err, errEndless) && ctx.Err() == nil:
		r.Err = fmt.Errorf("the reply was cut at %s: the server did not end it at %d tokens", infile.Size(int64(k.conf.bound())), k.conf.MaxTokens)
	case err == nil && k.reply.declined.Len() > 0 && r.Text == "":
		r.Err = k.conf.tidy("the model declines: " + k.reply.declined.String())
	case err != nil && ctx.Err() != nil:
		r.Cancelled, r.Err = true, errors.New("cancelled")
	case err != nil && k.reply.begun():
		r.Err = k.conf.tidy("the reply broke off: " + k.explain(err))
	case err != nil:
		r.Err = k.conf.tidy(k.explain(err))
	}
	return r
}
