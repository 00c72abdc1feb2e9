package panes

import (
	"math/rand/v2"
	"testing"
)

// TestArrange: on a screen of any size, divided in any way, panes lie on the screen, beside
// each other, and the one with focus shows.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		w, h, want := MinWidth+r.IntN(200), MinHeight+r.IntN(60), anyWish(r)
		l := Arrange(w, h, want)
		if l.Panes[want.Focus].Empty() {
			t.Fatalf("%d×%d %+v: %s has the focus and no place", w, h, want, Kinds[want.Focus].Name)
		}
		taken := map[[2]int]Pane{}
		for p := Steps; p <= Dialog; p++ {
			box := l.Panes[p]
			if box.Empty() {
				continue
			}
			if box.X < 1 || box.Y < 2 || box.X+box.W > w-1 || box.Y+box.H > h {
				t.Fatalf("%d×%d %+v: %s at %+v is not on the screen", w, h, want, Kinds[p].Name, box)
			}
			for y := box.Y; y < box.Y+box.H; y++ {
				if other, twice := taken[[2]int{box.X, y}]; twice {
					t.Fatalf("%d×%d %+v: %s and %s on line %d", w, h, want, Kinds[p].Name, Kinds[other].Name, y)
				}
				taken[[2]int{box.X, y}] = p
			}
		}
	}
}

func anyWish(r *rand.Rand) Needs {
	maybe := func(n int) int { return r.IntN(2) * (1 + r.IntN(n)) }
	want := Needs{
		Focus: Steps + Pane(r.IntN(int(Why))), Tall: r.IntN(2) == 0, Zoom: r.IntN(4) == 0, Presenting: r.IntN(4) == 0,
		Split:         Split{Steps: maybe(1000), Text: maybe(1000), Why: maybe(1000)},
		GivesUpOutput: r.IntN(4) == 0, Text: r.IntN(60), Lines: maybe(60), IsFinal: r.IntN(2) == 0, Why: maybe(40),
	}
	if r.IntN(3) == 0 {
		want.Dialog, want.Focus = 1+r.IntN(40), Dialog
	}
	return want
}

// TestLinesGoWhereTheyAreNeeded: no pane has blank lines while another one is cut, unless a person has
// divided them or output comes. What commands see as their terminal depends on neither, and a layout that
// nothing new has come to stays.
func TestLinesGoWhereTheyAreNeeded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		w, h, want := MinWidth+r.IntN(200), MinHeight+r.IntN(60), anyWish(r)
		l, usual := Arrange(w, h, want), Arrange(w, h, withoutNeeds(want))
		fail := func(what string) { t.Fatalf("%d×%d %+v: %s: %+v", w, h, want, what, l) }
		text, output := l.Panes[Text], l.Panes[Output]
		want.Last = l
		switch {
		case l.Shape != Narrow && l.Term != usual.Term:
			fail("the terminal is another one")
		case want.Dialog > 0 && want.IsFinal && l.Shape != Narrow && !text.Empty() && l.Panes[Dialog].Y != text.Y+text.H+1+output.H+min(1, output.H):
			fail("the dialog does not stand directly below what it is about")
		case Arrange(w, h, want) != l:
			fail("it moves though nothing has come")
		}
		if l.Shape == Narrow || !want.IsFinal || want.Split.Text > 0 || want.Split.Why > 0 {
			continue
		}
		needs := [Dialog + 1]int{Text: max(MinText, want.Text), Output: max(1, want.Lines), Why: want.Why, Dialog: want.Dialog}
		if want.Text == 0 {
			needs[Text] = 1
		}
		cut, blank := 0, 0
		for _, p := range []Pane{Text, Output, Why, Dialog} {
			if l.Panes[p].W > 0 {
				cut, blank = max(cut, needs[p]-l.Panes[p].H), max(blank, l.Panes[p].H-needs[p])
			}
		}
		if cut > 0 && blank > minWhy {
			fail("a pane has blank lines and another one is cut")
		}
	}
}

// withoutNeeds are the needs of a screen on which the panes have their usual lines.
func withoutNeeds(want Needs) Needs {
	want.Text, want.Lines, want.Why, want.IsFinal = 0, 0, 0, true
	return want
}

// TestBordersWhileOutputComes: however much output comes, its border moves twice at most,
// and always up.
func TestBordersWhileOutputComes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		w, h, want := mediumWidth+r.IntN(200), splitHeight+r.IntN(60), Needs{Focus: Steps, Text: r.IntN(60), Why: r.IntN(20), IsFinal: true}
		l := Arrange(w, h, want)
		want.IsFinal, want.Last = false, l
		l = Arrange(w, h, want)
		moves := 0
		for ; want.Lines < 100; want.Lines += r.IntN(4) {
			want.Last = l
			now := Arrange(w, h, want)
			if now.Panes[Output].H < l.Panes[Output].H {
				t.Fatalf("%d×%d %+v: the output has %d lines, it had %d", w, h, want, now.Panes[Output].H, l.Panes[Output].H)
			}
			if now != l {
				moves++
			}
			l = now
		}
		if moves > 2 {
			t.Fatalf("%d×%d, %d lines of text: it moved %d times", w, h, want.Text, moves)
		}
	}
}

// TestBordersMoveWhereTheyAreLed: a border that is put somewhere is there, or as far as
// there is room, and a border that is put where it is stays.
func TestBordersMoveWhereTheyAreLed(t *testing.T) {
	l := Arrange(120, 40, Needs{Focus: Steps})
	for _, b := range []Border{StepsBorder, TextBorder, WhyBorder} {
		place := func(l Layout) int {
			if b == StepsBorder {
				return l.Left
			}
			return l.Line(b)
		}
		for _, by := range []int{0, 1, -1, 3} {
			moved := Arrange(120, 40, Needs{Focus: Steps, Split: l.MoveBorder(Split{}, b, place(l)+by)})
			if got := place(moved) - place(l); got != by {
				t.Errorf("border %d led %d moved %d", b, by, got)
			}
		}
		for _, to := range []int{-100, 1000} {
			moved := Arrange(120, 40, Needs{Focus: Steps, Split: l.MoveBorder(Split{}, b, to)})
			if moved.Left < MinSteps || moved.Right < MinRight || moved.Panes[Text].H < MinText || moved.Panes[Why].H < minWhy {
				t.Errorf("border %d led to %d leaves %+v", b, to, moved.Panes)
			}
		}
	}
}
