package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"strconv"
	"strings"
)

// A fault is what an error answer says.
type fault struct {
	message    string
	code       string // as the server calls it
	isStandard bool   // it was JSON in one of the shapes that servers use
}

// status is the HTTP status that a fault within a stream gives as its code, or 0.
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

// plainJSON is a JSON text, or what a JSON string says.
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

// pageTitle is the title of a web page, and any other text as it is.
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
