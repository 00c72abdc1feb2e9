package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"playhead/engine/model"
)

const (
	firstPause   = time.Second
	longestPause = 10 * time.Minute // a server that asks for more is not waited for
)

// retry waits until it is time for another attempt. It reports whether there is to be one.
func (k *call) retry(ctx context.Context, err error) bool {
	if k.again >= k.conf.Retries || !passes(err) {
		return false
	}
	pause := firstPause << k.again
	if asked := askedPause(err); asked > longestPause {
		return false
	} else if asked > 0 {
		pause = asked
	}
	k.again++
	text := fmt.Sprintf("trying again (%d of %d): %s", k.again, k.conf.Retries, k.explain(err))
	return k.pause(ctx, pause, text)
}

// pause waits, and says so. It reports whether ctx is still on.
func (k *call) pause(ctx context.Context, d time.Duration, text string) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	skipped := make(chan struct{})
	if k.request.Notify != nil {
		k.request.Notify(model.Notice{
			Text:  k.conf.tidy(text).Error(),
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

// askedPause is how long the server asks to wait: seconds, milliseconds or a date. 0: it does
// not say.
func askedPause(err error) time.Duration {
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

// span is n units, and no more than a little over the longest pause.
func span(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0)*float64(unit), float64(longestPause+time.Second)))
}
