package lines

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// TestPartialLine: only the new part of a growing line is printed. A line that was overwritten is printed again once it
// stays the same.
func TestPartialLine(t *testing.T) {
	for _, c := range []struct {
		name, want string
		parts      []string
	}{
		{"goes on", "pw? ok", []string{"pw? ", "pw? ok"}},
		{"progress", "10 %\n100 %", []string{"10 %", "70 %", "100 %"}},
		{"taken back", "abc\nab ", []string{"abc", "abc\b \b"}},
		{"and there again", "abc", []string{"abc", "ab", "abc"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			ui := &LineUI{questions: &questions{narrator: &narrator{inspector: &inspector{printer: &printer{out: &out}}}}, runningTail: &logTail{}}
			for _, part := range c.parts {
				ui.runningTail.unfinishedLine = []byte(part)
				ui.printPartialLine(ui.safeOutputLine(ui.runningTail.unfinishedLine))
			}
			if ui.stableTimer != nil {
				<-ui.stableTimer
				ui.printStableLine()
			}
			if out.String() != c.want {
				t.Errorf("%s: %q, want %q", c.name, out.String(), c.want)
			}
			ui.printLine("[1] pass")
			if !strings.HasSuffix(out.String(), "\n[1] pass\n") {
				t.Errorf("%s: the next line does not begin on a new line: %q", c.name, out.String())
			}
		})
	}
}

// TestLongPath: only the last steps of a long path are listed, with the number of all steps.
func TestLongPath(t *testing.T) {
	if got := pathText([]string{"1", "2"}); got != "1 2" {
		t.Error(got)
	}
	got := pathText(slices.Repeat([]string{"1", "2"}, 50))
	if !strings.HasPrefix(got, "… 1 2 1 ") || !strings.HasSuffix(got, " 1 2 (the last 60 of 100 steps entered)") {
		t.Error(got)
	}
}
