package model

import (
	"context"
	"io"
	"slices"
)

// Replies are replies that are there already: of a file, or of an earlier run. The
// n-th is for the n-th call, the last one for all later ones.
type Replies struct {
	By  string             // who they are from: file, or the run
	All map[string][]Reply // by Key
}

// Has reports whether there is a reply to the request.
func (r *Replies) Has(q Request) bool { return r != nil && len(r.All[Key(q.Label, q.Part)]) > 0 }

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
	all := r.All[Key(q.Label, q.Part)]
	reply := all[min(max(q.Nth, 1), len(all))-1]
	reply.By, reply.Calls = r.By, slices.Clone(reply.Calls)
	_, reply.Err = io.WriteString(out, reply.Text)
	return reply
}
