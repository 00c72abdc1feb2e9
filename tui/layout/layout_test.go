package layout

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestArrange: at any size and with any split, panes are on the screen and do not overlap, and the pane with focus
// shows.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		w, h, want := MinScreenWidth+r.IntN(200), MinScreenHeight+r.IntN(60), randomNeeds(r)
		l := Arrange(w, h, want)
		if l.PaneRects[want.Focus].IsEmpty() {
			t.Fatalf("%d×%d %+v: %s has the focus and does not show", w, h, want, PaneKinds[want.Focus].Name)
		}
		taken := map[[2]int]PaneID{}
		for p := StepsPane; p <= DialogPlace; p++ {
			box := l.PaneRects[p]
			if box.IsEmpty() {
				continue
			}
			if box.X < 1 || box.Y < 2 || box.X+box.W > w-1 || box.Y+box.H > h {
				t.Fatalf("%d×%d %+v: %s at %+v is not on the screen", w, h, want, PaneKinds[p].Name, box)
			}
			for y := box.Y; y < box.Y+box.H; y++ {
				if other, twice := taken[[2]int{box.X, y}]; twice {
					t.Fatalf("%d×%d %+v: %s and %s on line %d", w, h, want, PaneKinds[p].Name, PaneKinds[other].Name, y)
				}
				taken[[2]int{box.X, y}] = p
			}
		}
	}
}

// TestEveryLineBelongsToAPane: the panes beside the steps fill their column with their titles and lines, whatever the
// previous layout was.
func TestEveryLineBelongsToAPane(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		w, h, want := 110+r.IntN(100), minSplitHeight+r.IntN(40), randomNeeds(r)
		want.IsZoomed, want.IsPresenting = false, false
		before := randomNeeds(r)
		before.IsZoomed, before.IsPresenting = false, false
		want.Previous = Arrange(w, h, before)
		l, lines := Arrange(w, h, want), 0
		for p := TextPane; p <= DialogPlace; p++ {
			if l.PaneRects[p].W > 0 {
				lines += 1 + l.PaneRects[p].H
			}
		}
		if lines != h-2 && l.Shape != OnePaneShape {
			t.Fatalf("%d×%d %+v: the panes have %d lines: %+v", w, h, want, lines, l.PaneRects)
		}
	}
}

func randomNeeds(r *rand.Rand) Needs {
	maybe := func(n int) int { return r.IntN(2) * (1 + r.IntN(n)) }
	want := Needs{
		Focus: StepsPane + PaneID(r.IntN(int(WhyPane))), DialogMayCoverOutput: r.IntN(2) == 0, IsZoomed: r.IntN(4) == 0, IsPresenting: r.IntN(4) == 0,
		Split:       Split{StepsShare: maybe(1000), TextShare: maybe(1000), WhyShare: maybe(1000)},
		OmitsOutput: r.IntN(4) == 0, TextLines: r.IntN(60), OutputLines: maybe(60), IsOutputSettled: r.IntN(2) == 0, WhyLines: maybe(40),
	}
	if r.IntN(3) == 0 {
		want.DialogLines, want.Focus, want.AsksAboutOutput = 1+r.IntN(40), DialogPlace, r.IntN(2) == 0
		want.ShowsEarlierOutput, want.TextLines = !want.AsksAboutOutput && !want.OmitsOutput && r.IntN(2) == 0, want.TextLines*r.IntN(2)
	}
	return want
}

// TestNoBlankLinesWhileAnotherPaneIsCut: no pane has blank lines while another one is cut, unless a person moved
// borders or output arrives. TerminalRect does not depend on needs, and arranging the same needs again changes nothing.
func TestNoBlankLinesWhileAnotherPaneIsCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		w, h, want := MinScreenWidth+r.IntN(200), MinScreenHeight+r.IntN(60), randomNeeds(r)
		l, usual := Arrange(w, h, want), Arrange(w, h, withUsualHeights(want))
		fail := func(what string) { t.Fatalf("%d×%d %+v: %s: %+v", w, h, want, what, l) }
		text, output := l.PaneRects[TextPane], l.PaneRects[OutputPane]
		want.Previous = l
		switch {
		case l.Shape != OnePaneShape && l.TerminalRect != usual.TerminalRect:
			fail("the terminal is another one")
		case want.DialogLines > 0 && !want.isOutputBelowDialog() && l.Shape != OnePaneShape && !text.IsEmpty() && l.PaneRects[DialogPlace].Y != text.Y+text.H+1+output.H+min(1, output.H):
			fail("the dialog does not stand directly below what it is about")
		case Arrange(w, h, want) != l:
			fail("it moves though nothing has come")
		case want.isAboutOutputOnly() && l.Shape != OnePaneShape && !want.Split.Hides(OutputPane) && output.Y+output.H+1 != l.PaneRects[DialogPlace].Y:
			fail("the dialog does not stand directly below the output that it asks about")
		case want.AsksAboutOutput && !want.OmitsOutput && !want.IsPresenting && !want.Split.Hides(OutputPane) && text.H >= MinOutputHeight+1 && output.IsEmpty():
			fail("the text shows, and the output that the dialog asks about does not")
		}
		if l.Shape == OnePaneShape || !want.IsOutputSettled || want.Split.TextShare > 0 || want.Split.WhyShare > 0 {
			continue
		}
		needs := [DialogPlace + 1]int{TextPane: max(MinTextLines, want.TextLines), OutputPane: max(1, want.OutputLines), WhyPane: want.WhyLines, DialogPlace: want.DialogLines}
		if want.TextLines == 0 {
			needs[TextPane] = 1
		}
		cut, blank := 0, 0
		for _, p := range []PaneID{TextPane, OutputPane, WhyPane, DialogPlace} {
			if l.PaneRects[p].W > 0 {
				cut, blank = max(cut, needs[p]-l.PaneRects[p].H), max(blank, l.PaneRects[p].H-needs[p])
			}
		}
		if cut > 0 && blank > minWhyLines {
			fail("a pane has blank lines and another one is cut")
		}
	}
}

