package openai

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3/option"
)

// maxErrorText is how much of an answer that is no stream is read.
const maxErrorText = 64 << 10

// A refusal is an answer that is no stream of pieces, or an error within a stream.
type refusal struct {
	status int // 0: within the stream
	header http.Header
	body   []byte
	fault  fault
}

func (r *refusal) Error() string { return r.fault.message }

// admit is a middleware that lets streams through, and makes a refusal of everything else.
// The library would drop the status of errors that are not JSON.
func admit(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err != nil {
		return nil, err
	}
	body := bufio.NewReader(answer.Body)
	if answer.StatusCode == http.StatusOK && isStream(answer.Header.Get("Content-Type"), body) {
		answer.Body = peekedBody{body, answer.Body}
		return answer, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxErrorText))
	if err != nil && len(text) == 0 && answer.StatusCode == http.StatusOK {
		return nil, err
	}
	return nil, &refusal{answer.StatusCode, answer.Header, text, readFault(text)}
}

// peekedBody is a body of which something was read ahead.
type peekedBody struct {
	io.Reader
	io.Closer
}

// isStream believes a content type that says so. Servers that send another one, or none, are
// judged by how they begin.
func isStream(kind string, body *bufio.Reader) bool {
	if strings.Contains(strings.ToLower(kind), "event-stream") {
		return true
	}
	head, _ := body.Peek(len("event:"))
	for _, field := range []string{"data:", "event:", "id:", ":"} {
		if bytes.HasPrefix(head, []byte(field)) {
			return true
		}
	}
	return false
}
