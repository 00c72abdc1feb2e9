package model

import (
	"context"
	"io"
)

// Replies are replies that are there already: of a file, or of an earlier run. The
// n-th is for the n-th execution of its label, the last one for all later ones. Key
// says what they are kept under.
type Replies struct {
	By    string // who they are from: file, or the run
	Texts map[string][]string
}

// Has reports whether there is a reply to the request.
func (r *Replies) Has(q Request) bool { return r != nil && len(r.Texts[Key(q.Label, q.Part)]) > 0 }

// Key is the name of a call in files of replies: LABEL, or LABEL/PART where a unit
// makes several calls.
func Key(label, part string) string {
	if part == "" {
		return label
	}
	return label + "/" + part
}

// Reply implements Source.
func (r *Replies) Reply(_ context.Context, q Request, out io.Writer) Reply {
	texts := r.Texts[Key(q.Label, q.Part)]
	text := texts[min(max(q.Nth, 1), len(texts))-1]
	_, err := io.WriteString(out, text)
	return Reply{Text: text, By: r.By, Err: err}
}
