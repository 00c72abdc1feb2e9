package openai

import (
	"fmt"
	"net/http"
	"strings"
)

// explainRefusal says what an answer means that is no reply.
func (k *call) explainRefusal(r *refusal) string {
	said := r.said.message
	switch r.status {
	case 0:
		return withDetail("the server reports an error", said)
	case http.StatusOK:
		return withDetail("the server did not send a stream but "+r.kind(), said)
	case http.StatusUnauthorized:
		if k.conf.Key == "" {
			return withDetail("the server asks for a key, and none is set", said)
		}
		return withDetail("the server does not accept the key", said)
	case http.StatusForbidden:
		return withDetail("the server does not allow it", said)
	case http.StatusNotFound:
		return k.explainMissing(r)
	case http.StatusTooManyRequests:
		return k.explainBusy(r)
	}
	return withDetail(ofStatus(r), said)
}

// ofStatus is for statuses that need no more than their number.
func ofStatus(r *refusal) string {
	switch {
	case r.status >= 500:
		return fmt.Sprintf("the server failed (%d)", r.status)
	case r.status >= 400:
		return fmt.Sprintf("the server refuses the request (%d)", r.status)
	case r.status >= 300:
		return fmt.Sprintf("the server is elsewhere (%d), %s: is the base URL right?", r.status, r.header.Get("Location"))
	}
	return fmt.Sprintf("the server answered with status %d", r.status)
}

// explainMissing tells a model that is not there from a path that is not.
func (k *call) explainMissing(r *refusal) string {
	if r.said.known && strings.Contains(strings.ToLower(r.said.message), "model") {
		return withDetail(fmt.Sprintf("the server has no model %q", k.request.Model), r.said.message)
	}
	at := hidePassword(k.base.JoinPath("chat/completions"))
	return withDetail("there is nothing at "+at+" (404), and base URLs mostly end in /v1", r.said.message)
}

func (k *call) explainBusy(r *refusal) string {
	if r.spent() {
		return withDetail("the account has nothing left to spend", r.said.message)
	}
	if askedPause(r) > longestPause {
		return withDetail("the server has had too many requests (429), and asks for more than 10 minutes of patience", r.said.message)
	}
	return withDetail("the server has had too many requests (429)", r.said.message)
}

// kind is the content type of an answer, in a word.
func (r *refusal) kind() string {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if kind == "" {
		return "something else"
	}
	return kind
}
