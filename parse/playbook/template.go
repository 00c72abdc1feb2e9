package playbook

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// template is the Prompt of a text with placeholders (spec §3). Inserted values are not parsed
// again.
type template []piece

// piece is literal text, or a placeholder.
type piece struct {
	text           string // as written
	name           string // of a placeholder's variable
	defaultText    string
	hasDefaultText bool // it has a default, which may be empty
}

// placeholder is a piece with its range in a text.
type placeholder struct {
	piece
	from, to int
}

// nextPlaceholder finds the next {{name}}, {{name:type}} or {{name:type:default}} from an offset
// on.
func nextPlaceholder(text string, at int) (p placeholder, ok bool) {
	for {
		n := strings.Index(text[at:], "{{")
		if n < 0 {
			return p, false
		}
		at += n
		if p, ok = parsePlaceholder(text, at); ok {
			return p, true
		}
		at++
	}
}

// parsePlaceholder parses a placeholder whose {{ is at an offset.
func parsePlaceholder(text string, from int) (placeholder, bool) {
	p := placeholder{from: from}
	at := from + 2
	p.name, at = wordAt(text, at)
	if p.name == "" {
		return p, false
	}
	if strings.HasPrefix(text[at:], ":") {
		var kind string
		if kind, at = wordAt(text, at+1); kind == "" {
			return p, false
		}
		if strings.HasPrefix(text[at:], ":") {
			end := strings.IndexAny(text[at:], "{}\n")
			if end < 0 {
				return p, false
			}
			p.defaultText, p.hasDefaultText = text[at+1:at+end], true
			at += end
		}
	}
	if !strings.HasPrefix(text[at:], "}}") {
		return p, false
	}
	p.to = at + 2
	p.text = text[from:p.to]
	return p, true
}

// wordAt returns the \w+ at an offset, and where it ends.
func wordAt(text string, at int) (string, int) {
	end := at
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	return text[at:end], end
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// parseTemplate splits a text into pieces.
func parseTemplate(text string) template {
	if text == "" {
		return nil
	}
	t := make(template, 0, 1+2*strings.Count(text, "{{"))
	at := 0
	for p, ok := nextPlaceholder(text, 0); ok; p, ok = nextPlaceholder(text, at) {
		if p.from > at {
			t = append(t, piece{text: text[at:p.from]})
		}
		t = append(t, p.piece)
		at = p.to
	}
	if at < len(text) {
		t = append(t, piece{text: text[at:]})
	}
	return t
}

// Render implements plan.Prompt. For a nil scope, placeholders stay as written.
func (t template) Render(scope plan.Scope) (plan.Rendered, error) {
	var b strings.Builder
	var warnings []plan.RunWarning
	for _, p := range t {
		text, ok := p.value(scope)
		b.WriteString(text)
		if !ok {
			warnings = addUndefinedPlaceholderWarning(warnings, p)
		}
	}
	return plan.Rendered{Text: b.String(), Warnings: warnings}, nil
}

// value returns the value of a piece. If nothing defines it, it returns the piece's text and false.
// Inputs with a default are variables from the start, so this is the order of spec §3.
func (p piece) value(scope plan.Scope) (text string, ok bool) {
	if p.name == "" || scope == nil {
		return p.text, true
	}
	if v, ok := scope.Var(p.name); ok {
		return plan.ValueText(v), true
	}
	if p.hasDefaultText {
		return p.defaultText, true
	}
	return p.text, false
}

// addUndefinedPlaceholderWarning adds a warning for a placeholder that nothing defines, once for each name.
func addUndefinedPlaceholderWarning(warnings []plan.RunWarning, p piece) []plan.RunWarning {
	n := plan.RunWarning{Code: Format + "/placeholder-undefined", Message: fmt.Sprintf("nothing defines %q: %s stays as it is", p.name, p.text)}
	if slices.Contains(warnings, n) {
		return warnings
	}
	return append(warnings, n)
}
