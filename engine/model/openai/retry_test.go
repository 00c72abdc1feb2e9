package openai_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"playhead/engine/model"
)

// notices are the texts of the notices, and the length of each announced pause.
type notices struct {
	texts  []string
	pauses []time.Duration
}

func (n *notices) take(m model.Notice) {
	n.texts = append(n.texts, m.Text)
	n.pauses = append(n.pauses, time.Until(m.RetryAt))
}

func TestRetries(t *testing.T) {
	busy := status(429, `{"error":{"message":"slow down, `+key+`"}}`)
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	date := func(w http.ResponseWriter, r *http.Request) {
		at := time.Now().Add(30 * time.Second).UTC().Format(http.TimeFormat)
		status(503, "", "Retry-After", at)(w, r)
	}
	for name, c := range map[string]struct {
		answers []answer
		pauses  []time.Duration
		want    string // part of the error; "" if there is none
	}{
		"busy twice":      {[]answer{busy, busy, whole}, []time.Duration{1e9, 2e9}, ""},
		"always busy":     {[]answer{busy}, []time.Duration{1e9, 2e9, 4e9}, "the server limits requests (429): slow down, •••"},
		"seconds":         {[]answer{status(429, "", "Retry-After", "7"), busy, whole}, []time.Duration{7e9, 2e9}, ""},
		"parts of one":    {[]answer{status(429, "", "Retry-After-Ms", "250"), whole}, []time.Duration{25e7}, ""},
		"date":            {[]answer{date, whole}, []time.Duration{30e9}, ""},
		"nonsense":        {[]answer{status(429, "", "Retry-After", "soon"), status(429, "", "Retry-After", "-3"), whole}, []time.Duration{1e9, 2e9}, ""},
		"failed":          {[]answer{status(500, "oops"), status(502, "<title>Bad</title>"), status(503, ""), whole}, []time.Duration{1e9, 2e9, 4e9}, ""},
		"timed out there": {[]answer{status(408, ""), whole}, []time.Duration{1e9}, ""},
		"cut off":         {[]answer{cut, whole}, []time.Duration{1e9}, ""},
		"empty stream":    {[]answer{stream(), whole}, []time.Duration{1e9}, ""},
		"error in stream": {[]answer{stream(`{"error":{"message":"x","code":502}}`), whole}, []time.Duration{1e9}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var told notices
				r := serve(t, c.answers...).ask(t, model.Request{ShowNotice: told.take})
				if !slices.Equal(round(told.pauses), c.pauses) {
					t.Errorf("pauses %v: %q", told.pauses, told.texts)
				}
				switch {
				case c.want == "" && (r.Err != nil || r.Text != "Hello"):
					t.Errorf("%+v", r)
				case c.want != "" && (r.Err == nil || !strings.Contains(r.Err.Error(), c.want)):
					t.Errorf("%v", r.Err)
				}
				for i, text := range told.texts {
					checkError(t, text)
					if !strings.HasSuffix(text, fmt.Sprintf(": retry %d of 3", i+1)) {
						t.Error(text)
					}
				}
			})
		})
	}
}

// round rounds the pauses, because a date has no fractions of a second.
func round(pauses []time.Duration) []time.Duration {
	for i, p := range pauses {
		pauses[i] = p.Round(10 * time.Millisecond)
	}
	return pauses
}

func TestNoRetries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(500, ""))
		s.MaxRetries = -1
		if r := s.ask(t, model.Request{}); r.Err == nil || len(s.requests()) != 1 {
			t.Errorf("%d calls, %v", len(s.requests()), r.Err)
		}
	})
}

func TestSkip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(429, "", "Retry-After", "300"), whole)
		start := time.Now()
		r := s.ask(t, model.Request{ShowNotice: func(n model.Notice) { n.RetryNow(); n.RetryNow() }})
		if r.Err != nil || time.Since(start) > time.Second {
			t.Errorf("after %v: %+v", time.Since(start), r)
		}
	})
}
