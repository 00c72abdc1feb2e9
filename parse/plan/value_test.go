package plan

import "testing"

// TestTextOf: the text of a value is what a document would write for it.
func TestTextOf(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, ""}, {"a\n", "a\n"}, {true, "true"}, {5.0, "5"}, {1e6, "1000000"}, {-0.25, "-0.25"}, {1e21, "1e+21"},
		{3, "3"}, {[]any{"<", 1.0}, `["<",1]`}, {map[string]any{"k": nil}, `{"k":null}`},
	} {
		if got := ValueText(c.value); got != c.want {
			t.Errorf("%v: got %q, want %q", c.value, got, c.want)
		}
	}
}

// TestArtifactSuffix: an unknown artifact type gets the suffix of plain text.
func TestArtifactSuffix(t *testing.T) {
	if s, known := ArtifactSuffix("mermaid"); s != ".mmd" || !known {
		t.Error(s, known)
	}
	if s, known := ArtifactSuffix("pdf"); s != ".txt" || known {
		t.Error(s, known)
	}
}

// TestVisibleText quotes a text whose blanks or line ends would not show. A display of several lines shows a text of
// several lines unquoted.
func TestVisibleText(t *testing.T) {
	for _, c := range []struct{ text, onOneLine, onSeveral string }{
		{"refund", "refund", "refund"}, {"", `""`, `""`}, {"refund ", `"refund "`, `"refund "`},
		{"refund\n", `"refund\n"`, `"refund\n"`}, {"\nrefund", `"\nrefund"`, `"\nrefund"`}, {"a\nb", `"a\nb"`, "a\nb"},
	} {
		if one, several := VisibleText(c.text), VisibleLines(c.text); one != c.onOneLine || several != c.onSeveral {
			t.Errorf("%q: got %s and %s", c.text, one, several)
		}
	}
}
