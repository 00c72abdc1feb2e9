package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/parse/source"
)

// Markdown returns the report for GitHub and similar viewers.
func (r *Report) Markdown() []byte {
	m := &markdownWriter{}
	m.writeBlock("# %s", escapedText(cmp.Or(r.Title, r.DocumentPath)))
	m.writeSummary(r)
	m.writeChanges(r.Changes)
	m.writeFiles(r.Files)
	m.writeSectionHeading("Path", len(r.EnteredSteps) > 0)
	if len(r.EnteredSteps) > 0 {
		m.writeBlock("%s", escapedText(strings.Join(track.LabelsWithRepeats(r.EnteredSteps), " → ")))
	}
	m.writeVariables("Inputs", r.Inputs)
	m.writeVariables("Values", r.Variables)
	m.writeWarnings("Warnings", r.WarningsOfProblems())
	m.writeWarnings("Logpoints", r.Logpoints())
	m.writeSectionHeading("Steps", true)
	m.writeSteps(r.Steps, 3)
	if r.Output != nil {
		m.writeSectionHeading("Final output", true)
		step := r.Output.Step
		if step != "" {
			step = codeSpan(step)
		}
		m.writeBlock("%s", wording.FinalOutputText(codeSpan(r.Output.Type), step))
		m.writeFence(&r.Output.Text, r.Output.Type)
	}
	return m.out.Bytes()
}

// markdownWriter collects blocks with an empty line between them.
type markdownWriter struct{ out bytes.Buffer }

func (m *markdownWriter) writeBlock(format string, args ...any) {
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
	fmt.Fprintf(&m.out, format+"\n", args...)
}

func (m *markdownWriter) writeSectionHeading(title string, hasContent bool) {
	if hasContent {
		m.writeBlock("## %s", title)
	}
}

// writeTable writes rows of cells. The cells must be Markdown.
func (m *markdownWriter) writeTable(head []string, rows [][]string) {
	row := func(cells []string) { fmt.Fprintf(&m.out, "| %s |\n", strings.Join(cells, " | ")) }
	m.out.WriteByte('\n')
	row(head)
	row(slices.Repeat([]string{"---"}, len(head)))
	for _, cells := range rows {
		row(cells)
	}
}

func (m *markdownWriter) writeSummary(r *Report) {
	var rows [][]string
	for _, f := range r.Summary() {
		rows = append(rows, []string{f.Name, tableCell(f.Value)})
	}
	result := "**" + escapedText(r.ResultText()) + "**"
	if r.Message != "" {
		result += " " + tableCell(r.Message)
	}
	m.writeTable([]string{"Result", result}, rows)
}

// SummaryLine is a line about the whole run.
type SummaryLine struct{ Name, Value string }

// Summary returns the lines about the whole run, without its result.
func (r *Report) Summary() []SummaryLine {
	out := []SummaryLine{{"Document", fmt.Sprintf("%s (%s)", r.DocumentPath, r.formatTitle)}, {"Run", r.RunID}}
	add := func(yes bool, name, format string, args ...any) {
		if yes {
			out = append(out, SummaryLine{name, fmt.Sprintf(format, args...)})
		}
	}
	if f := r.Fork; f != nil {
		add(true, "Fork", "of run %s, after %s", f.OriginalRunID, f.moment)
	}
	if r.WaitingFor != nil && !r.isPaused() {
		add(true, "Waits", "%s", r.WaitingFor.text)
	}
	add(true, "Started", "%s", r.Started.UTC().Format(time.RFC1123))
	add(true, "Took", "%s", r.Took)
	add(r.supersededEffectCount > 0, "Rewound", "%s", wording.SupersededEffectsText(r.supersededEffectCount))
	if r.Usage != nil {
		add(true, "Models", "tokens %s", r.Usage.text)
	}
	add(r.Prompted, "Prompted", "Playhead ran no commands and called no tools; their outcomes were given as answers")
	return out
}

func (m *markdownWriter) writeChanges(all []Change) {
	m.writeSectionHeading("What a person changed", len(all) > 0)
	for _, c := range all {
		var item strings.Builder
		fmt.Fprintf(&item, "- **!** %s", codeSpan(c.heading()))
		if c.SupersededBySeq > 0 {
			item.WriteString(" · " + supersededMark)
		}
		if note := machine.PersonNote(c.Note); note != "" {
			fmt.Fprintf(&item, "\n  - note: %s", codeSpan(note))
		}
		for _, done := range c.EffectsNotUndone {
			fmt.Fprintf(&item, "\n  - not undone: %s", codeSpan(done))
		}
		m.writeBlock("%s", item.String())
		m.writeFence(c.diff, "diff")
	}
}

