package tui

import (
	"playhead/engine/machine"
	"playhead/tui/draw"
	"playhead/tui/form"
)

// doubts are what a step would make of a written reply that it would not take as it is. They
// stand above the text until that is another one.
type doubts struct {
	about string // the text
	all   []string
}

// doubted reports whether a reply that is to be sent is met with doubts first. The same text
// is sent the second time.
func (q *question) doubted(m *Model) bool {
	if _, edits := q.control.(*form.Editor); !edits || q.ask.Kind != machine.KindReply {
		return false
	}
	text := q.control.Value()
	if q.doubts.about == text {
		return false
	}
	q.doubts = doubts{text, m.session.Doubts(text)}
	return len(q.doubts.all) > 0
}

// doubtful are the doubts about what is written.
func (q *question) doubtful(l *look, w int) []string {
	if len(q.doubts.all) == 0 || q.control.Value() != q.doubts.about {
		return nil
	}
	var out []string
	for _, d := range q.doubts.all {
		for _, line := range l.Wrap("! "+draw.Clean(d), w) {
			out = append(out, l.Fail.Paint(line))
		}
	}
	return append(out, l.Cut("It was not sent. ctrl+s again sends it as it is.", w))
}
