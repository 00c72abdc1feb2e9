package engine_test

import (
	"strings"
	"testing"

	"playhead/engine"
)

// TestResizeKeepsTheLastSize: when many sizes arrive quickly, as while a window is dragged, the command gets the last
// one.
func TestResizeKeepsTheLastSize(t *testing.T) {
	l := steer(t, newFixture(t, "## 1 A\n~~~sh\nstty -echo; echo up; while read line; do stty size; done\n~~~\n").session("", func(c *engine.Config) {
		c.Headless = false
	}))
	st := l.until("the command runs", func(s engine.Status) bool { return s.RunningLog != "" && l.printed(s.RunningLog, "up") })
	for cols := 81; cols <= 180; cols++ {
		l.s.Resize(cols, 30)
	}
	log := l.s.Log(st.RunningLog)
	changed := log.Watch()
	defer log.Unwatch(changed)
	text := ""
	for n := range 120 { // after 120 lines, all resizes are done
		l.do(l.s.TypeIntoCommand([]byte("\n")))
		for text = ""; strings.Count(text, "\n") < n+2; text = log.ShortenedText(1 << 16) {
			<-changed
		}
	}
	if !strings.HasSuffix(text, "\n30 180\n") {
		t.Errorf("the command sees %q", text[max(0, len(text)-20):])
	}
}
