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
		GivesUpOutput: r.IntN(4) == 0, Text: r.IntN(60), Lines: maybe(60), IsFinal: r.IntN(2) == 0, Spare: r.IntN(80) - 40, Why: maybe(40),
	}
	if r.IntN(3) == 0 {
		want.Dialog, want.Focus = 1+r.IntN(40), Dialog
	}
	return want
}

// TestLending: text and output lend what they do not need, and no more; what commands see
// as their terminal stays as it is, and so does a layout that nothing new has come to.
func TestLending(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		w, h, want := MinWidth+r.IntN(200), MinHeight+r.IntN(60), anyWish(r)
		l, usual := Arrange(w, h, want), Arrange(w, h, unlent(want))
		text, output := l.Panes[Text].H, l.Panes[Output].H
		fail := func(what string) { t.Fatalf("%d×%d %+v: %s: %+v", w, h, want, what, l) }
		want.Spare = l.Spare
		switch {
		case l.Term != usual.Term, l.Shape != Narrow && shared(l) != shared(usual) && (want.Dialog == 0 || output > 0):
			fail("what there is to share is something else")
		case want.Dialog > 0 && output <= 0 && text > 0 && l.Panes[Dialog].H > 0 && l.Panes[Dialog].Y != l.Panes[Text].Y+text+1:
			fail("the dialog does not stand right below the text")
		case Arrange(w, h, want) != l:
			fail("it moves though nothing has come")
		case l.Spare != 0 && want.Split.Text > 0:
			fail("a person has divided the two")
		case l.Spare > 0 && text < max(want.Text, MinText):
			fail("the text needs what it lends")
		case l.Spare < 0 && output < max(want.Lines, leastLines):
			fail("the output needs what it lends")
		case l.Spare < 0 && text > want.Text:
			fail("the text does not need what it is lent")
		}
	}
}

// shared is how many lines text, output and WHY have together.
func shared(l Layout) int { return l.Panes[Text].H + l.Panes[Output].H + l.Panes[Why].H }

// unlent is a wish for a screen on which nothing is to be lent.
func unlent(want Needs) Needs {
	want.Text, want.Lines, want.Spare, want.Why, want.IsFinal = 0, 0, 0, 0, true
	return want
}

// TestLendingWhileOutputComes: however much output comes, its border moves twice at most,
// and always up.
func TestLendingWhileOutputComes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		w, h, want := mediumWidth+r.IntN(200), splitHeight+r.IntN(60), Needs{Focus: Steps, Text: r.IntN(60), IsFinal: true}
		l := Arrange(w, h, want)
		moves := 0
		for want.IsFinal = false; want.Lines < 100; want.Lines += r.IntN(4) {
			want.Spare = l.Spare
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
			moved := Arrange(120, 40, Needs{Focus: Steps, Split: l.Moved(Split{}, b, place(l)+by)})
			if got := place(moved) - place(l); got != by {
				t.Errorf("border %d led %d moved %d", b, by, got)
			}
		}
		for _, to := range []int{-100, 1000} {
			moved := Arrange(120, 40, Needs{Focus: Steps, Split: l.Moved(Split{}, b, to)})
			if moved.Left < MinSteps || moved.Right < MinRight || moved.Panes[Text].H < MinText || moved.Panes[Why].H < minWhy {
				t.Errorf("border %d led to %d leaves %+v", b, to, moved.Panes)
			}
		}
	}
}
