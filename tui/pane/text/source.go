package text

import (
	"strings"

	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// sourceOf says where a prompt comes from: the file, those that it could have been, and
// what was filled in.
func sourceOf(l *draw.Look, o plan.Origin, w int) []string {
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
	for i, f := range o.Filled {
		value, rest, several := strings.Cut(f.Value, "\n")
		if several {
			value += " … +" + wording.Count(strings.Count(rest, "\n")+1, "line")
		}
		name := "with"
		if i > 0 {
			name = ""
		}
		out = append(out, l.Muted.Paint(l.Fit(name, labelWidth))+" "+l.Cut(draw.Clean(f.Name+" = "+value), w-labelWidth-1))
	}
	return out
}

// labelWidth is the column of names in front of values.
const labelWidth = 8

// labelled is a name with a value that goes on below where it is long.
func labelled(l *draw.Look, name, value string, w int) []string {
	var out []string
	for i, part := range l.Hard(draw.Clean(value), max(1, w-labelWidth-1)) {
		if i > 0 {
			name = ""
		}
		out = append(out, l.Muted.Paint(l.Fit(draw.Clean(name), labelWidth))+" "+part)
	}
	return out
}
