package tui

import (
	"strings"

	"playhead/parse/plan"
)

// sourceOf says where a prompt comes from: the file, those that it could have been, and
// what was filled in.
func sourceOf(l *look, o plan.Origin, w int) []string {
	var out []string
	if o.From != "" {
		out = append(out, labelled(l, "prompt", o.From, w)...)
	}
	found := false
	for _, file := range o.Tried {
		switch {
		case strings.HasSuffix(o.From, file): // it says more, of a prompt that is a second try
			found = true
		case found:
			out = append(out, labelled(l, "or else", file, w)...)
		default:
			out = append(out, labelled(l, "tried", file, w)...)
		}
	}
	for _, f := range o.Filled {
		out = append(out, pair(l, f.Name, f.Value, "filled in", w))
	}
	return out
}

// labelWidth is the column of names in front of values.
const labelWidth = 18

// labelled is a name with a value that goes on below where it is long.
func labelled(l *look, name, value string, w int) []string {
	var out []string
	for i, part := range l.hard(clean(value), max(1, w-labelWidth-1)) {
		if i > 0 {
			name = ""
		}
		out = append(out, l.Muted.Paint(l.fit(clean(name), labelWidth))+" "+part)
	}
	return out
}
