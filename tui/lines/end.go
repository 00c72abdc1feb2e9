package lines

import (
	"cmp"
	"fmt"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// printEnd prints the summary of a run.
func (n *narrator) printEnd(b *machine.Finished) {
	if w := b.Waiting; w != nil && !n.person && n.live && w.Kind != machine.KindBreak {
		n.printOpenQuestion(w)
	}
	n.line("")
	n.line("%s%s", n.paint(tints[string(b.Result)], resultName(b.Result)), messageSuffix(b))
	if r, text := wording.Cause(n.track), wording.Ending(n.track); text != "" && (r == nil || !wording.IsFailure(b.Message, r)) {
		n.line("  %s", text)
	}
	if flag := n.track.LimitFlag(); flag != "" {
		n.line("  Start a new run with --%s N to raise the limit.", flag)
	}
	for _, notice := range wording.Notices(n.track) {
		n.line("  ! %s: %s", heading(notice.Row), notice.Text)
	}
	if len(b.Path) > 0 {
		n.line("  path  %s", sanitize.Plain(path(b.Path)))
	}
	if len(b.Skipped) > 0 {
		n.line("  skipped since a step failed:")
		for _, step := range b.Skipped {
			n.line("    %s", heading(n.track.Row(step)))
		}
	}
	if used := n.track.Used.String(); used != "" {
		n.line("  used  tokens %s", used)
	}
	n.line("  run   %s, %s", n.folder.ID(), wording.Seconds(n.track.Elapsed(n.track.Last)))
	if n.person && !n.stay && b.Result.Over() {
		n.line("  to inspect or rewind it: %s", n.resume("--plain"))
	}
	switch {
	case b.Waiting != nil:
		n.line("  %s", n.resumeHint(b.Waiting))
	case b.Result == plan.RunFailed && len(b.Path) > 0 && (n.track.Plan.Linear || machine.BrokenCall(n.events) > 0):
		n.line("  %s", n.repeatHint(b.Path[len(b.Path)-1]))
	case n.live && !n.person && b.Result.Over() && b.Result != plan.Completed:
		n.line("  to inspect or rewind it on a terminal: %s", n.resume())
	}
}

// path returns the labels of a path, the last ones of a long path.
func path(labels []string) string {
	n := len(labels)
	if n <= track.LongPath {
		return strings.Join(labels, " ")
	}
	return fmt.Sprintf("… %s (the last %d of %d visits)", strings.Join(labels[n-track.LongPath:], " "), track.LongPath, n)
}

// resume returns the command that resumes the run.
func (n *narrator) resume(args ...string) string {
	return wording.Resume(n.folder.ID(), n.track.Secrets, args...)
}

// repeatHint returns how to repeat the step that a run failed at, with the values that it lacked.
// Without values the hint is headless: on a terminal, resume would only open the run.
func (n *narrator) repeatHint(step string) string {
	args := n.missingAnswers(step)
	if len(args) == 0 {
		args = []string{"--headless"}
	}
	return fmt.Sprintf("failed at %s; retry with: %s", label(step), n.resume(args...))
}

// missingAnswers returns the flags that give the values a step lacks.
func (n *narrator) missingAnswers(step string) (args []string) {
	for _, name := range n.missingValues {
		args = append(args, "--answer", engine.Key(step, name)+"=VALUE")
	}
	return args
}

// printOpenQuestion prints the question that nobody is there to answer.
func (n *narrator) printOpenQuestion(w *machine.Waiting) {
	if w.Kind == machine.KindReply && w.Tool == "" {
		n.printWholePrompt(w.Step, w.Prompt)
		return
	}
	if row := n.track.Row(w.Step); row != nil && w.Kind == machine.KindAsk && !n.hasPrinted(row) {
		n.indented(w.Text)
	}
	n.printQuestion(w.Step, w.Kind, w.Prompt, w.Options)
}

// printQuestion prints a question with its answers without waiting for one.
func (n *narrator) printQuestion(step, kind, asked string, options []string) {
	above, prompt := n.questionText(step, kind, asked)
	if above != "" {
		n.line("%s", above)
	}
	if len(options) > 0 {
		prompt += " " + brackets(options)
	}
	n.line("[%s] %s", label(step), prompt)
}

// resumeHint returns what a run waits for, and how to resume it.
func (n *narrator) resumeHint(w *machine.Waiting) string {
	at, resume := label(w.Step), n.resume()
	switch w.Kind {
	case machine.KindBreak:
		return fmt.Sprintf("%s; resume with: %s", cmp.Or(sanitize.Plain(w.Prompt), "paused before "+at), resume)
	case machine.KindApproveCall:
		return fmt.Sprintf("waits at %s for %s; resume with: %s, or with --approve none to ask nobody", at, wording.WaitingFor(w), resume)
	case machine.KindReply:
		if w.Tool != "" {
			return fmt.Sprintf("waits at %s for %s; resume with: %s", at, wording.WaitingFor(w), n.resume("--answer", w.Step+"=RESULT"))
		}
		return replyWith(at, resume, w.Error)
	}
	answers, args := wording.WaitingFor(w), []string{"--answer", w.Step + "=" + example(w.Options)}
	if lacking := n.missingAnswers(w.Step); w.Kind == machine.KindAsk && len(lacking) > 0 {
		answers, args = "values", lacking
	}
	return fmt.Sprintf("waits at %s for %s; resume with: %s", at, answers, n.resume(args...))
}

// example returns an option that can be typed as it is shown, else a placeholder.
func example(options []string) string {
	for _, o := range options {
		if o == sanitize.Plain(o) {
			return o
		}
	}
	return "VALUE"
}

// replyWith returns how to resume a run that waits for a reply; unasked says why no model was
// asked.
func replyWith(at, resume, unasked string) string {
	if unasked != "" {
		return fmt.Sprintf("waits at %s for a model's reply: %s; then resume with: %s", at, sanitize.Plain(unasked), resume)
	}
	return fmt.Sprintf("waits at %s for a reply in a model's place; resume with: %s, or with --replies FILE", at, resume)
}

// resultName returns a result in plain words.
func resultName(r plan.RunResult) string {
	if r == plan.Awaiting {
		return "waiting for a person"
	}
	return string(r)
}

// messageSuffix returns the message behind a result: the document's in quotes, Playhead's without.
func messageSuffix(b *machine.Finished) string {
	if b.Message != "" && (b.Result == plan.RunFailed || b.Result == plan.Cancelled) {
		return ": " + sanitize.Plain(b.Message)
	}
	return quoted(b.Message)
}
