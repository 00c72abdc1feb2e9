package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"strconv"
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

// rejectErrors is HTTP middleware that lets streams through and turns everything else into a
// refusal. The library would drop the status of errors that are not JSON.
func rejectErrors(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err != nil {
		return nil, err
	}
	body := bufio.NewReader(answer.Body)
	if answer.StatusCode == http.StatusOK && isStream(answer.Header.Get("Content-Type"), body) {
		answer.Body = bufferedBody{body, answer.Body}
		return answer, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxErrorText))
	if err != nil && len(text) == 0 && answer.StatusCode == http.StatusOK {
		return nil, err
	}
	return nil, &refusal{answer.StatusCode, answer.Header, text, readFault(text)}
}

// bufferedBody is a body of which something was read ahead.
type bufferedBody struct {
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

// A fault is what an error answer says.
type fault struct {
	message    string
	code       string // as the server calls it
	isStandard bool   // it was JSON in one of the shapes that servers use
}

// status returns the HTTP status that a fault within a stream gives as its code, or 0.
func (f fault) status() int {
	n, err := strconv.Atoi(f.code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// readFault reads the body of an error: {"error": {"message"}}, {"error": "…"},
// {"message"}, {"detail"}, a web page, or text.
func readFault(body []byte) fault {
	var shape struct {
		Error, Detail json.RawMessage
		Message       string
		Code          any
	}
	body = bytes.TrimSpace(body)
	if json.Unmarshal(body, &shape) != nil {
		return fault{message: pageTitle(string(body))}
	}
	if isPresent(shape.Error) {
		return errorFault(shape.Error)
	}
	f := fault{message: cmp.Or(shape.Message, plainJSON(shape.Detail)), code: codeText(shape.Code)}
	f.isStandard = f.message != ""
	if !f.isStandard {
		f.message = string(body)
	}
	return f
}

// errorFault reads the value of "error".
func errorFault(raw json.RawMessage) fault {
	var object struct {
		Message    string
		Code, Type any
	}
	if json.Unmarshal(raw, &object) != nil || object.Message == "" {
		return fault{message: plainJSON(raw), isStandard: true}
	}
	return fault{message: object.Message, code: cmp.Or(codeText(object.Code), codeText(object.Type)), isStandard: true}
}

func isPresent(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// plainJSON returns the content of a JSON string, or other JSON as it is.
func plainJSON(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// codeText writes a code that is a name or a number.
func codeText(code any) string {
	switch code := code.(type) {
	case string:
		return code
	case float64:
		return strconv.FormatFloat(code, 'f', -1, 64)
	}
	return ""
}

// pageTitle returns the title of a web page; any other text is returned as it is.
func pageTitle(body string) string {
	lower := strings.ToLower(body)
	if !strings.HasPrefix(lower, "<") {
		return body
	}
	from, to := strings.Index(lower, "<title>"), strings.Index(lower, "</title>")
	if from < 0 || to < from || len(lower) != len(body) {
		return "it sent a web page"
	}
	return html.UnescapeString(strings.TrimSpace(body[from+len("<title>") : to]))
}
