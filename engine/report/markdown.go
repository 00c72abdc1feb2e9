package report

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Markdown returns the report for GitHub and similar viewers.
func (r *Report) Markdown() []byte {
	m := &markdown{}
	m.writeBlock("# %s", escapedText(titleOrPath(r.Title, r.Path)))
	m.writeSummary(r)
	m.changes(r.Changes)
	m.files(r.Files)
	m.writeSectionHeading("Path", len(r.EnteredSteps) > 0)
	if len(r.EnteredSteps) > 0 {
		m.writeBlock("%s", escapedText(strings.Join(track.FormatStepPath(r.EnteredSteps), " → ")))
	}
	m.variables("Inputs", r.Inputs)
	m.variables("Values", r.Variables)
	m.warnings(r.Warnings)
	m.writeSectionHeading("Steps", true)
	m.steps(r.Steps, 3)
	if r.Output != nil {
		m.writeSectionHeading("Final output", true)
		m.writeBlock("%s, of step %s", codeSpan(r.Output.Type), codeSpan(r.Output.Step))
		m.writeFence(&r.Output.Text, r.Output.Type)
	}
	return m.out.Bytes()
}

// markdown collects blocks with an empty line between them.
type markdown struct{ out bytes.Buffer }

func (m *markdown) writeBlock(format string, args ...any) {
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
	fmt.Fprintf(&m.out, format+"\n", args...)
}

func (m *markdown) writeSectionHeading(title string, there bool) {
	if there {
		m.writeBlock("## %s", title)
	}
}

// table writes rows of cells. The cells must be Markdown.
func (m *markdown) table(head []string, rows [][]string) {
	row := func(cells []string) { fmt.Fprintf(&m.out, "| %s |\n", strings.Join(cells, " | ")) }
	m.out.WriteByte('\n')
	row(head)
	row(strings.Split(strings.Repeat("---\x00", len(head)-1)+"---", "\x00"))
	for _, cells := range rows {
		row(cells)
	}
}

func (m *markdown) writeSummary(r *Report) {
	var rows [][]string
	for _, f := range r.Summary() {
		rows = append(rows, []string{f.Name, tableCell(f.Value)})
	}
	result := "**" + glyph(r.Result) + " " + resultText(r.Result) + "**"
	if r.Message != "" {
		result += " " + tableCell(r.Message)
	}
	m.table([]string{"Result", result}, rows)
}

// SummaryLine is a line about the whole run.
type SummaryLine struct{ Name, Value string }

// Summary returns the lines about the whole run, without its result.
func (r *Report) Summary() []SummaryLine {
	out := []SummaryLine{{"Document", fmt.Sprintf("%s (%s)", r.Path, r.formatName)}, {"Run", r.Run}}
	add := func(yes bool, name, format string, args ...any) {
		if yes {
			out = append(out, SummaryLine{name, fmt.Sprintf(format, args...)})
		}
	}
	if f := r.Fork; f != nil {
		add(true, "Fork", "of run %s, after its event %d", f.Run, f.Event)
	}
	if r.Waiting != nil {
		add(true, "Waits", "%s", r.Waiting.text)
	}
	add(true, "Started", "%s", r.Started.UTC().Format(time.RFC1123))
	add(true, "Took", "%s", r.Took)
	if r.Used != nil {
		add(true, "Models", "tokens %s", r.Used.text)
	}
	add(r.Prompted, "Prompted", "nothing was executed: a person reported the outcomes")
	return out
}

func (m *markdown) changes(all []Change) {
	m.writeSectionHeading("What a person changed", len(all) > 0)
	for _, c := range all {
		var item strings.Builder
		fmt.Fprintf(&item, "- **!** %s (event %d)", codeSpan(c.heading()), c.Event)
		if c.Superseded > 0 {
			item.WriteString(" · " + supersededMark)
		}
		if c.Reason != "" {
			fmt.Fprintf(&item, "\n  - reason: %s", codeSpan(c.Reason))
		}
		for _, done := range c.StaysDone {
			fmt.Fprintf(&item, "\n  - not undone: %s", codeSpan(done))
		}
		m.writeBlock("%s", item.String())
		m.writeFence(c.diff(), "diff")
	}
}

func (m *markdown) files(all []File) {
	m.writeSectionHeading("Changed files", len(all) > 0)
	for _, f := range all {
		m.writeBlock("- %s, %s", codeSpan(f.Path), escapedText(f.About()))
		m.writeFence(f.Diff, "diff")
	}
}

// About returns which steps changed the file.
func (f File) About() string {
	what := "changed by "
	if f.New {
		what = "new, by "
	}
	return what + strings.Join(f.Steps, ", ")
}

func (m *markdown) variables(title string, all []Variable) {
	if m.writeSectionHeading(title, len(all) > 0); len(all) == 0 {
		return
	}
	var rows [][]string
	for _, v := range all {
		rows = append(rows, []string{tableCell(v.Name), tableCell(v.String()), tableCell(v.origin())})
	}
	m.table([]string{"Name", "Value", "From"}, rows)
}

func (m *markdown) warnings(all []Warning) {
	m.writeSectionHeading("Warnings", len(all) > 0)
	for _, w := range all {
		m.writeBlock("- %s %s", codeSpan(w.Message), escapedText(w.Step))
	}
}

