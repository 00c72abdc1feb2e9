package playbook

import (
	"encoding/json"
	"strings"

	"playhead/parse/plan"
)

// tool is an @tool: a tool call instead of the model's call (spec §5).
type tool struct {
	place        place
	server, name string
	args         string // JSON as written, with placeholders
	argsPlace    place
}

const toolExample = `write it like: @tool(server, tool, {"key": "value"})`

func (d *document) readToolDirective(p *stepPart, inner string, at place) {
	parts := strings.SplitN(inner, ",", 3)
	t := &tool{place: at, server: unquote(parts[0])}
	if len(parts) > 1 {
		t.name = unquote(parts[1])
	}
	if t.server == "" || t.name == "" || strings.ContainsAny(t.name[:1], "{'") {
		d.add(at, finding{"tool-arguments", "a tool call needs a server and a tool: this one is ignored", toolExample})
		return
	}
	if len(parts) > 2 {
		t.args = strings.TrimSpace(parts[2])
		t.argsPlace = place{at.Line, at.Offset + len(inner) - len(strings.TrimLeft(parts[2], blankCharacters))}
		if !toolArguments(parseTemplate(t.args)).isJSONObject() {
			d.add(t.argsPlace, finding{"tool-arguments", "the third argument is not a JSON object", toolExample})
		}
	}
	if p.tool != nil {
		d.warnRepeatedDirective("tool", p.tool.place, at)
	}
	p.tool = t
}

// unquote trims a name and removes its quotes.
func unquote(name string) string {
	name = strings.TrimSpace(name)
	if n := len(name); n > 1 && name[0] == '"' && name[n-1] == '"' {
		name = strings.TrimSpace(name[1 : n-1])
	}
	return name
}

// toAction converts the call. args is the span of its arguments.
func (t *tool) toAction(at, args plan.Span) plan.Action {
	work, text := plan.Tool{Server: t.server, Name: t.name}, plan.TextLocation{}
	if t.args != "" {
		work.Args, text = toolArguments(parseTemplate(t.args)), plan.TextLocation{Span: args, IsInlineJSON: true}
	}
	return plan.Action{Span: at, Work: work, TextLocation: text}
}

// toolArguments is the Prompt of JSON with placeholders (spec §5). Inside a string, a value is escaped.
// Elsewhere, it is inserted as JSON if its text is JSON, and as a string otherwise. So no value can
// change the JSON around it.
type toolArguments template

// Render implements plan.Prompt. For a nil scope, placeholders stay as written.
func (a toolArguments) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return template(a).Render(nil)
	}
	var warnings []plan.RunWarning
	text := a.joinPieces(func(p piece, inString bool) string {
		value, ok := p.value(scope)
		if !ok {
			warnings = addUndefinedPlaceholderWarning(warnings, p)
		}
		return jsonForInsertion(value, inString, ok)
	})
	return plan.Rendered{Text: text, Warnings: warnings}, nil
}

var _ plan.EditablePrompt = toolArguments{}

// EditableText implements plan.EditablePrompt.
func (a toolArguments) EditableText() string { return plan.SourceText(a) }

// WithText implements plan.EditablePrompt.
func (a toolArguments) WithText(text string) plan.Prompt { return toolArguments(parseTemplate(text)) }

// joinPieces joins the pieces and tracks where strings begin and end.
func (a toolArguments) joinPieces(value func(p piece, inString bool) string) string {
	var b strings.Builder
	inString, escaped := false, false
	for _, p := range a {
		if p.name != "" {
			if escaped { // otherwise it would escape the first character of the value
				b.WriteByte('\\')
			}
			b.WriteString(value(p, inString))
			escaped = false
			continue
		}
		b.WriteString(p.text)
		for i := range len(p.text) {
			switch c := p.text[i]; {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = inString
			case c == '"':
				inString = !inString
			}
		}
	}
	return b.String()
}

// jsonForInsertion returns the JSON for a value. An undefined value is inserted as a string.
func jsonForInsertion(value string, inString, defined bool) string {
	if inString {
		s := jsonString(value)
		return s[1 : len(s)-1]
	}
	if defined && json.Valid([]byte(value)) {
		return value
	}
	return jsonString(value)
}

// jsonString returns a text as a JSON string.
func jsonString(text string) string {
	encoded, _ := plan.EncodeJSON(text) // a string can always be encoded
	return string(encoded)
}

// isJSONObject reports whether the text is a JSON object once each placeholder has a value.
func (a toolArguments) isJSONObject() bool {
	text := strings.TrimSpace(a.joinPieces(func(_ piece, inString bool) string {
		if inString {
			return "x"
		}
		return "0"
	}))
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}
