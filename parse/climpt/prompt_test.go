package climpt

import (
	"slices"
	"testing"
)

// TestSplitFrontMatter (climpt-registry.md §5): front matter is removed; without a closing line it is text of the
// prompt.
func TestSplitFrontMatter(t *testing.T) {
	for _, c := range []struct {
		text, rest string
		names      []string
		there      bool
	}{
		{"a\n", "a\n", nil, false},
		{"---\na: 1\n---\nb\n", "b\n", nil, true},
		{"---\r\nuvVariables: [x, y]\r\n---\r\nb", "b", []string{"x", "y"}, true},
		{"---\nuvVariables:\n  - x\n---", "", []string{"x"}, true},
		{"---\n---\nb", "b", nil, true},
		{"---\na: 1\nb", "---\na: 1\nb", nil, false},
		{" ---\n---\nb", " ---\n---\nb", nil, false},
		{"--- \n---\nb", "--- \n---\nb", nil, false},
		{"---\n: [\n---\nb", "b", nil, true},
		{"---", "---", nil, false},
	} {
		front, rest := splitFrontMatter(c.text)
		if rest != c.rest || (rest != c.text) != c.there || !slices.Equal(front.Variables, c.names) || front.HasVariables != (c.names != nil) {
			t.Errorf("%q: got %q %+v", c.text, rest, front)
		}
	}
}

// TestNameValues: the last of several NAME=VALUE options with the same name wins.
func TestNameValues(t *testing.T) {
	o := Options{"input": {"a=1", "b=x=y", "a=2", "c"}, "entry": {"x", "y"}}
	want := []NameValue{{"b", "x=y"}, {"a", "2"}, {"c", ""}}
	if got := o.NameValues("input"); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if o.Get("entry") != "y" || o.Get("none") != "" || !o.Has("entry") || o.Has("none") {
		t.Errorf("entry %q", o.Get("entry"))
	}
}
