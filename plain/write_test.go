package plain

import (
	"strings"
	"testing"
)

// TestDraw shows a line as it comes: what is new of it, and all of it drawn over
// when it is another one.
func TestDraw(t *testing.T) {
	for _, c := range []struct {
		name, want string
		parts      []string
	}{
		{"goes on", "pw? ok", []string{"pw? ", "pw? ok"}},
		{"progress", "10 %\r100 %\r100 %", []string{"10 %", "7 %\r100 %"}},
		{"taken back", "abc\rab \rab ", []string{"abc", "abc\b \b"}},
		{"wrapped", strings.Repeat("x", 90) + "\ny", []string{strings.Repeat("x", 90), "y"}},
	} {
		var out strings.Builder
		twin := &Twin{out: &out}
		for _, part := range c.parts {
			twin.draw(twin.safe([]byte(part)))
		}
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, out.String(), c.want)
		}
		twin.line("[1] pass")
		if !strings.HasSuffix(out.String(), "\n[1] pass\n") {
			t.Errorf("%s: our own line does not begin one: %q", c.name, out.String())
		}
	}
}
