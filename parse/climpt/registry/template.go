package registry

import (
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// retryTemplate is a parsed retry prompt (spec §10): literal text, values, conditions and loops.
type retryTemplate []templateBlock

// templateBlock is one part of a template.
type templateBlock struct {
	Kind templateBlockKind
	Text textPieces    // of literal text
	Path string        // of a value, a condition, a loop
	Then retryTemplate // of a condition, a loop
	Else retryTemplate
}

type templateBlockKind int

const (
	literalBlock templateBlockKind = iota
	valueBlock
	conditionBlock
	loopBlock
)

var tagPattern = regexp.MustCompile(`\{\{(?:(#if|#each) (\w+(?:\.\w+)*)|(else)|(/if)|(/each)|(\w+(?:\.\w+)*))\}\}`)

// templateToken is a tag, or the text between tags. text is how it is written; opener is #if or #each, and
// closer is else, /if or /each.
type templateToken struct{ text, opener, path, closer string }

// parseTemplate parses a retry prompt. Tags without their counterpart stay text; stray reports whether
// there are any.
func parseTemplate(s string) (t retryTemplate, stray bool) {
	p := &templateParser{tokens: splitTags(s)}
	t = p.parseBlocks("")
	return t, p.hasStrayTags
}

func splitTags(s string) []templateToken {
	var out []templateToken
	at := 0
	for _, m := range tagPattern.FindAllStringSubmatchIndex(s, -1) {
		if m[0] > at {
			out = append(out, templateToken{text: s[at:m[0]]})
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		k := templateToken{text: s[m[0]:m[1]], opener: group(1), path: group(2) + group(6), closer: group(3) + group(4) + group(5)}
		out = append(out, k)
		at = m[1]
	}
	if at < len(s) {
		out = append(out, templateToken{text: s[at:]})
	}
	return out
}

// templateParser matches opening and closing tags.
type templateParser struct {
	tokens       []templateToken
	tokenIndex   int
	depth        int
	hasStrayTags bool
}

// maxBlockDepth limits how deep blocks nest.
const maxBlockDepth = 100

// parseBlocks parses up to the tag that ends the current block, and does not consume that tag. closes is
// /if, which else ends too, or /each. At the top level it is "": no tag ends the block.
func (p *templateParser) parseBlocks(closes string) retryTemplate {
	var out retryTemplate
	for p.tokenIndex < len(p.tokens) {
		k := p.tokens[p.tokenIndex]
		switch {
		case k.closer != "" && closes != "" && (k.closer == closes || k.closer == "else" && closes == "/if"):
			return out
		case k.opener != "":
			out = append(out, p.parseBlock(k)...)
		case k.closer != "":
			p.hasStrayTags = true
			p.tokenIndex++
			out = append(out, newLiteralBlock(k.text))
		case k.path != "":
			p.tokenIndex++
			out = append(out, templateBlock{Kind: valueBlock, Path: k.path})
		default:
			p.tokenIndex++
			out = append(out, newLiteralBlock(k.text))
		}
	}
	return out
}

func newLiteralBlock(s string) templateBlock {
	return templateBlock{Text: splitPlaceholders(s, stepVariablePattern)}
}

// parseBlock parses the block that a tag opens. A tag that is not closed stays text, and its content is
// parsed on its own.
func (p *templateParser) parseBlock(k templateToken) retryTemplate {
	start := p.tokenIndex
	b := templateBlock{Kind: conditionBlock, Path: k.path}
	closes := "/if"
	if k.opener == "#each" {
		b.Kind, closes = loopBlock, "/each"
	}
	if p.depth++; p.depth < maxBlockDepth && p.hasClosingTag(start, closes) {
		p.tokenIndex++
		b.Then = p.parseBlocks(closes)
		if p.isAtClosingTag("else") {
			p.tokenIndex++
			b.Else = p.parseBlocks(closes)
		}
		if p.isAtClosingTag(closes) {
			p.tokenIndex++
			p.depth--
			return retryTemplate{b}
		}
	}
	p.depth--
	p.hasStrayTags = true
	p.tokenIndex = start + 1
	return retryTemplate{newLiteralBlock(k.text)}
}

// hasClosingTag reports whether the tag at from has a matching closing tag.
func (p *templateParser) hasClosingTag(from int, closes string) bool {
	opens := map[string]string{"/if": "#if", "/each": "#each"}[closes]
	open := 0
	for _, k := range p.tokens[from:] {
		switch {
		case k.opener == opens:
			open++
		case k.closer == closes:
			open--
		}
		if open == 0 {
			return true
		}
	}
	return false
}

func (p *templateParser) isAtClosingTag(closes string) bool {
	return p.tokenIndex < len(p.tokens) && p.tokens[p.tokenIndex].closer == closes
}

// templateParams are the values for a template. In a loop, the name "this" stands for loopItem.
type templateParams struct {
	values      map[string]any
	loopItem    any
	hasLoopItem bool
}

// render fills in the template; f fills in its literal text.
func (t retryTemplate) render(p templateParams, f *textFiller) (string, error) {
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

func (b templateBlock) render(p templateParams, f *textFiller) (string, error) {
	switch b.Kind {
	case valueBlock:
		return p.valueText(b.Path), nil
	case conditionBlock:
		if isTruthy(p.lookup(b.Path)) {
			return b.Then.render(p, f)
		}
		return b.Else.render(p, f)
	case loopBlock:
		var out strings.Builder
		items, _ := p.lookup(b.Path).([]any)
		for _, item := range items {
			s, err := b.Then.render(templateParams{p.values, item, true}, f)
			if err != nil {
				return "", err
			}
			out.WriteString(s)
		}
		return out.String(), nil
	}
	return f.fill(b.Text)
}

// literalPieces returns all literal texts of the template.
func (t retryTemplate) literalPieces() textPieces {
	var out textPieces
	for _, b := range t {
		out = append(out, b.Text...)
		out = append(out, b.Then.literalPieces()...)
		out = append(out, b.Else.literalPieces()...)
	}
	return out
}

// lookup returns the value at a dotted path, or nil.
func (p templateParams) lookup(path string) any {
	if rest, ok := strings.CutPrefix(path, "this"); ok && p.hasLoopItem && (rest == "" || rest[0] == '.') {
		if rest == "" {
			return p.loopItem
		}
		o, _ := p.loopItem.(map[string]any)
		v, _ := valueAtPath(o, rest[1:])
		return v
	}
	v, _ := valueAtPath(p.values, path)
	return v
}

// valueText returns the text of the value at a dotted path: a list is joined with commas, an object is
// JSON.
func (p templateParams) valueText(path string) string {
	v := p.lookup(path)
	list, ok := v.([]any)
	if !ok {
		return plan.ValueText(v)
	}
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i] = plan.ValueText(item)
	}
	return strings.Join(parts, ", ")
}

// isTruthy reports whether a value satisfies #if (spec §10).
func isTruthy(v any) bool {
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
	text := plan.ValueText(v)
	return text != "0" && text != "-0"
}