func (m *markdownWriter) writeFiles(all []File) {
	m.writeSectionHeading("Changed files", len(all) > 0)
	for _, f := range all {
		m.writeBlock("- %s, %s", codeSpan(f.Path), escapedText(f.ChangedByText()))
		m.writeFence(f.Diff, "diff")
	}
}

// ChangedByText returns which steps changed the file.
func (f File) ChangedByText() string {
	what := "changed by "
	if f.IsNew {
		what = "new, written by "
	}
	return what + wording.StepsText(f.Steps)
}

func (m *markdownWriter) writeVariables(title string, all []Variable) {
	if m.writeSectionHeading(title, len(all) > 0); len(all) == 0 {
		return
	}
	var rows [][]string
	for _, v := range all {
		rows = append(rows, []string{tableCell(v.Name), tableCell(v.String()), tableCell(v.origin())})
	}
	m.writeTable([]string{"Name", "Value", "From"}, rows)
}

func (m *markdownWriter) writeWarnings(heading string, all []Warning) {
	m.writeSectionHeading(heading, len(all) > 0)
	for _, w := range all {
		m.writeBlock("- %s %s", codeSpan(w.text()), escapedText(w.Step))
	}
}

// writeSteps writes the tree as headings. Steps below the deepest heading level have that level too.
func (m *markdownWriter) writeSteps(all []*Step, level int) {
	for _, s := range all {
		title := glyph(s.Status) + " " + escapedText(s.name())
		if s.Overridden {
			title += " · ! overridden"
		}
		if s.Edited {
			title += " · ! edited"
		}
		m.writeBlock("%s %s — %s", strings.Repeat("#", min(level, 6)), title, escapedText(s.statusText()))
		if s.Message != "" {
			m.writeBlock("The included document ended with the message: %s", codeSpan(s.Message))
		}
		m.writeFolded("The step's text in the document", s.Text, "")
		for _, attempt := range s.Attempts {
			m.writeAttempt(attempt)
		}
		m.writeSteps(s.Children, level+1)
	}
}

func (m *markdownWriter) writeAttempt(attempt *Attempt) {
	m.writeBlock("**%s**", escapedText(strings.Join(attempt.details(), " · ")))
	switch reason := machine.PersonNote(attempt.Reason); {
	case reason == "":
	case attempt.Override != nil:
		m.writeBlock("Note: %s", codeSpan(reason))
	default:
		m.writeBlock("Reason: %s", codeSpan(reason))
	}
	m.writeChecks(attempt.Checks)
	for _, w := range attempt.Work {
		m.writeWork(w)
	}
	for _, set := range attempt.Assignments {
		text := codeSpan(set.Name) + " = " + codeSpan(set.String())
		if set.SupersededBySeq > 0 {
			text += " · " + supersededMark
		}
		m.writeBlock("%s", text)
	}
	for _, d := range attempt.Decisions {
		m.writeDecision(d)
	}
}

func (m *markdownWriter) writeChecks(all []plan.Check) {
	var list strings.Builder
	for _, c := range all {
		fmt.Fprintf(&list, "- %s %s: %s", glyph(c.Verdict), c.Verdict, codeSpan(c.Text))
		if c.Detail != "" {
			list.WriteString(" — " + codeSpan(c.Detail))
		}
		list.WriteByte('\n')
	}
	if len(all) > 0 {
		m.writeBlock("%s", strings.TrimSuffix(list.String(), "\n"))
	}
}

func (m *markdownWriter) writeWork(w *Work) {
	m.writeBlock("*%s*", escapedText(strings.Join(append([]string{w.heading()}, w.details()...), " · ")))
	m.writeFolded("System prompt", w.SystemMessage, "")
	m.writeFence(w.Request, w.Language)
	m.writeFence(w.Arguments, "json")
	if len(w.Options) > 0 {
		m.writeBlock("Options: %s", codeSpans(w.Options))
	}
	if w.Answer != nil {
		m.writeBlock("Answer: %s", codeSpan(w.answerText()))
	}
	if note := machine.PersonNote(w.Note); note != "" {
		m.writeBlock("Note: %s", codeSpan(note))
	}
	m.writeFolded("Reasoning", w.Reasoning, "")
	for _, c := range w.WantedCalls {
		m.writeBlock("Requests a call to %s:", codeSpan(c.Name))
		m.writeFence(&c.Arguments, "json")
	}
	if w.Error != "" {
		m.writeBlock("Error: %s", codeSpan(w.Error))
	}
	m.writeResult(w)
}

