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

// A modelCall makes one request, in as many attempts as are necessary, and collects the reply.
type modelCall struct {
	*Client
	request      model.Request
	output       io.Writer
	requestForm  requestForm
	retryCount   int // the number of attempts after the first that were made because of errors
	partialReply partialReply
	warnings     []string
}

// Reply implements model.ReplySource.
func (c *Client) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	if c.configError != nil {
		return model.Reply{Err: c.configError}
	}
	if r.ModelName == "" {
		r.ModelName = c.config.DefaultModel
	}
	k := &modelCall{Client: c, request: r, output: out, requestForm: c.initialForm()}
	return k.newReply(ctx, k.makeAttempts(ctx))
}

// makeAttempts makes attempts until one succeeds or another attempt would not help.
func (k *modelCall) makeAttempts(ctx context.Context) error {
	for {
		err := k.attemptOnce(ctx)
		switch {
		case err == nil:
			k.storeForm(k.requestForm)
			return nil
		case ctx.Err() != nil, k.partialReply.hasBegun():
			return err
		case k.useOlderForm(err):
		case !k.waitForRetry(ctx, err):
			return err
		}
	}
}

// schemaMethod returns how the server was told the schema of the reply, "" if it was not.
func (k *modelCall) schemaMethod() string {
	switch {
	case k.request.ReplySchema == nil:
		return ""
	case k.requestForm.putsSchemaInPrompt:
		return model.SchemaInPrompt
	}
	return model.SchemaInResponseFormat
}

// newReply returns the reply for the session.
func (k *modelCall) newReply(ctx context.Context, err error) model.Reply {
	r := model.Reply{
		Text: k.partialReply.text.String(), WantedCalls: k.partialReply.toolCalls(), Reasoning: k.partialReply.reasoning.String(),
		ModelName: k.partialReply.modelName, FinishReason: k.partialReply.finishReason, SchemaMethod: k.schemaMethod(),
		InputTokens: k.partialReply.inputTokens, OutputTokens: k.partialReply.outputTokens,
		CallWarnings: slices.Clip(k.warnings),
	}
	if k.partialReply.hasInvalidUsage {
		r.OncePerRunWarnings = append(r.OncePerRunWarnings, "the server reports impossible numbers of tokens, so Playhead does not count them")
	}
	switch {
	case errors.Is(err, errEndlessReply) && ctx.Err() == nil:
		r.Err = fmt.Errorf("the reply was cut at %s: the server ignored the limit of %d tokens", infile.FormatSize(int64(k.config.replyByteLimit())), k.config.MaxReplyTokens)
	case err == nil && k.partialReply.refusal.Len() > 0 && r.Text == "":
		r.Err = k.config.safeError("the model refused to reply: " + k.partialReply.refusal.String())
	case err != nil && ctx.Err() != nil:
		r.IsCancelled, r.Err = true, errors.New("cancelled")
	case err != nil && k.partialReply.hasBegun():
		r.Err = k.config.safeError("the reply was cut off: " + k.explainError(err))
	case err != nil:
		r.Err = k.config.safeError(k.explainError(err))
	}
	return r
}

// attemptOnce sends the request once and reads the answer. The error is not sanitized.
func (k *modelCall) attemptOnce(ctx context.Context) error {
	params, err := k.requestForm.newParams(k.config, k.request)
	if err != nil {
		return err
	}
	ctx, watch := startSilenceTimer(ctx, k.config.SilenceTimeout)
	defer watch.stop()
	var answer *http.Response
	err = k.apiClient.Post(ctx, "chat/completions", params, &answer,
		option.WithJSONSet("stream", true),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(rejectNonStreams, watch.resetOnRead))
	if err == nil {
		err = k.readStream(answer)
	}
	if err != nil && watch.hasTimedOut(ctx) {
		return &silenceError{k.config.SilenceTimeout}
	}
	return err
}

const (
	firstRetryPause = time.Second
	maxRetryPause   = 10 * time.Minute // if a server asks for a longer pause, the call fails
)

// waitForRetry waits until the next attempt. It returns false if there should be none.
func (k *modelCall) waitForRetry(ctx context.Context, err error) bool {
	if k.retryCount >= k.config.MaxRetries || !isTemporary(err) {
		return false
	}
	pause := firstRetryPause << k.retryCount
	if wait := retryAfter(err); wait > maxRetryPause {
		return false
	} else if wait > 0 {
		pause = wait
	}
	k.retryCount++
	text := fmt.Sprintf("%s: retry %d of %d", k.explainError(err), k.retryCount, k.config.MaxRetries)
	return k.pauseWithNotice(ctx, pause, text)
}

// pauseWithNotice waits and shows a notice meanwhile. It returns false if ctx has ended.
func (k *modelCall) pauseWithNotice(ctx context.Context, d time.Duration, text string) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	skipped := make(chan struct{})
	if k.request.ShowNotice != nil {
		k.request.ShowNotice(model.Notice{
			Text:     k.config.safeError(text).Error(),
			RetryAt:  time.Now().Add(d),
			RetryNow: sync.OnceFunc(func() { close(skipped) }),
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
	var r *serverError
	if !errors.As(err, &r) {
		return 0
	}
	if ms, err := strconv.ParseFloat(r.header.Get("Retry-After-Ms"), 64); err == nil {
		return cappedDuration(ms, time.Millisecond)
	}
	after := r.header.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return cappedDuration(s, time.Second)
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// cappedDuration returns n units, limited to slightly more than the longest pause.
func cappedDuration(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0)*float64(unit), float64(maxRetryPause+time.Second)))
}
