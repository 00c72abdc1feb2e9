package text_test

import (
	"strings"
	"testing"

	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/pane/text"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
)

func view(p *text.Pane, run *runview.Run) string { return runviewtest.PlainText(p.View(run)) }

// TestStep: the pane shows a step's text, command and routes, rendered or raw.
func TestStep(t *testing.T) {
	run, p := runviewtest.New(t, keymap.Map{}), text.New()
	p.Resize(layout.Rect{W: 40, H: 12})
	p.Sync(run, 40, false, false, false, "")
	for _, want := range []string{"Do it.", "$ make", "PASS: CONTINUE"} {
		if !strings.Contains(view(p, run), want) {
			t.Errorf("no %q in\n%s", want, view(p, run))
		}
	}
	if title := p.Title(run); title.Left != "1 One" || !strings.Contains(title.Right, "passed") {
		t.Errorf("title %v", title)
	}
	p.SetRaw(true)
	p.Sync(run, 40, false, false, false, "")
	if !strings.Contains(view(p, run), "Do **it**.") || !p.IsRaw() {
		t.Errorf("raw:\n%s", view(p, run))
	}
}

// TestIntroduction: before the run, the pane shows the introduction of the document, and a notice below it.
func TestIntroduction(t *testing.T) {
	run, p := runviewtest.New(t, keymap.Map{}), text.New()
	p.Resize(layout.Rect{W: 40, H: 12})
	p.Sync(run, 40, true, false, false, "no model is set up")
	if got := view(p, run); !strings.Contains(got, "What it is for.") || !strings.Contains(got, "no model is set up") {
		t.Errorf("shows\n%s", got)
	}
	if x := p.Excerpts(run); x[0].Name != "introduction" {
		t.Errorf("excerpts %v", x)
	}
}

func TestScrolling(t *testing.T) {
	run, p := runviewtest.New(t, keymap.Map{}), text.New()
	p.Resize(layout.Rect{W: 40, H: 3})
	p.Sync(run, 40, false, false, false, "")
	if !strings.Contains(view(p, run), "more lines") {
		t.Errorf("does not say that there is more:\n%s", view(p, run))
	}
	back := p.PositionRestorer(run)
	p.Update(run, pane.Move{Lines: 100})
	if strings.Contains(view(p, run), "Do it.") {
		t.Errorf("did not scroll:\n%s", view(p, run))
	}
	back(run)
	if !strings.Contains(view(p, run), "Do it.") {
		t.Errorf("did not go back:\n%s", view(p, run))
	}
}