// steps writes the tree as headings. Steps below the deepest heading level have that level too.
func (m *markdown) steps(all []*Step, level int) {
	for _, s := range all {
		title := glyph(s.Status) + " " + escapedText(s.name())
		if s.Overridden {
			title += " · ! overridden"
		}
		if s.Edited {
			title += " · ! edited"
		}
		m.writeBlock("%s %s — %s", strings.Repeat("#", min(level, 6)), title, s.statusText())
		if s.Message != "" {
			m.writeBlock("Ended: %s", codeSpan(s.Message))
		}
		m.writeFolded("The document's text", s.Text, "")
		for _, v := range s.Visits {
			m.visit(v)
		}
		m.steps(s.Children, level+1)
	}
}

func (m *markdown) visit(v *Visit) {
	m.writeBlock("**%s**", escapedText(strings.Join(v.details(), " · ")))
	if v.Reason != "" {
		m.writeBlock("Reason: %s", codeSpan(v.Reason))
	}
	m.checks(v.Checks)
	for _, w := range v.Work {
		m.work(w)
	}
	for _, set := range v.Set {
		m.writeBlock("%s = %s", codeSpan(set.Name), codeSpan(set.String()))
	}
	for _, d := range v.Decisions {
		m.decision(d)
	}
}

func (m *markdown) checks(all []plan.Check) {
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

func (m *markdown) work(w *Work) {
	m.writeBlock("*%s*", escapedText(strings.Join(append([]string{w.heading()}, w.details()...), " · ")))
	m.writeFolded("System message", w.System, "")
	m.writeFence(w.Request, w.Language)
	m.writeFence(w.Arguments, "json")
	if len(w.Options) > 0 {
		m.writeBlock("Options: %s", codeSpans(w.Options))
	}
	if w.Answer != nil {
		m.writeBlock("Answer: %s", codeSpan(w.Answer.String()))
	}
	if w.Note != "" {
		m.writeBlock("Note: %s", codeSpan(w.Note))
	}
	m.writeFolded("Reasoning", w.Reasoning, "")
	for _, c := range w.Calls {
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
func (m *markdown) writeResult(w *Work) {
	e, name := w.Result, w.resultName()
	if e == nil || strings.Count(e.Text, "\n") >= foldedFromLines || e.LeftOut != nil {
		m.writeFolded(name, e, "text")
		return
	}
	if w.Kind != kindCommand {
		m.writeBlock("%s:", name)
	}
	m.writeFence(e, "text")
}

func (m *markdown) decision(d *Decision) {
	to := "→ " + escapedText(d.To)
	if d.Overridden {
		to = "⇢ " + escapedText(d.To) + " · ! overridden"
	}
	if d.Superseded > 0 {
		to += " · " + supersededMark
	}
	if d.Reason != "" {
		to += ": " + codeSpan(d.Reason)
	}
	m.writeBlock("%s", to)
	var rows [][]string
	for _, c := range d.notableCandidates() {
		taken := ""
		if c.IsTaken {
			taken = "→"
		}
		rows = append(rows, []string{taken, fmt.Sprint(c.Line), tableCell(c.Text), tableCell(c.Why)})
	}
	if len(rows) > 0 {
		m.table([]string{"taken", "line", "route", "why"}, rows)
	}
}

// foldedFromLines is the number of lines from which a result is folded.
const foldedFromLines = 12

// writeFolded writes a text that the reader can unfold.
func (m *markdown) writeFolded(name string, e *Excerpt, info string) {
	if e == nil {
		return
	}
	m.writeBlock("<details><summary>%s</summary>", name)
	m.writeFence(e, info)
	m.writeBlock("</details>")
}

// writeFence writes a code block that its text cannot end.
func (m *markdown) writeFence(e *Excerpt, info string) {
	if e == nil {
		return
	}
	text := e.String()
	mark := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.writeBlock("%s%s\n%s\n%s", mark, infoWord(info), strings.TrimSuffix(text, "\n"), mark)
}

// infoWord returns the letters, digits, dashes and plus signs of an info string.
func infoWord(info string) string {
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
	mark := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return mark + text + mark
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
	if runes := []rune(text); len(runes) > maxCellRunes {
		text = string(runes[:maxCellRunes]) + "…"
	}
	return strings.NewReplacer(`\|`, `\ \|`, "|", `\|`).Replace(codeSpan(text))
}

// escapedText returns a text on one line, without any effect as Markdown.
func escapedText(text string) string { return markdownEscaper.Replace(sanitize.Plain(text)) }

var markdownEscaper = escapeReplacer("\\`*_{}[]<>#|~&@$!", "://", `:\//`, "www.", `www\.`)

func escapeReplacer(each string, more ...string) *strings.Replacer {
	pairs := more
	for _, c := range each {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
}

// longestRun returns the length of the longest run of a byte in a text.
func longestRun(text string, of byte) int {
	best, n := 0, 0
	for i := range len(text) {
		if text[i] != of {
			n = 0
			continue
		}
		n++
		best = max(best, n)
	}
	return best
}

// titleOrPath returns the title of a document, or its path if it has no title.
func titleOrPath(title, path string) string {
	if title == "" {
		return path
	}
	return title
}

// name returns a step's label with its title.
func (s *Step) name() string {
	if s.Title == "" || s.Title == s.Label {
		return s.Label
	}
	return s.Label + " " + s.Title
}

// notableCandidates returns the candidates, nil if the format supplies all of them by default: those
// say no more than the result does.
func (d *Decision) notableCandidates() []Candidate {
	for _, c := range d.Candidates {
		if !c.Implicit {
			return d.Candidates
		}
	}
	return nil
}
