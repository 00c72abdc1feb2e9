package drive

import (
	"fmt"
	"io"
	"strings"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// WriteText says what the run needs of a person. What it does is said where it needs nothing, and where
// that was asked.
func (s State) WriteText(w io.Writer, asked bool) {
	if asked || s.Need == nil {
		fmt.Fprintf(w, "run %s: %s\n", s.Run, sanitize.Plain(s.line()))
	}
	if s.Need != nil {
		s.writeNeed(w)
	}
}

// line says what the run does.
func (s State) line() string {
	at := ""
	if s.Step != "" {
		at = " at " + s.Step
	}
	switch {
	case s.Result != "" && s.Text != "":
		return fmt.Sprintf("%s %q", s.Result, s.Text)
	case s.Result != "":
		return string(s.Result)
	case s.State == Interrupted:
		return "interrupted" + at + "; playhead do continue goes on"
	case s.Running != "":
		return "running step " + s.Running
	}
	return string(s.State) + at
}

func (s State) writeNeed(w io.Writer) {
	n := s.Need
	what := n.Prompt
	if strings.Contains(what, "\n") || what == n.Text {
		what = n.Kind
	}
	fmt.Fprintf(w, "run %s waits at %s: %s\n", s.Run, sanitize.Plain(n.Step), sanitize.Plain(what))
	if n.Text != "" {
		for line := range strings.Lines(sanitize.Text(n.Text)) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, f := range n.Fields {
		fmt.Fprintf(w, "  field %q (%s) %s %s\n", f.Name, f.Type, sanitize.Plain(plan.Source(f.Prompt)), sanitize.Plain(strings.Join(f.Options, ", ")))
	}
	if len(n.Options) > 0 {
		fmt.Fprintf(w, "  options: %s\n", sanitize.Plain(strings.Join(n.Options, ", ")))
	}
	if n.Terminal {
		fmt.Fprintf(w, "  only a person at a terminal can answer: playhead attach %s, or playhead resume %s\n", s.Run, s.Run)
		return
	}
	for _, a := range n.Answers {
		fmt.Fprintf(w, "  playhead do %s\n", sanitize.Plain(a))
	}
}