// withUsualHeights returns needs with which the panes get their usual heights.
func withUsualHeights(want Needs) Needs {
	want.TextLines, want.OutputLines, want.WhyLines, want.IsOutputSettled = 0, 0, 0, true
	return want
}

// TestBordersWhileOutputComes: while output arrives, its border moves only if the output needs more room, always up,
// and less often the longer the output is. While the text is cut, at most half of the output is blank.
func TestBordersWhileOutputComes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		w, h, want := minMediumWidth+r.IntN(200), minSplitHeight+r.IntN(60), Needs{Focus: StepsPane, TextLines: r.IntN(60), WhyLines: r.IntN(20), IsOutputSettled: true}
		l := Arrange(w, h, want)
		want.IsOutputSettled, want.Previous = false, l
		l = Arrange(w, h, want)
		moves := 0
		for ; want.OutputLines < 100; want.OutputLines += r.IntN(4) {
			want.Previous = l
			now := Arrange(w, h, want)
			if now.PaneRects[OutputPane].H < l.PaneRects[OutputPane].H {
				t.Fatalf("%d×%d %+v: the output has %d lines, it had %d", w, h, want, now.PaneRects[OutputPane].H, l.PaneRects[OutputPane].H)
			}
			if now != l {
				moves++
				if had := l.PaneRects[OutputPane].H; moves > 1 && had > 0 && want.OutputLines <= had {
					t.Fatalf("%d×%d %+v: the border moved although the output fits", w, h, want)
				}
			}
			if room := now.PaneRects[OutputPane].H; now.PaneRects[TextPane].H < want.TextLines && room > max(minOutputLines, 2*want.OutputLines) {
				t.Fatalf("%d×%d %+v: the output has %d lines while the text is cut", w, h, want, room)
			}
			l = now
		}
		if moves > 5 {
			t.Fatalf("%d×%d, %d lines of text: the border moved %d times", w, h, want.TextLines, moves)
		}
	}
}

// TestOutputBelowAShorterText: the output of the next step begins directly below its text, even if the previous step
// had a longer text. It does not move when the text of the same attempt gets shorter.
func TestOutputBelowAShorterText(t *testing.T) {
	want := Needs{Focus: StepsPane, TextLines: 9, OutputLines: 2, WhyLines: 3, ShownAttemptIdentity: 1}
	want.Previous = Arrange(120, 40, want)
	want.TextLines = 5
	if got := Arrange(120, 40, want).PaneRects[TextPane].H; got != 9 {
		t.Errorf("the text has %d lines during the same attempt, not 9", got)
	}
	want.ShownAttemptIdentity = 2
	if got := Arrange(120, 40, want).PaneRects[TextPane].H; got != 5 {
		t.Errorf("the text of the next step has %d lines, not 5", got)
	}
}

// TestFinalOutputBesideTheTimeline: output that has ended gets only the lines that it needs, and the timeline gets the
// others.
func TestFinalOutputBesideTheTimeline(t *testing.T) {
	want := Needs{Focus: WhyPane, TextLines: 3, OutputLines: 1, WhyLines: 30, WhyEventLines: 30, IsOutputSettled: true, IsWhyRequested: true}
	if got := Arrange(80, 24, want).PaneRects[OutputPane].H; got != 1 {
		t.Errorf("one line of output has %d lines", got)
	}
}

