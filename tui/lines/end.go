package lines

import (
	"fmt"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// printRunEnd prints the summary of a run.
func (n *narrator) printRunEnd(b *machine.RunFinished) {
	if w := b.WaitingFor; w != nil && !n.hasPerson && n.isLive && w.Kind != machine.KindPause {
		n.printOpenQuestion(w)
	}
	if !n.hasPerson {
		n.printNextDecision(b.WaitingFor)
	}
	n.printLine("")
	n.printLine("%s%s", n.paint(colourByWord[string(b.Result)], endName(b)), messageSuffix(b))
	raise := wording.RaiseLimitText(n.track)
	if r, text := wording.DecisiveFailureRow(n.track), wording.EndSentence(n.track); text != "" && raise == "" && (r == nil || !wording.IsFailureText(b.Message, r)) {
		n.printLine("  %s", text)
	}
	if raise != "" { // the message says what EndSentence does
		n.printLine("  %s", raise)
	}
	notices := wording.Notices(n.track)
	if headline := wording.HeadlineNotice(n.track, notices); headline != nil {
		n.printLine("  %s", headline.Sentence())
	}
	for _, notice := range notices {
		mark := "-"
		if notice.IsOverride {
			mark = "!"
		}
		n.printLine("  %s %s: %s", mark, stepHeading(notice.Row), notice.Text)
	}
	if len(b.EnteredStepLabels) > 0 {
		n.printLine("  path  %s", sanitize.Plain(pathText(b.EnteredStepLabels)))
	}
	if text := wording.SupersededEffectsText(n.status.SupersededEffectCount); text != "" {
		n.printLine("  %s", text)
	}
	if len(b.Skipped) > 0 {
		n.printLine("  skipped because a step failed:")
		for _, step := range b.Skipped {
			n.printLine("    %s", stepHeading(n.track.RowByLabel(step)))
		}
	}
	if used := n.track.ModelUsage.String(); used != "" {
		n.printLine("  tokens %s", used)
	}
	n.printLine("  run   %s%s", n.runFolder.ID(), durationSuffix(n.track.Duration()))
	if n.hasPerson && !n.staysWhenOver && b.Result.IsFinal() {
		n.printLine("  to inspect or rewind it: %s", n.resumeCommand("--plain"))
	}
	switch {
	case b.WaitingFor != nil:
		n.printLine("  %s", n.resumeHint(b.WaitingFor))
	case b.Result == plan.RunFailed && len(b.EnteredStepLabels) > 0 && (n.track.Plan.IsLinear || machine.SeqBeforeFailedCall(n.events) > 0):
		n.printLine("  %s", n.repeatHint(b.EnteredStepLabels[len(b.EnteredStepLabels)-1]))
	case n.isLive && !n.hasPerson && b.Result.IsFinal() && b.Result != plan.Completed:
		n.printLine("  to inspect or rewind it at a terminal: %s", n.resumeCommand())
	}
}

// pathText returns the labels of a path, the last ones of a long path.
func pathText(labels []string) string {
	n := len(labels)
	if n <= track.MaxShownPathEntries {
		return strings.Join(labels, " ")
	}
	return fmt.Sprintf("… %s (the last %d of %d steps entered)", strings.Join(labels[n-track.MaxShownPathEntries:], " "), track.MaxShownPathEntries, n)
}

// resumeCommand returns the command that resumes the run.
func (n *narrator) resumeCommand(args ...string) string {
	return wording.ResumeCommand(n.runFolder.ID(), n.track.SecretInputs, args...)
}

// repeatHint returns a sentence with the command that repeats the step at which a run failed, with flags for the
// values that it lacked. Without such flags it has --headless, because resume on a terminal would only open
// the run.
func (n *narrator) repeatHint(step string) string {
	args := n.missingAnswerFlags(step)
	if len(args) == 0 {
		args = []string{"--headless"}
	}
	return fmt.Sprintf("failed at %s; retry with: %s", sanitize.Plain(step), n.resumeCommand(args...))
}

// missingAnswerFlags returns the flags that give the values a step lacks.
func (n *narrator) missingAnswerFlags(step string) (args []string) {
	for _, name := range n.missingValues {
		args = append(args, "--answer", engine.PreparedAnswerKey(step, name)+"=VALUE")
	}
	return args
}

// printOpenQuestion prints the question that a headless run ended at.
func (n *narrator) printOpenQuestion(w *machine.Waiting) {
	if w.Kind == machine.KindReply && w.Tool == "" {
		n.printPromptUnlessLast(w.Step, w.Prompt)
		return
	}
	if row := n.track.RowByLabel(w.Step); row != nil && w.Kind == machine.KindAsk && !n.hasPrintedText(row) {
		n.printIndented(w.StepText)
	}
	n.printQuestion(w.Step, w.Kind, w.Prompt, w.Options)
}

// printQuestion prints a question with its answers without waiting for one.
func (n *narrator) printQuestion(step, kind, question string, options []string) {
	above, prompt := n.questionText(step, kind, question)
	if above != "" {
		n.printLine("%s", above)
	}
	if len(options) > 0 {
		prompt += " " + bracketedOptions(options)
	}
	n.printLine("[%s] %s", sanitize.Plain(step), prompt)
}

// resumeHint returns what a run waits for, and how to resume it.
func (n *narrator) resumeHint(w *machine.Waiting) string {
	switch w.Kind {
	case machine.KindPause:
		return wording.PauseText(w) + "; resume with: " + n.resumeCommand()
	case machine.KindApproveCall:
		return n.waitingHint(w, wording.WaitingForText(w)) + " (add --approve none to skip approvals)"
	case machine.KindReply:
		if w.Tool != "" {
			return n.waitingHint(w, wording.WaitingForText(w), "--answer", w.Step+"=RESULT")
		}
		return n.replyHint(w)
	}
	answers, args := wording.WaitingForText(w), []string{"--answer", w.Step + "=" + exampleAnswer(w.Options)}
	if lacking := n.missingAnswerFlags(w.Step); w.Kind == machine.KindAsk && len(lacking) > 0 {
		answers, args = "values", lacking
	}
	return n.waitingHint(w, answers, args...)
}

// waitingHint returns where a run waits and for what, and how to resume it with these arguments.
func (n *narrator) waitingHint(w *machine.Waiting, what string, args ...string) string {
	return fmt.Sprintf("waits at %s for %s; resume with: %s", sanitize.Plain(w.Step), what, n.resumeCommand(args...))
}

// exampleAnswer returns an option that can be typed as it is shown, else a placeholder.
func exampleAnswer(options []string) string {
	for _, o := range options {
		if o == sanitize.Plain(o) {
			return o
		}
	}
	return "VALUE"
}

// replyHint returns how to resume a run that waits for a reply.
func (n *narrator) replyHint(w *machine.Waiting) string {
	if unasked := w.ReplySourceError; unasked != "" {
		return fmt.Sprintf("waits at %s for a model's reply: %s. Fix this, then resume with: %s", sanitize.Plain(w.Step), sanitize.Plain(unasked), n.resumeCommand())
	}
	return n.waitingHint(w, "a manual reply") + " (add --replies FILE to take replies from a file)"
}

// endName returns how a run ended or was left, in plain words.
func endName(b *machine.RunFinished) string {
	if b.Result == plan.Awaiting && !b.IsPaused() {
		return "waiting for a person"
	}
	return track.EndWord(b)
}

// messageSuffix returns the message after a result. A message of the document is in quotes, one of
// Playhead is not.
func messageSuffix(b *machine.RunFinished) string {
	if b.Message != "" && (b.Result == plan.RunFailed || b.Result == plan.Cancelled) {
		return ": " + sanitize.Plain(b.Message)
	}
	return quotedSuffix(b.Message)
}
