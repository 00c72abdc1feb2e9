package breakpoints_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/parse/rundown"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

// newRun returns a run of two steps. The first step is selected and has a breakpoint.
func newRun() *runview.Run {
	p := rundown.Parse("a.runbook.md", []byte("## 1. One\nDone?\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Two\nDone?\n- PASS: COMPLETE\n- FAIL: STOP\n"), rundown.Options{})
	tr := track.New(p)
	return &runview.Run{
		RunView:    control.RunView{Plan: p, Track: tr, Breakpoints: []engine.Breakpoint{{Step: "1"}}},
		ShownTrack: tr, SelectedRow: tr.Rows[0], DrawContext: draw.New(themes.PlainPalette(), keymap.Map{}),
		SelectableRows: func() []*track.Row { return tr.Rows },
	}
}

func TestList(t *testing.T) {
	for key, want := range map[string][]tea.Msg{
		"space": {breakpoints.ReplaceAll{Breakpoints: []engine.Breakpoint{{Step: "1", IsDisabled: true}}}},
		"x":     {breakpoints.ReplaceAll{Breakpoints: []engine.Breakpoint{}}},
		"esc":   {dialog.Close{}},
	} {
		run := newRun()
		if got, _ := breakpoints.NewList(run).Update(run, terminal.KeyPress(key)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", key, got)
		}
	}
	run := newRun()
	got, _ := breakpoints.NewList(run).Update(run, terminal.KeyPress("enter"))
	if want := []tea.Msg{dialog.Close{}, request.SelectStep{Row: run.SelectedRow}, request.FocusPanes{}}; !reflect.DeepEqual(got, want) {
		t.Errorf("enter: %v", got)
	}
}

// TestInvalidConditionIsAskedAgain: an invalid condition is asked for again, with the text that was typed.
func TestInvalidConditionIsAskedAgain(t *testing.T) {
	run := newRun()
	for text, want := range map[string]engine.Breakpoint{"hit 2": {Step: "1", NthHit: 2}, ":after": {Step: "1", After: true}} {
		got := breakpoints.AskConditions(run, run.SelectedRow).OnSubmit(run, text)
		if !reflect.DeepEqual(got, []tea.Msg{breakpoints.ReplaceAll{Breakpoints: []engine.Breakpoint{want}}}) {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{"hit", "if x == \"1\""} {
		got := breakpoints.AskConditions(run, run.SelectedRow).OnSubmit(run, text)
		if len(got) != 2 || got[0].(dialog.Open).Dialog.View(run, 40, 1)[0] == "" {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestRows: a row names the step of its breakpoint and has a red mark if the breakpoint is enabled.
func TestRows(t *testing.T) {
	run := newRun()
	run.DrawContext = draw.New(themes.DefaultPair().ForBackground(true), keymap.Map{})
	run.Breakpoints = append(run.Breakpoints, engine.Breakpoint{Step: "2", NthHit: 2}, engine.Breakpoint{Step: "2", IsDisabled: true},
		engine.Breakpoint{Step: engine.AnyFailureStep, After: true, OnlyFailures: true, NthHit: 3, IsDisabled: true})
	rows := breakpoints.NewList(run).View(run, 60, 10)
	red, _, _ := strings.Cut(run.DrawContext.Fail.Paint("●"), "●")
	for i, want := range []string{"● 1 One", "● 2 Two  hit 2", "◌ 2 Two  off", "◌ wherever a step fails  hit 3 off"} {
		if text := ansi.Strip(rows[i]); !strings.Contains(text, want) || strings.Contains(rows[i], red) != strings.Contains(want, "●") {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
}

// TestListWithoutStep: if no step is selected, the list selects the breakpoint on any failure.
func TestListWithoutStep(t *testing.T) {
	run := newRun()
	anyFailure, err := engine.ParseBreakpoint(engine.AnyFailureText)
	if err != nil {
		t.Fatal(err)
	}
	run.SelectedRow, run.Breakpoints = nil, []engine.Breakpoint{anyFailure}
	if _, handled := breakpoints.NewList(run).Update(run, terminal.KeyPress("space")); !handled {
		t.Error("the selected breakpoint cannot be disabled")
	}
}
