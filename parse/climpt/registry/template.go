package registry

import (
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// retryTemplate is a parsed retry prompt (spec §10): literal text, values, conditions and loops.
type retryTemplate []block

// block is one part of a template.
type block struct {
	Kind blockKind
	Text text          // of literal text
	Path string        // of a value, a condition, a loop
	Then retryTemplate // of a condition, a loop
	Else retryTemplate
}

type blockKind int

const (
	literal blockKind = iota
	value
	choice
	loop
)

var tag = regexp.MustCompile(`\{\{(?:(#if|#each) (\w+(?:\.\w+)*)|(else)|(/if)|(/each)|(\w+(?:\.\w+)*))\}\}`)

// token is a tag, or the text before one.
type token struct{ text, open, path, close string }

// parseTemplate parses a retry prompt. Tags that do not match stay text; stray reports whether
// there are any.
func parseTemplate(s string) (t retryTemplate, stray bool) {
	p := &templateParser{tokens: tokens(s)}
	t = p.blocks("")
	return t, p.stray
}

func tokens(s string) []token {
	var out []token
	at := 0
	for _, m := range tag.FindAllStringSubmatchIndex(s, -1) {
		if m[0] > at {
			out = append(out, token{text: s[at:m[0]]})
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		k := token{text: s[m[0]:m[1]], open: group(1), path: group(2) + group(6), close: group(3) + group(4) + group(5)}
		out = append(out, k)
		at = m[1]
	}
	if at < len(s) {
		out = append(out, token{text: s[at:]})
	}
	return out
}

// templateParser matches opening and closing tags.
type templateParser struct {
	tokens []token
	at     int
	depth  int
	stray  bool
}

// maxNested limits how deep blocks nest.
const maxNested = 100

// blocks parses up to the tag that closes the current block, /if, /each or else, and stays there.
// At the top level nothing closes.
func (p *templateParser) blocks(closes string) retryTemplate {
	var out retryTemplate
	for p.at < len(p.tokens) {
		k := p.tokens[p.at]
		switch {
		case k.close != "" && closes != "" && (k.close == closes || k.close == "else" && closes == "/if"):
			return out
		case k.open != "":
			out = append(out, p.open(k)...)
		case k.close != "":
			p.stray = true
			p.at++
			out = append(out, literally(k.text))
		case k.path != "":
			p.at++
			out = append(out, block{Kind: value, Path: k.path})
		default:
			p.at++
			out = append(out, literally(k.text))
		}
	}
	return out
}

func literally(s string) block { return block{Text: splitPlaceholders(s, stepVariableName)} }

// open parses the block that a tag opens. A tag that is not closed stays text, and its content is
// parsed on its own.
func (p *templateParser) open(k token) retryTemplate {
	start := p.at
	b := block{Kind: choice, Path: k.path}
	closes := "/if"
	if k.open == "#each" {
		b.Kind, closes = loop, "/each"
	}
	if p.depth++; p.depth < maxNested && p.closed(start, closes) {
		p.at++
		b.Then = p.blocks(closes)
		if p.here("else") {
			p.at++
			b.Else = p.blocks(closes)
		}
		if p.here(closes) {
			p.at++
			p.depth--
			return retryTemplate{b}
		}
	}
	p.depth--
	p.stray = true
	p.at = start + 1
	return retryTemplate{literally(k.text)}
}

// closed reports whether the tag at from has a matching closing tag.
func (p *templateParser) closed(from int, closes string) bool {
	opens := map[string]string{"/if": "#if", "/each": "#each"}[closes]
	open := 0
	for _, k := range p.tokens[from:] {
		switch {
		case k.open == opens:
			open++
		case k.close == closes:
			open--
		}
		if open == 0 {
			return true
		}
	}
	return false
}

func (p *templateParser) here(closes string) bool {
	return p.at < len(p.tokens) && p.tokens[p.at].close == closes
}

// params are the values for a template. this is the current item of a loop.
type params struct {
	values map[string]any
	this   any
	inLoop bool
}

// render fills in the template; f fills in its literal text.
func (t retryTemplate) render(p params, f *textFiller) (string, error) {
	var out strings.Builder
	for _, b := range t {
		s, err := b.render(p, f)
		if err != nil {
			return "", err
		}
		out.WriteString(s)
	}
	return out.String(), nil
}

func (b block) render(p params, f *textFiller) (string, error) {
	switch b.Kind {
	case value:
		return p.text(b.Path), nil
	case choice:
		if truthy(p.lookup(b.Path)) {
			return b.Then.render(p, f)
		}
		return b.Else.render(p, f)
	case loop:
		var out strings.Builder
		items, _ := p.lookup(b.Path).([]any)
		for _, item := range items {
			s, err := b.Then.render(params{p.values, item, true}, f)
			if err != nil {
				return "", err
			}
			out.WriteString(s)
		}
		return out.String(), nil
	}
	return f.fill(b.Text)
}

// literals returns all literal texts of the template.
func (t retryTemplate) literals() text {
	var out text
	for _, b := range t {
		out = append(out, b.Text...)
		out = append(out, b.Then.literals()...)
		out = append(out, b.Else.literals()...)
	}
	return out
}

// lookup follows a path, and returns nil if there is no value.
func (p params) lookup(path string) any {
	if rest, ok := strings.CutPrefix(path, "this"); ok && p.inLoop && (rest == "" || rest[0] == '.') {
		if rest == "" {
			return p.this
		}
		o, _ := p.this.(map[string]any)
		v, _ := valueAt(o, rest[1:])
		return v
	}
	v, _ := valueAt(p.values, path)
	return v
}

// text returns a value for a prompt: a list is joined, an object is JSON.
func (p params) text(path string) string {
	v := p.lookup(path)
	list, ok := v.([]any)
	if !ok {
		return plan.TextOf(v)
	}
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i] = plan.TextOf(item)
	}
	return strings.Join(parts, ", ")
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case int:
		return v != 0
	}
	text := plan.TextOf(v)
	return text != "0" && text != "-0"
}
