package draw

import (
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// StepName returns a row's label among those of all documents, and its title; of a way of a choice,
// its condition.
func StepName(r *track.Row) string {
	if r.Step != nil && r.Step.IsArm() {
		if r.Step.When == nil {
			return "else"
		}
		return Clean(r.Step.When.Text)
	}
	label := r.Local
	if strings.HasSuffix(r.Label, r.Local) {
		label = r.Label
	}
	if r.Title == r.Local {
		return Clean(label)
	}
	return strings.TrimSpace(Clean(label) + " " + Clean(r.Title))
}

// ToolName returns a tool as people name it.
func ToolName(server, tool string) string {
	if server == "" || plan.IsLocal(server) {
		return Clean(tool)
	}
	return Clean(server) + "/" + Clean(tool)
}

// LastTool returns the tool that a row called last, if that is the last that it did.
func LastTool(r *track.Row) string {
	if !r.LastIsTool() {
		return ""
	}
	return ToolName(r.Newest().Server, r.Newest().Tool)
}

// Gutter returns the two cells that mark where a run is and where it pauses.
func (l *Look) Gutter(s Selection, hasBreakpoint, isCurrent bool) string {
	mark := l.Mark(s)
	switch {
	case hasBreakpoint && isCurrent:
		return mark + l.Accent.Paint("▶") + l.Fail.Paint("●")
	case hasBreakpoint:
		return mark + l.Fail.Paint("●") + " "
	case isCurrent:
		return mark + l.Accent.Paint("▶") + " "
	}
	return mark + "  "
}

// PreparedBy names who gave an answer that nobody typed, "" for any other.
func PreparedBy(by string) string {
	return map[string]string{
		machine.ByFlag: "by flag", machine.ByFile: "from file", machine.ByAuto: "automatic", "replay": "from an earlier run",
	}[by]
}

// GivenBy returns who gave a row's newest answer or reply, "" before there is one.
func GivenBy(r *track.Row) string {
	if x := r.Last(); x != nil {
		return x.By
	}
	return ""
}

// ShortLabel returns a label in about n cells: of a longer one its end, which tells the steps of one
// document apart.
func ShortLabel(label string, n int) string {
	label = Clean(label)
	if i := strings.LastIndexByte(label, '/'); i > 0 && len(label) > n {
		return "…" + label[i:]
	}
	return label
}

// HintLabel is how much of a step's label the last line has room for.
const HintLabel = 12

// Owner returns a row's label as the owner of something: 2.1's.
func Owner(r *track.Row) string { return ShortLabel(r.Label, HintLabel) + "'s" }