// TestOutputBelowSteps: on a small screen, output of more than a few lines gets all lines that the steps leave blank,
// and gets them at once.
func TestOutputBelowSteps(t *testing.T) {
	for rows, want := range map[int][]int{3: {2, 8}, 9: {2}, 40: {2}} {
		var heights []int
		for lines := 1; lines < 50; lines++ {
			l := Arrange(60, 16, Needs{Focus: StepsPane, StepsLines: rows, OutputLines: lines})
			if h := l.PaneRects[OutputPane].H; len(heights) == 0 || heights[len(heights)-1] != h {
				heights = append(heights, h)
			}
			if steps := l.PaneRects[StepsPane].H; steps < min(rows, 9) {
				t.Errorf("%d of %d steps show above %d lines", steps, rows, lines)
			}
		}
		if !slices.Equal(heights, want) {
			t.Errorf("%d steps: the output has %v lines, not %v", rows, heights, want)
		}
	}
}

// TestScrollingDialog: on a tall screen, a long dialog that scrolls takes three fifths of the lines, and more only
// if the text does not need them.
func TestScrollingDialog(t *testing.T) {
	for text, want := range map[int]int{5: 31, 10: 26, 30: 22} {
		l := Arrange(120, 40, Needs{Focus: DialogPlace, DialogLines: 50, DialogScrolls: true, DialogMayCoverOutput: true, OmitsOutput: true, TextLines: text, IsOutputSettled: true})
		if got := l.PaneRects[DialogPlace].H; got != want {
			t.Errorf("%d lines of text: the dialog has %d, not %d", text, got, want)
		}
	}
}

// TestDialogBelowGrowingOutput: a dialog stays directly below output that grows, and moves only a few times.
func TestDialogBelowGrowingOutput(t *testing.T) {
	want := Needs{Focus: DialogPlace, DialogLines: 4, TextLines: 5}
	var heights []int
	for ; want.OutputLines < 20; want.OutputLines++ {
		want.Previous = Arrange(120, 40, want)
		if h := want.Previous.PaneRects[OutputPane].H; len(heights) == 0 || heights[len(heights)-1] != h {
			heights = append(heights, h)
		}
	}
	if !slices.Equal(heights, []int{3, 6, 12, 24}) {
		t.Errorf("the output above the dialog has %v lines", heights)
	}
}

// TestMoveBorder: a border moves to the given place or to its limit, and moving it to where it is changes nothing.
func TestMoveBorder(t *testing.T) {
	l := Arrange(120, 40, Needs{Focus: StepsPane, TextLines: 8})
	for _, b := range []Border{StepsBorder, TextBorder, WhyBorder} {
		place := func(l Layout) int {
			if b == StepsBorder {
				return l.StepsWidth
			}
			return l.BorderLine(b)
		}
		for _, by := range []int{0, 1, -1, 3} {
			moved := Arrange(120, 40, Needs{Focus: StepsPane, TextLines: 8, Split: l.MoveBorder(Split{}, b, place(l)+by)})
			if got := place(moved) - place(l); got != by {
				t.Errorf("border %d, moved by %d, has moved by %d", b, by, got)
			}
		}
		for _, to := range []int{-100, 1000} {
			moved := Arrange(120, 40, Needs{Focus: StepsPane, TextLines: 8, Split: l.MoveBorder(Split{}, b, to)})
			if moved.StepsWidth < MinStepsWidth || moved.RightWidth < MinRightWidth || moved.PaneRects[TextPane].H < MinTextLines || moved.PaneRects[WhyPane].H < minWhyLines {
				t.Errorf("border %d at %d leaves %+v", b, to, moved.PaneRects)
			}
		}
	}
}

// TestRequestedPane: a pane that is asked for gets half of the lines if it needs them, and a reply keeps a few lines
// beside the timeline.
func TestRequestedPane(t *testing.T) {
	want := Needs{Focus: WhyPane, StepsLines: 20, TextLines: 14, OutputLines: 11, WhyLines: 86, IsOutputSettled: true}
	if got := Arrange(80, 24, want).PaneRects[WhyPane].H; got < 9 {
		t.Errorf("WHY has %d lines of 24", got)
	}
	want.Focus = OutputPane
	want.TextLines, want.OutputLines = 86, 86
	if got := Arrange(80, 24, want).PaneRects[OutputPane].H; got < 9 {
		t.Errorf("the output has %d lines of 24", got)
	}
	want = Needs{Focus: WhyPane, StepsLines: 20, TextLines: 12, OutputLines: 9, WhyLines: 25, WhyEventLines: 25, IsOutputSettled: true, IsWhyRequested: true}
	if got := Arrange(120, 40, want).PaneRects; got[OutputPane].H < minReadableLines || got[WhyPane].H < 18 {
		t.Errorf("the output has %d lines, the timeline %d of 40", got[OutputPane].H, got[WhyPane].H)
	}
}
