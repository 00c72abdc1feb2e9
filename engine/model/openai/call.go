package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/openai/openai-go/v3/option"

	"playhead/engine/model"
	"playhead/parse/infile"
)

// A call is a request on its way to a reply, over as many attempts as it takes.
type call struct {
	*Client
	request model.Request
	out     io.Writer
	form    requestForm
	retries int // attempts after the first, made because of errors
	reply   partialReply
	notes   []string
}

// Reply implements model.Source.
func (c *Client) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	if c.configError != nil {
		return model.Reply{Err: c.configError}
	}
	if r.Model == "" {
		r.Model = c.conf.Model
	}
	k := &call{Client: c, request: r, out: out, form: c.firstForm()}
	return k.result(ctx, k.run(ctx))
}

// run makes attempts until one succeeds, or no other would help.
func (k *call) run(ctx context.Context) error {
	for {
		err := k.attempt(ctx)
		switch {
		case err == nil:
			k.keepForm(k.form)
			return nil
		case ctx.Err() != nil, k.reply.hasBegun():
			return err
		case k.useOlderForm(err):
		case !k.retry(ctx, err):
			return err
		}
	}
}

// schema returns how the server was told the schema of the reply, "" if it was not.
func (k *call) schema() string {
	switch {
	case k.request.Schema == nil:
		return ""
	case k.form.inPrompt:
		return model.SchemaInPrompt
	}
	return model.SchemaSent
}

// result returns the reply for the session.
func (k *call) result(ctx context.Context, err error) model.Reply {
	r := model.Reply{
		Text: k.reply.text.String(), Calls: k.reply.toolCalls(), Reasoning: k.reply.reasoning.String(),
		Model: k.reply.model, Finish: k.reply.finish, Schema: k.schema(),
		In: k.reply.in, Out: k.reply.out,
		Notes: slices.Clip(k.notes),
	}
	if k.reply.hasBadTokens {
		r.RunNotes = append(r.RunNotes, "the server reports impossible numbers of tokens, so they are left out")
	}
	switch {
	case errors.Is(err, errEndless) && ctx.Err() == nil:
		r.Err = fmt.Errorf("the reply was cut at %s: the server did not end it at %d tokens", infile.Size(int64(k.conf.bound())), k.conf.MaxTokens)
	case err == nil && k.reply.refusal.Len() > 0 && r.Text == "":
		r.Err = k.conf.safeError("the model declines: " + k.reply.refusal.String())
	case err != nil && ctx.Err() != nil:
		r.Cancelled, r.Err = true, errors.New("cancelled")
	case err != nil && k.reply.hasBegun():
		r.Err = k.conf.safeError("the reply was cut off: " + k.explain(err))
	case err != nil:
		r.Err = k.conf.safeError(k.explain(err))
	}
	return r
}

// attempt asks the server once and reads what it sends. The error is raw.
func (k *call) attempt(ctx context.Context) error {
	params, err := k.form.params(k.conf, k.request)
	if err != nil {
		return err
	}
	ctx, watch := startWatch(ctx, k.conf.Silence)
	defer watch.stop()
	var answer *http.Response
	err = k.api.Post(ctx, "chat/completions", params, &answer,
		option.WithJSONSet("stream", true),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(rejectErrors, watch.middleware))
	if err == nil {
		err = k.read(answer)
	}
	if err != nil && watch.hasTimedOut(ctx) {
		return &silence{k.conf.Silence}
	}
	return err
}

const (
	firstPause   = time.Second
	longestPause = 10 * time.Minute // a server that asks for more is not waited for
)

// retry waits until it is time for another attempt. It reports whether there is to be one.
func (k *call) retry(ctx context.Context, err error) bool {
	if k.retries >= k.conf.Retries || !isTemporary(err) {
		return false
	}
	pause := firstPause << k.retries
	if wait := retryAfter(err); wait > longestPause {
		return false
	} else if wait > 0 {
		pause = wait
	}
	k.retries++
	text := fmt.Sprintf("trying again (%d of %d): %s", k.retries, k.conf.Retries, k.explain(err))
	return k.pause(ctx, pause, text)
}

// pause waits, and says so. It reports whether ctx is still on.
func (k *call) pause(ctx context.Context, d time.Duration, text string) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	skipped := make(chan struct{})
	if k.request.Notify != nil {
		k.request.Notify(model.Notice{
			Text:  k.conf.safeError(text).Error(),
			Until: time.Now().Add(d),
			Skip:  sync.OnceFunc(func() { close(skipped) }),
		})
	}
	select {
	case <-timer.C:
	case <-skipped:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// retryAfter returns how long the server asks to wait, in seconds, milliseconds or until a date; 0
// if it does not say.
func retryAfter(err error) time.Duration {
	var r *refusal
	if !errors.As(err, &r) {
		return 0
	}
	if ms, err := strconv.ParseFloat(r.header.Get("Retry-After-Ms"), 64); err == nil {
		return span(ms, time.Millisecond)
	}
	after := r.header.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return span(s, time.Second)
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// span returns n units, limited to slightly more than the longest pause.
func span(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0)*float64(unit), float64(longestPause+time.Second)))
}
