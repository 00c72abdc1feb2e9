package rundown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// warnLiteralPlaceholders warns of a placeholder in a command, because it stays as written there: a command
// gets the number through its environment (spec §3.8, §5.7).
func (d *document) warnLiteralPlaceholders(index stepIndex) {
	d.eachStep(func(step *parsedStep) {
		if step.body == nil || step.body.fence.isPrompt {
			return
		}
		instead := "$PLAYHEAD_INSTANCE"
		if step.parent != nil && step.kind == dynamicKind {
			if d.warnLiteralPlaceholder(step, "{n}", instead) {
				return
			}
			instead = "${PLAYHEAD_STEP%%.*}, the first part of the step's label"
		}
		if index.dynamicStep != nil {
			d.warnLiteralPlaceholder(step, "{N}", instead)
		}
	})
}

// warnLiteralPlaceholder warns of the first place of a placeholder in a step's command, and reports whether there is
// one. A placeholder after a dollar sign is a shell variable.
func (d *document) warnLiteralPlaceholder(step *parsedStep, placeholder, instead string) bool {
	from, to := d.sourceLines.lineBounds(step.body.firstLine, step.body.lastLine)
	script := d.sourceLines.textString[from:to]
	for at := 0; ; at++ {
		next := strings.Index(script[at:], placeholder)
		if next < 0 {
			return false
		}
		if at += next; script[at-1] != '$' { // at least the fence comes before it
			d.add(from+at, finding{"command-literal", fmt.Sprintf("%s: %s is not replaced in a command", step.nameForMessages(), placeholder), "use " + instead})
			return true
		}
	}
}

// rdCallPattern matches a call of rd, the format's own program, at the beginning of a command.
var rdCallPattern = regexp.MustCompile(`(?m)(?:^|[;&|(` + "`" + `])[ \t]*rd[ \t]`)

// missingRDWarning returns the warning for a run in which there is no rd, if the command calls rd, else nil.
func missingRDWarning(text string) *plan.RunWarning {
	if !rdCallPattern.MatchString(text) {
		return nil
	}
	return &plan.RunWarning{Code: Format + "/rd-missing",
		Message: "a command was not found; if it was rd, replace it with a real command, because only playhead test provides rd"}
}

// warnModifiersInLastSubsteps warns of ALL or ANY in a transition at the end of a step's last substep, where it belongs to
// the substep and has no meaning.
func (d *document) warnModifiersInLastSubsteps() {
	for _, step := range d.steps {
		if len(step.substeps) == 0 {
			continue
		}
		substep := step.substeps[len(step.substeps)-1]
		if len(substep.runbooks) > 0 || substep.kind == brokenKind || step.kind == brokenKind {
			continue
		}
		if t := substep.firstTransitionWithModifier(); t != nil {
			d.add(t.offset, finding{"agg-trailing", fmt.Sprintf("%s: %q belongs to this substep, not to %s, and %s means nothing here", substep.nameForMessages(), t.plainText, step.nameForMessages(), t.modifier),
				fmt.Sprintf("if it is meant for %s, put it before that step's first ###", step.nameForMessages())})
		}
	}
}

// firstTransitionWithModifier returns the first transition with a modifier, nil if there is none or if a
// prompt or a body follows it.
func (p *parsedStep) firstTransitionWithModifier() *transition {
	var found *transition
	for _, e := range p.elements {
		switch {
		case e.role == promptTextRole || e.role == bodyRole:
			found = nil
		case e.parsedTransition != nil && e.parsedTransition.modifier != "" && found == nil:
			found = e.parsedTransition
		}
	}
	return found
}

// warnUnclosedFence warns of a fence that is still open at the end of the file.
func (d *document) warnUnclosedFence(root ast.Node) {
	n := root
	for n.LastChild() != nil && n.LastChild().Type() == ast.TypeBlock {
		n = n.LastChild()
	}
	if n.Kind() != ast.KindFencedCodeBlock {
		return
	}
	last := d.sourceLines.lineAt(n.Pos())
	if c := n.Lines().Len(); c > 0 {
		last = d.sourceLines.lineAt(n.Lines().At(c-1).Stop - 1)
	}
	if last == len(d.sourceLines.lineStarts)-1 {
		d.add(n.Pos(), finding{"unclosed-fence", fmt.Sprintf("%s: the code block is still open at the end of the file", d.currentStep.nameForMessages()),
			source.CloseFenceSuggestion})
	}
}

// warnIgnoredBlock warns of content that would have a meaning at the top level of a step but is only text
// where it stands (spec §1): in a quote, a nested list, a list item, or before the first step.
func (d *document) warnIgnoredBlock(n ast.Node) {
	if n.Kind() == ast.KindParagraph {
		d.warnIgnoredTransitions(n.Lines(), 0)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		d.reportIgnored(blockStart(n), "heading", d.headingText(n).text)
	case *ast.ListItem:
		d.warnIgnoredItem(n)
	case *ast.FencedCodeBlock:
		if f := d.readFence(n); f.isExecutable && !f.isPrompt {
			d.reportIgnored(n.Pos(), "command block", f.language)
		}
	default:
		d.warnIgnoredBlocksFrom(n.FirstChild())
	}
}

// warnIgnoredBlocksFrom calls warnIgnoredBlock for a node and its later siblings.
func (d *document) warnIgnoredBlocksFrom(n ast.Node) {
	for ; n != nil; n = n.NextSibling() {
		d.warnIgnoredBlock(n)
	}
}

func (d *document) warnIgnoredItem(n *ast.ListItem) {
	lead := n.FirstChild()
	if lead != nil && lead.Kind() == ast.KindParagraph && lead.Lines().Len() == 1 && lead.NextSibling() == nil {
		s := lead.Lines().At(0)
		if path, ok := parseRunbookPath(strings.TrimSpace(d.sourceLines.textString[s.Start:s.Stop])); ok {
			d.reportIgnored(s.Start, "runbook", path)
			return
		}
	}
	d.warnIgnoredBlocksFrom(lead)
}

// warnIgnoredTransitions warns of transitions among the lines from an index on.
func (d *document) warnIgnoredTransitions(lines *text.Segments, from int) {
	if from >= lines.Len() {
		return
	}
	c := d.newTransitionLines(lines)
	for i := from; i < lines.Len(); i++ {
		p, ok := c.plainTextOf(i)
		if !ok {
			continue
		}
		if _, what, _ := parseTransition(p.text); what == validTransition || what == malformedTransition {
			d.reportIgnored(p.lineStart, "transition", p.text)
		}
	}
}

func (d *document) reportIgnored(at int, what, text string) {
	d.add(at, finding{"ignored-construct",
		fmt.Sprintf("%s: the %s %q is read as plain text", d.currentStep.nameForMessages(), what, text),
		"put it at the top level of a step, not in a quote or nested in a list item"})
}
