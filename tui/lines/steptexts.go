package lines

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// printedTexts records which texts of steps are printed, because each is printed once in an attempt. A
// question shows the text of its step. For a model, the sent prompt is printed instead of the text.
type printedTexts struct {
	printedByLabel    map[string]bool        // the steps whose text is printed, by label
	pendingCall       *machine.ActionStarted // a model call whose prompt is not printed yet
	callLogName       string                 // the name of the log of that call
	lastPrintedPrompt string                 // the prompt that was printed last
	callName          string                 // the name of the call in its step, such as a check; "": the main call
}

// maxTextWidth is the maximum width of printed texts.
const maxTextWidth = 100

// textIndent sets texts apart from headings and output.
const textIndent = "    "

// printIndented prints a text below its heading.
func (n *narrator) printIndented(text string) {
	text = strings.TrimSpace(sanitize.PlainLines(text))
	if text == "" {
		return
	}
	if n.width > 0 {
		text = ansi.Wrap(text, max(20, min(n.width, maxTextWidth)-len(textIndent)), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		n.printLine("%s", strings.TrimRight(textIndent+line, " "))
	}
}

// beginAttempt begins an attempt, and prints the texts of the groups that open.
func (n *narrator) beginAttempt(e machine.Event, b *machine.StepEntered) {
	n.printedTexts.pendingCall = nil
	for _, o := range b.OpenedGroups {
		delete(n.printedTexts.printedByLabel, o.Label)
		if row := n.track.RowByLabel(o.Label); row != nil && n.textWithoutGroups(row) != "" {
			n.printLine("%s", n.paint(bold, stepHeading(row)))
			n.printTextOnce(row)
		}
	}
	delete(n.printedTexts.printedByLabel, e.Step)
}

// textWithoutGroups returns a step's text without the texts of the groups that contain it.
func (in *inspector) textWithoutGroups(row *track.Row) string {
	if row.Step == nil {
		return ""
	}
	return strings.TrimSpace(plan.TextForDisplay(row.Step.Text, in.track.Scope(row)))
}

// printTextOnce prints a step's text if it is not printed yet.
func (n *narrator) printTextOnce(row *track.Row) {
	if row == nil || n.hasPrintedText(row) {
		return
	}
	n.printIndented(n.textWithoutGroups(row))
	n.markTextPrinted(row.Label)
}

func (n *narrator) hasPrintedText(row *track.Row) bool {
	return n.printedTexts.printedByLabel[row.Label]
}

func (n *narrator) markTextPrinted(label string) {
	if n.printedTexts.printedByLabel == nil {
		n.printedTexts.printedByLabel = map[string]bool{}
	}
	n.printedTexts.printedByLabel[label] = true
}

// unprintedText returns the texts of a step and its groups that are not printed yet.
func (n *narrator) unprintedText(row *track.Row) string {
	var parts []string
	for ; row != nil && row.Step != nil; row = row.Parent {
		if text := n.textWithoutGroups(row); text != "" && !n.hasPrintedText(row) {
			parts = append(parts, text)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n\n")
}

// printTextBeforeEvent prints the step's text if the event shows what belongs below it.
func (n *narrator) printTextBeforeEvent(e machine.Event) {
	row := n.track.RowOfEvent(e)
	if row == nil || !row.IsExecutable() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		if b.Kind == "model" && b.Text != "" {
			n.printedTexts.pendingCall, n.printedTexts.callLogName, n.printedTexts.callName = b, journal.LogName(e.Seq), ""
			if b.Call != nil {
				n.printedTexts.callName = b.CallName
			}
		} else if !row.Step.AsksModel() {
			n.printTextOnce(row)
		}
	case *machine.ActionFinished:
		n.printPrompt(row)
	case *machine.InputNeeded:
		asked := b.Kind == machine.KindDecide && !n.hasPerson || b.Kind == machine.KindAsk
		if asked && !row.Step.AsksModel() {
			n.printTextOnce(row)
		}
	case *machine.StepFinished:
		if !row.Step.AsksModel() && len(row.Step.Actions) == 0 {
			n.printTextOnce(row)
		}
	}
}

// promptWithoutFrame returns the text of a row's step if a prompt that was sent contains it as it is now, else the prompt.
func (in *inspector) promptWithoutFrame(row *track.Row, prompt string) string {
	if text := in.textWithoutGroups(row); text != "" && strings.Contains(prompt, text) {
		return text
	}
	return prompt
}

// sentText returns what the newest attempt of a row sent to a model for its output, and the person's text that it was
// made of. Both are empty if it sent nothing.
func (in *inspector) sentText(row *track.Row) (text, editedText string) {
	attempt := row.NewestStepAttempt()
	if attempt == nil {
		return "", ""
	}
	for _, a := range slices.Backward(attempt.Actions) {
		if a.Kind == "model" && a.CallName == "" && a.Text != "" {
			return in.promptWithoutFrame(row, a.Text), a.EditedText
		}
	}
	return "", ""
}

// printPrompt prints what a model is asked, without what surrounds the step's text.
func (n *narrator) printPrompt(row *track.Row) {
	c := n.printedTexts.pendingCall
	if c == nil || row == nil {
		return
	}
	n.printedTexts.pendingCall = nil
	text := c.Text
	if n.printedTexts.callName == "" {
		text = n.promptWithoutFrame(row, c.Text)
	}
	if part := n.printedTexts.callName; part != "" {
		n.printLine("%s", n.paint(faint, stepPrefix(row.Label)+sanitize.Plain(part)))
	}
	n.printIndented(text)
	n.printedTexts.lastPrintedPrompt = text
	n.markTextPrinted(row.Label)
}

// replyLabel returns a label for a reply. It names the call if that is not the main one of the step.
func (n *narrator) replyLabel() string {
	if n.printedTexts.callName == "" {
		return "reply"
	}
	return "reply to the " + sanitize.Plain(n.printedTexts.callName)
}

// printPromptUnlessLast prints the prompt that a person replies to, if it was not printed last.
func (n *narrator) printPromptUnlessLast(step, prompt string) {
	if n.printedTexts.lastPrintedPrompt == prompt {
		return
	}
	n.printedTexts.pendingCall, n.printedTexts.lastPrintedPrompt = nil, prompt
	n.printIndented(prompt)
	n.markTextPrinted(step)
}

// questionText returns a question with the step's text: in the prompt if the text is one line, else
// above it.
func (n *narrator) questionText(step, kind, question string) (above, prompt string) {
	prompt = sanitize.Plain(question)
	row := n.track.RowByLabel(step)
	if row == nil || kind != machine.KindDecide {
		return "", prompt
	}
	text := strings.TrimSpace(sanitize.PlainLines(n.unprintedText(row)))
	if strings.Contains(text, "\n") {
		return text, prompt
	}
	switch {
	case text == "":
	case strings.HasSuffix(prompt, "?"):
		prompt += " " + text
	default:
		prompt += ": " + text
	}
	return "", prompt
}