// writeResult writes the result of a piece of work, folded if it is long. The output of a command needs no
// name, because it stands below the command.
func (m *markdownWriter) writeResult(w *Work) {
	e, name := w.Result, w.resultName()
	if e == nil || strings.Count(e.Text, "\n") >= minFoldedLines || e.LeftOut != nil {
		m.writeFolded(name, e, "text")
		return
	}
	if w.Kind != kindCommand {
		m.writeBlock("%s:", name)
	}
	m.writeFence(e, "text")
}

func (m *markdownWriter) writeDecision(d *Decision) {
	to := "→ " + escapedText(d.destination)
	if d.Overridden {
		to = "⇢ " + escapedText(d.destination) + " · " + d.OverrideMark()
	}
	if d.SupersededBySeq > 0 {
		to += " · " + supersededMark
	}
	if note := machine.PersonNote(d.Note); note != "" {
		to += ": " + codeSpan(note)
	}
	m.writeBlock("%s", to)
	var rows [][]string
	for _, c := range d.notableCandidates() {
		taken, line := "", ""
		if c.IsTaken {
			taken = "→"
		}
		if c.Line > 0 {
			line = fmt.Sprint(c.Line)
		}
		rows = append(rows, []string{taken, line, tableCell(c.Text), tableCell(c.shownWhy)})
	}
	if len(rows) > 0 {
		m.writeTable([]string{"taken", "line", "route", "why"}, rows)
	}
}

// minFoldedLines is the number of lines from which a result is folded.
const minFoldedLines = 12

// writeFolded writes a text that the reader can unfold.
func (m *markdownWriter) writeFolded(name string, e *Excerpt, info string) {
	if e == nil {
		return
	}
	m.writeBlock("<details><summary>%s</summary>", name)
	m.writeFence(e, info)
	m.writeBlock("</details>")
}

// writeFence writes a code block that its text cannot end.
func (m *markdownWriter) writeFence(e *Excerpt, info string) {
	if e == nil {
		return
	}
	text := e.String()
	mark := source.BacktickFence(text, 3)
	m.writeBlock("%s%s\n%s\n%s", mark, cleanFenceInfo(info), strings.TrimSuffix(text, "\n"), mark)
}

// cleanFenceInfo returns the letters, digits, dashes and plus signs of an info string.
func cleanFenceInfo(info string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '+' {
			return r
		}
		return -1
	}, info)
}

// codeSpan returns a text on one line, as a code span that it cannot end.
func codeSpan(text string) string {
	text = strings.TrimSpace(sanitize.Plain(text))
	if text == "" {
		return "“”"
	}
	return source.CodeSpan(text)
}

func codeSpans(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, codeSpan(t))
	}
	return strings.Join(out, ", ")
}

// maxCellRunes limits a text in a table, in characters.
const maxCellRunes = 300

// tableCell returns a text as a code span for a table. There, | ends the cell even inside a code span, also
// after a backslash.
func tableCell(text string) string {
	if text == "" {
		return ""
	}
	return strings.NewReplacer(`\|`, `\ \|`, "|", `\|`).Replace(codeSpan(plan.CutText(text, maxCellRunes)))
}

// escapedText returns a text on one line, without any effect as Markdown.
func escapedText(text string) string { return markdownEscaper.Replace(sanitize.Plain(text)) }

var markdownEscaper = newEscapeReplacer("\\`*_{}[]<>#|~&@$!", "://", `:\//`, "www.", `www\.`)

func newEscapeReplacer(each string, more ...string) *strings.Replacer {
	pairs := more
	for _, c := range each {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}

// name returns a step's label with its title, or what an arm is called.
func (s *Step) name() string {
	if s.armName != "" {
		return s.armName
	}
	if s.Title == "" || s.Title == s.Label {
		return s.Label
	}
	return s.Label + " " + s.Title
}

// notableCandidates returns the candidates, nil if the format supplies all of them by default: those
// say no more than the result does.
func (d *Decision) notableCandidates() []Candidate {
	if slices.ContainsFunc(d.Candidates, func(c Candidate) bool { return !c.Implicit }) {
		return d.Candidates
	}
	return nil
}
