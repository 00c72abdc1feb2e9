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

// Reply implements model.ReplySource. It retries, as Config says, until a part of the reply has arrived.
func (c *Client) Reply(ctx context.Context, r model.Request, out io.Writer) model.Reply {
	if c.configError != nil {
		return model.Reply{Err: c.configError}
	}
	if r.ModelName == "" {
		r.ModelName = c.config.DefaultModel
	}
	m := &modelCall{Client: c, request: r, output: out, requestForm: c.initialForm()}
	return m.newReply(ctx, m.makeAttempts(ctx))
}

// makeAttempts makes attempts until one succeeds or another attempt would not help.
func (m *modelCall) makeAttempts(ctx context.Context) error {
	for {
		err := m.attemptOnce(ctx)
		switch {
		case err == nil:
			m.storeForm(m.requestForm)
			return nil
		case ctx.Err() != nil, m.partialReply.hasBegun():
			return err
		case m.useOlderForm(err):
		case !m.waitForRetry(ctx, err):
			return err
		}
	}
}

// schemaMethod returns how the server was told the schema of the reply, "" if it was not.
func (m *modelCall) schemaMethod() string {
	switch {
	case m.request.ReplySchema == nil:
		return ""
	case m.requestForm.putsSchemaInPrompt:
		return model.SchemaInPrompt
	}
	return model.SchemaInResponseFormat
}

// newReply returns the reply for the session. err is the error of makeAttempts.
func (m *modelCall) newReply(ctx context.Context, err error) model.Reply {
	r := model.Reply{
		Text: m.partialReply.text.String(), WantedCalls: m.partialReply.toolCalls(), Reasoning: m.partialReply.reasoning.String(),
		ModelName: m.partialReply.modelName, FinishReason: m.partialReply.finishReason, SchemaMethod: m.schemaMethod(),
		InputTokens: m.partialReply.inputTokens, OutputTokens: m.partialReply.outputTokens,
		CallWarnings: slices.Clip(m.warnings),
	}
	if m.partialReply.hasInvalidUsage {
		r.OncePerRunWarnings = append(r.OncePerRunWarnings, "the server reports impossible token counts, so Playhead ignores them")
	}
	switch {
	case errors.Is(err, errEndlessReply) && ctx.Err() == nil && m.partialReply.emptyPieceCount > maxEmptyPieces:
		r.Err = fmt.Errorf("the server did not end the reply: it sent more than %d empty chunks", maxEmptyPieces)
	case errors.Is(err, errEndlessReply) && ctx.Err() == nil:
		r.Err = fmt.Errorf("the reply was cut off at %s: the server ignored the limit of %d tokens", infile.FormatSize(int64(m.config.replyByteLimit())), m.config.MaxReplyTokens)
	case err == nil && m.partialReply.refusal.Len() > 0 && r.Text == "":
		r.Err = m.config.safeError("the model refused to reply: " + m.partialReply.refusal.String())
	case err != nil && ctx.Err() != nil:
		r.IsCancelled, r.Err = true, errors.New("cancelled")
	case err != nil && m.partialReply.hasBegun():
		r.Err = m.config.safeError("the reply was cut off: " + m.explainError(err))
	case err != nil:
		r.Err = m.config.safeError(m.explainError(err))
	}
	return r
}

// attemptOnce sends the request once and reads the answer. The error is not sanitized.
func (m *modelCall) attemptOnce(ctx context.Context) error {
	params, err := m.requestForm.newParams(m.config, m.request)
	if err != nil {
		return err
	}
	ctx, silence := startSilenceTimer(ctx, m.config.SilenceTimeout)
	defer silence.stop()
	var answer *http.Response
	err = m.apiClient.Post(ctx, "chat/completions", params, &answer,
		option.WithJSONSet("stream", true),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(rejectNonStreams, readInBatches, silence.resetOnRead))
	if err == nil {
		err = m.readStream(answer)
	}
	if err != nil && errors.Is(context.Cause(ctx), errSilenceTimeout) {
		return &silenceError{m.config.SilenceTimeout}
	}
	return err
}

const (
	firstRetryPause = time.Second
	maxRetryPause   = 10 * time.Minute // if a server asks for a longer pause, the call fails
)

// waitForRetry waits until the next attempt after one that failed with err. It returns false if there should be
// none.
func (m *modelCall) waitForRetry(ctx context.Context, err error) bool {
	if m.retryCount >= m.config.MaxRetries || !isTemporary(err) {
		return false
	}
	pause := firstRetryPause << m.retryCount
	if wait := retryAfter(err); wait > maxRetryPause {
		return false
	} else if wait > 0 {
		pause = wait
	}
	m.retryCount++
	text := fmt.Sprintf("%s: retry %d of %d", m.explainError(err), m.retryCount, m.config.MaxRetries)
	return m.pauseWithNotice(ctx, pause, text)
}

// pauseWithNotice waits and shows a notice meanwhile. It returns false if ctx has ended.
func (m *modelCall) pauseWithNotice(ctx context.Context, d time.Duration, text string) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	skipped := make(chan struct{})
	if m.request.ShowNotice != nil {
		m.request.ShowNotice(model.Notice{
			Text:     m.config.safeError(text).Error(),
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
