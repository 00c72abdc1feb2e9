package why

import (
	"fmt"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// fillTimeline makes the lines of the visible events only, because there may be thousands.
func (p *Pane) fillTimeline(run *runview.Run) {
	n, h, at := len(run.Events), p.box.H, run.ShownEventIndex
	p.topLine = min(max(p.topLine, at+1-h), max(0, at), max(0, n-h))
	p.body = p.body[:0]
	end := min(n, p.topLine+h)
	labels := labelColumnWidth(run, run.Events[p.topLine:end], p.box.W)
	for i := p.topLine; i < end; i++ {
		text := timelineLine(run, run.Events[i], i == at && run.ShowsEarlierMoment(), labels, p.box.W-2)
		p.body = append(p.body, run.DrawContext.ListRow(text, p.box.W, draw.SelectionOf(i == at, run.Focus == layout.WhyPane)))
	}
}

// eventCountText returns the number of events as text. If a rewind has left some out, it also says how many were recorded.
func eventCountText(all []machine.Event) string {
	if n := len(all); n > 0 && all[n-1].Seq > n {
		return fmt.Sprintf("%s of %s recorded events", plan.FormatThousands(n), plan.FormatThousands(all[n-1].Seq))
	}
	return plan.CountText(len(all), "event")
}

// joinLines returns a text on one line, with a sign for each line end.
func joinLines(text string) string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return draw.CleanLine(strings.ReplaceAll(text, "\n", " ↵ "))
}

// minWidestLabel is the width that a label may have in a pane of any width, in cells.
const minWidestLabel = 10

// labelColumnWidth returns the width of the column of labels for a part of the timeline that is w cells wide: as wide
// as they need, up to half of w. For the condition of an arm, it is at most a third of w.
func labelColumnWidth(run *runview.Run, events []machine.Event, w int) int {
	n := 0
	for _, e := range events {
		step, condition := labelParts(run, e.Step)
		whole := run.DrawContext.Width(draw.JoinWords(step, condition))
		n = max(n, min(run.DrawContext.Width(step), max(minWidestLabel, w/2)), min(whole, max(minWidestLabel, w/3)))
	}
	return n
}

// labelParts returns the label of a step and, if it is an arm, its condition. The label is then that of the step of
// the arm.
func labelParts(run *runview.Run, label string) (step, condition string) {
	if r := run.Track.RowByLabel(label); r != nil && r.Step != nil && r.Step.IsArm() {
		return draw.CleanLine(r.StepLabel()), draw.CleanLine(r.Step.ArmText())
	}
	return draw.CleanLine(label), ""
}

// labelCell returns the label of a step in w cells. A label that is too long keeps its end, which distinguishes the
// steps of a document, and the condition of an arm keeps its start.
func labelCell(run *runview.Run, label string, w int) string {
	dc := run.DrawContext
	step, condition := labelParts(run, label)
	step = draw.ShortLabel(step, w)
	if n := dc.Width(step); n > w && w > 0 {
		step = "…" + dc.Slice(step, n-w+1, n)
	}
	return dc.Fit(draw.JoinWords(step, condition), w)
}

// authorSuffix returns who made an event, in parentheses. It is "" if the description already ends with "(person)".
func authorSuffix(e track.EventLine) string {
	if e.By == "" || strings.HasSuffix(e.Description, "("+machine.ByPerson+")") {
		return ""
	}
	return " (" + wording.AuthorOfLine(e) + ")"
}

// timelineLine returns a line of the timeline, of at most w cells. labels is the width of the column of labels. If
// offersRewind is set, the line of a call or command offers a rewind to before it, because it will run again.
func timelineLine(run *runview.Run, happened machine.Event, offersRewind bool, labels, w int) string {
	dc := run.DrawContext
	e := run.Track.EventLine(happened)
	when := "        "
	if !e.Time.IsZero() {
		when = e.Time.Local().Format("15:04:05")
	}
	what := joinLines(e.Description)
	if e.Note != "" {
		what += ": " + joinLines(e.Note)
	}
	what += authorSuffix(e)
	if _, begun := happened.Body.(*machine.ActionStarted); begun && offersRewind {
		what += dc.Keys.FillInKeys(" · {rewind} to rewind to before this")
	}
	switch {
	case e.Overridden:
		what = dc.Warn.Paint("! " + what)
	case e.By != "":
		what = dc.Person.Paint(what)
	}
	return dc.Cut(dc.Muted.Paint(when)+"  "+labelCell(run, happened.Step, labels)+"  "+what, w)
}
