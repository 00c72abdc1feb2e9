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

// maxErrorBytes limits how much of an error answer is read, in bytes.
const maxErrorBytes = 64 << 10

// A serverError is an error that the server reports: an answer that is not a stream, or an error in a
// stream.
type serverError struct {
	httpStatus int // 0: within the stream
	header     http.Header
	body       []byte
	details    errorDetails
}

func (s *serverError) Error() string { return s.details.message }

// rejectNonStreams is HTTP middleware that lets streams through and turns everything else into a
// serverError. The library would drop the status of errors that are not JSON.
func rejectNonStreams(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err != nil {
		return nil, err
	}
	body := bufio.NewReader(answer.Body)
	if answer.StatusCode == http.StatusOK && isEventStream(answer.Header.Get("Content-Type"), body) {
		answer.Body = bufferedBody{body, answer.Body}
		return answer, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(body, maxErrorBytes))
	if err != nil && len(text) == 0 && answer.StatusCode == http.StatusOK {
		return nil, err
	}
	return nil, &serverError{answer.StatusCode, answer.Header, text, parseErrorDetails(text)}
}

// bufferedBody is a body of which the beginning was already read.
type bufferedBody struct {
	io.Reader
	io.Closer
}

// isEventStream reports whether an answer is a stream of events, by its content type or by its first bytes,
// because some servers send a wrong content type or none.
func isEventStream(kind string, body *bufio.Reader) bool {
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

// errorDetails are the content of an error answer.
type errorDetails struct {
	message    string
	code       string // the server's code for the error
	isStandard bool   // the answer was JSON in one of the usual forms
}

// statusFromCode returns the HTTP status that an error within a stream has as its code, or 0.
func (e errorDetails) statusFromCode() int {
	n, err := strconv.Atoi(e.code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// parseErrorDetails reads the body of an error: {"error": {"message"}}, {"error": "…"},
// {"message"}, {"detail"}, a web page, or text.
func parseErrorDetails(body []byte) errorDetails {
	var shape struct {
		Error, Detail json.RawMessage
		Message       string
		Code          any
	}
	body = bytes.TrimSpace(body)
	if json.Unmarshal(body, &shape) != nil {
		return errorDetails{message: htmlPageTitle(string(body))}
	}
	if isPresent(shape.Error) {
		return detailsOfErrorField(shape.Error)
	}
	f := errorDetails{message: cmp.Or(shape.Message, textOfJSON(shape.Detail)), code: errorCodeText(shape.Code)}
	f.isStandard = f.message != ""
	if !f.isStandard {
		f.message = string(body)
	}
	return f
}

// detailsOfErrorField reads the value of the key "error" in an error answer.
func detailsOfErrorField(raw json.RawMessage) errorDetails {
	var object struct {
		Message    string
		Code, Type any
	}
	if json.Unmarshal(raw, &object) != nil || object.Message == "" {
		return errorDetails{message: textOfJSON(raw), isStandard: true}
	}
	return errorDetails{message: object.Message, code: cmp.Or(errorCodeText(object.Code), errorCodeText(object.Type)), isStandard: true}
}

func isPresent(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// textOfJSON returns the content of a JSON string, or other JSON as it is.
func textOfJSON(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}

// errorCodeText returns a code, which may be a string or a number, as text.
func errorCodeText(code any) string {
	switch code := code.(type) {
	case string:
		return code
	case float64:
		return strconv.FormatFloat(code, 'f', -1, 64)
	}
	return ""
}

// htmlPageTitle returns the title of a web page, or a sentence if the page has none. Any other text is returned
// as it is.
func htmlPageTitle(body string) string {
	lower := strings.ToLower(body)
	if !strings.HasPrefix(lower, "<") {
		return body
	}
	from, to := strings.Index(lower, "<title>"), strings.Index(lower, "</title>")
	if from < 0 || to < from || len(lower) != len(body) {
		return "the server sent a web page"
	}
	return html.UnescapeString(strings.TrimSpace(body[from+len("<title>") : to]))
}
