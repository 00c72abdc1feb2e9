package rundown

import (
	"strings"

	"playhead/parse/plan"
)

// textPrompt returns the text to show for a step (spec §3.8): the visible parts of its source, joined
// with empty lines. {N} and {n} are references in prompt text, and literal in verbatim blocks.
func (b *planBuilder) textPrompt(step *parsedStep) plan.Prompt {
	c := b.newTextCollector(step, b.document.sourceLines.textString)
	end := -1 // where the element before ends, if it is shown
	for i := range step.elements {
		e := &step.elements[i]
		if !e.isShown {
			end = -1
			continue
		}
		from, to := b.document.sourceLines.lineBounds(e.firstLine, e.lastLine)
		if end >= 0 {
			c.addLiteral(end, from)
		} else if c.hasText() {
			c.addText("\n\n")
		}
		if e.keepsPlaceholders {
			c.addLiteral(from, to)
		} else {
			c.addWithReferences(from, to)
		}
		end = to
	}
	return c.prompt()
}

// titlePrompt returns a step's title with its references, nil if it has none (spec §3.8).
func (b *planBuilder) titlePrompt(step *parsedStep) plan.Prompt {
	c := b.newTextCollector(step, step.title)
	c.addWithReferences(0, len(step.title))
	c.flush()
	for _, p := range c.pieces {
		if p.TemplateStep != "" {
			return c.pieces
		}
	}
	return nil
}

// newTextCollector returns a collector in which placeholders have their meaning in the step.
func (b *planBuilder) newTextCollector(step *parsedStep, text string) textCollector {
	c := textCollector{source: text, hasDynamicStep: b.hasDynamicStep}
	if step.parent != nil && step.kind == dynamicKind {
		c.ownSubstep = step.fullID()
	}
	return c
}

// textCollector joins slices of the source into a Text.
type textCollector struct {
	source                   string
	hasDynamicStep           bool   // there is a {N} step, so {N} is a reference
	ownSubstep               string // the substep whose instance {n} is, "" if {n} is literal
	pieces                   plan.Text
	pendingText              []byte // text after the last reference that is not in pieces yet
	pendingStart, pendingEnd int    // a slice of source that follows pendingText and is not copied yet
}

func (c *textCollector) hasText() bool {
	return len(c.pieces) > 0 || len(c.pendingText) > 0 || c.pendingEnd > c.pendingStart
}

// addText adds text that is not in the source.
func (c *textCollector) addText(s string) {
	c.pendingText = append(append(c.pendingText, c.source[c.pendingStart:c.pendingEnd]...), s...)
	c.pendingStart, c.pendingEnd = 0, 0
}

// addLiteral adds a slice of the source. A single slice is not copied.
func (c *textCollector) addLiteral(from, to int) {
	switch {
	case c.pendingStart == c.pendingEnd:
		c.pendingStart, c.pendingEnd = from, to
	case c.pendingEnd == from:
		c.pendingEnd = to
	default:
		c.addText(c.source[from:to])
	}
}

// addWithReferences adds a slice in which placeholders are references.
func (c *textCollector) addWithReferences(from, to int) {
	for c.hasDynamicStep || c.ownSubstep != "" {
		at := strings.IndexByte(c.source[from:to], '{')
		if at < 0 {
			break
		}
		at += from
		name := c.source[at:min(to, at+len("{N}"))]
		step := c.referredStep(name)
		if step == "" {
			c.addLiteral(from, at+1)
			from = at + 1
			continue
		}
		c.addLiteral(from, at)
		c.flush()
		c.pieces = append(c.pieces, plan.TextPiece{Literal: name, TemplateStep: step})
		from = at + len(name)
	}
	c.addLiteral(from, to)
}

// referredStep returns the step whose instance a placeholder shows, "" if it is literal.
func (c *textCollector) referredStep(placeholder string) string {
	switch {
	case placeholder == "{N}" && c.hasDynamicStep:
		return "{N}"
	case placeholder == "{n}":
		return c.ownSubstep
	}
	return ""
}

// flush turns the text since the last reference into a piece.
func (c *textCollector) flush() {
	s := c.source[c.pendingStart:c.pendingEnd]
	if len(c.pendingText) > 0 {
		s = string(append(c.pendingText, s...))
	}
	if s != "" {
		c.pieces = append(c.pieces, plan.TextPiece{Literal: s})
	}
	c.pendingText, c.pendingStart, c.pendingEnd = nil, 0, 0
}

func (c *textCollector) prompt() plan.Prompt {
	for c.pendingEnd > c.pendingStart && strings.IndexByte(" \t\n", c.source[c.pendingEnd-1]) >= 0 {
		c.pendingEnd--
	}
	c.flush()
	if len(c.pieces) == 0 {
		return nil
	}
	return c.pieces
}

// labelPrompt returns the step's ID with its instance numbers, nil if it has none.
func (p *parsedStep) labelPrompt() plan.Prompt {
	var t plan.Text
	if p.topStep().kind == dynamicKind {
		t = append(t, plan.TextPiece{Literal: "{N}", TemplateStep: "{N}"})
	}
	switch {
	case p.parent == nil && t == nil, p.kind == brokenKind:
		return nil
	case p.parent == nil:
		return t
	case t == nil && p.kind != dynamicKind:
		return nil
	case t == nil:
		t = append(t, plan.TextPiece{Literal: p.parent.localID})
	}
	if p.kind == dynamicKind {
		return append(t, plan.TextPiece{Literal: "."}, plan.TextPiece{Literal: "{n}", TemplateStep: p.fullID()})
	}
	return append(t, plan.TextPiece{Literal: "." + p.localID})
}
