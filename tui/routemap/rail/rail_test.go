package rail

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// drawn returns a whole drawing with one line per row, and a dot in each empty cell.
func drawn(r *Rail, focus int) string {
	var b strings.Builder
	for _, row := range r.Draw(0, r.rowCount, focus) {
		for _, c := range row {
			b.WriteRune(max(c.Rune, '·'))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestDraw(t *testing.T) {
	for name, c := range map[string]struct {
		rows  int
		hold  []int
		lanes int
		focus int
		arcs  []Arc
		want  string
	}{
		"a line of rows": {rows: 3, focus: -1, arcs: []Arc{{From: 0, To: 1}, {From: 1, To: 2}}},
		"past a title":   {rows: 4, hold: []int{1}, focus: -1, arcs: []Arc{{From: 0, To: 2}, {From: 2, To: 3, Stroke: Heavy}}},
		"to one row": {rows: 5, lanes: 4, focus: -1, arcs: []Arc{
			{From: 0, To: 4}, {From: 1, To: 4, Stroke: Heavy}, {From: 2, To: 4}, {From: 0, To: 1},
		}},
		"down and back": {rows: 5, lanes: 6, focus: -1, arcs: []Arc{
			{From: 3, To: 0}, {From: 1, To: 4, Stroke: Heavy}, {From: 0, To: 2}, {From: 2, To: 3},
		}},
		"by hand": {rows: 4, lanes: 6, focus: -1, arcs: []Arc{
			{From: 0, To: 3, Stroke: Dotted}, {From: 1, To: 3}, {From: 2, To: 3, Stroke: Dotted},
		}},
		"no lane left":          {rows: 4, lanes: 3, focus: -1, arcs: []Arc{{From: 0, To: 2}, {From: 1, To: 3}}},
		"but for the focus":     {rows: 4, lanes: 3, focus: 3, arcs: []Arc{{From: 0, To: 2}, {From: 1, To: 3}}},
		"faint":                 {rows: 4, lanes: 3, focus: 0, arcs: []Arc{{From: 1, To: 3, OnlyInFocus: true}}},
		"faint, with the focus": {rows: 4, lanes: 3, focus: 1, arcs: []Arc{{From: 1, To: 3, OnlyInFocus: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			holders := make([]bool, c.rows)
			for _, i := range c.hold {
				holders[i] = true
			}
			golden.RequireEqual(t, drawn(New(holders, c.arcs, c.lanes), c.focus))
		})
	}
}

// TestParts: a drawn part equals the same rows of the whole drawing, and HiddenCount counts the arcs without a lane.
func TestParts(t *testing.T) {
	var arcs []Arc
	for i := range 200 {
		arcs = append(arcs, Arc{From: i, To: (i * 37) % 200}, Arc{From: i, To: i + 1 - i/199})
	}
	r := New(make([]bool, 200), arcs, 8)
	all := r.Draw(0, 200, 100)
	part := r.Draw(90, 20, 100)
	for i, row := range part {
		if !slices.Equal(row, all[90+i]) {
			t.Fatalf("row %d: %v, %v", i, row, all[90+i])
		}
		if len(row) != r.Width() {
			t.Errorf("row %d has %d cells of %d", i, len(row), r.Width())
		}
	}
	if r.HiddenCount() == 0 || len(part) != 20 || len(r.Draw(190, 20, -1)) != 10 {
		t.Errorf("%d hidden, %d rows", r.HiddenCount(), len(part))
	}
}

// TestRoles: if two lines meet in a cell, the more important role wins.
func TestRoles(t *testing.T) {
	r := New(make([]bool, 4), []Arc{{From: 0, To: 2, IsTakenByOthers: true}, {From: 1, To: 3, Stroke: Heavy}}, 6)
	for focus, want := range map[int]LineRole{-1: TakenByOthersRole, 0: FocusRole} {
		if got := r.Draw(0, 1, focus)[0]; got[r.Width()-3].Role != want {
			t.Errorf("focus %d: %v", focus, got)
		}
	}
}
