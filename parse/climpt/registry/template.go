package registry

import (
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// template is a retry prompt taken apart (spec §10): literal text with its
// placeholders, values, conditions and loops.
type template []block

// block is one part of a template.
type block struct {
	Kind blockKind
	Text text     // of literal text
	Path string   // of a value, a condition, a loop
	Then template // of a condition, a loop
	Else template
}

type blockKind int

const (
	literal blockKind = iota
	value
	choice
	loop
)

var tag = regexp.MustCompile(`\{\{(?:(#if|#each) (\w+(?:\.\w+)*)|(else)|(/if)|(/each)|(\w+(?:\.\w+)*))\}\}`)

// token is a tag, or the text in front of one.
type token struct{ text, open, path, close string }

// parseTemplate takes a text apart. Tags that are never closed, or close nothing, are
// text; stray reports whether there are such.
func parseTemplate(s string) (t template, stray bool) {
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

// templateParser matches tags that open with those that close.
type templateParser struct {
	tokens []token
	at     int
	depth  int
	stray  bool
}

// maxNested is how deep blocks may lie in each other.
const maxNested = 100

// blocks are those up to a tag that closes the block at hand: /if, /each, or else; at
// is left there. At the top nothing closes.
func (p *templateParser) blocks(closes string) template {
	var out template
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

func literally(s string) block { return block{Text: parseText(s, inSteps)} }

// open reads a block from the tag that opens it. One that is not closed is text, and
// what is in it stands for itself.
func (p *templateParser) open(k token) template {
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
			return template{b}
		}
	}
	p.depth--
	p.stray = true
	p.at = start + 1
	return template{literally(k.text)}
}

// closed reports whether a tag has one that closes it, those between them paired off.
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

// params are the values that a template is filled in with. this is the item of the
// loop at hand.
type params struct {
	values map[string]any
	this   any
	inLoop bool
}

// render fills the template in; f fills in its literal text.
func (t template) render(p params, f *textFiller) (string, error) {
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

// literals are the texts that are filled in as those of prompts are.
func (t template) literals() text {
	var out text
	for _, b := range t {
		out = append(out, b.Text...)
		out = append(out, b.Then.literals()...)
		out = append(out, b.Else.literals()...)
	}
	return out
}

// lookup follows a path; nil where it leads to nothing.
func (p params) lookup(path string) any {
	if rest, ok := strings.CutPrefix(path, "this"); ok && p.inLoop && (rest == "" || rest[0] == '.') {
		if rest == "" {
			return p.this
		}
		o, _ := p.this.(map[string]any)
		v, _ := dig(o, rest[1:])
		return v
	}
	v, _ := dig(p.values, path)
	return v
}

// text is a value in a prompt: a list is joined, an object is JSON.
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

// truthy reports whether a condition holds.
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
