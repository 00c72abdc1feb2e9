package climpt

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestJSONProblems (climpt-registry.md §1, JSON): the parser is strict, and each problem has its line and its column in
// runes.
func TestJSONProblems(t *testing.T) {
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	for _, c := range []struct{ text, want string }{
		{`{"a": 1}`, ""},
		{"\xef\xbb\xbf{}", ""},
		{"", "1:1 the file is empty"},
		{" \n", "2:1 the file is empty"},
		{"{\n  // note\n}", "2:3 JSON has no comments"},
		{"{\"ä\": 1, /* x */ \"b\": 2}", "1:10 JSON has no comments"},
		{"{\"a\": 1,\n}", "2:1 there is a comma after the last value"},
		{"[1, ]", "1:5 there is a comma after the last value"},
		{"{'a': 1}", "1:2 JSON strings use double quotes"},
		{`{"a": 1`, "1:8 the JSON ends in the middle of a value"},
		{`{"a": `, "1:7 the JSON ends in the middle of a value"},
		{`{"a" 1}`, "1:6 this is not JSON"},
		{"{} {}", "1:4 there is more text after the JSON value"},
		{"{} x", "1:4 there is more text after the JSON value"},
		{"{\"a\": \"\xff\"}", "1:8 it is not valid UTF-8"},
		{deep, "1:102 the values are nested too deep"},
	} {
		got := ""
		if p := ReadJSON("a.json", []byte(c.text)).Problem; p != nil {
			got = fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message)
		}
		if !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%.40q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestPlaces: each value and key has its line, its column in runes and its pointer.
func TestPlaces(t *testing.T) {
	d := ReadJSON("a.json", []byte("{\"a/b\": [\n  {\"ö~\": \"ü\", \"k\": [1, true]}\n],\r\n \"a/b\": null }"))
	v := d.Root.Get("a/b").Items()[0]
	for _, c := range []struct {
		got  Place
		want string
	}{
		{d.Root.Place(), " 1:1"},
		{d.Root.Get("a/b").Place(), "/a~1b 1:9"},
		{v.Place(), "/a~1b/0 2:3"},
		{v.Members()[0].KeyPlace(), "/a~1b/0/ö~0 2:4"},
		{v.Get("ö~").Place(), "/a~1b/0/ö~0 2:10"},
		{v.Get("k").Items()[1].Place(), "/a~1b/0/k/1 2:24"},
		{d.DuplicateMembers[0].KeyPlace(), "/a~1b 4:2"},
	} {
		if got := fmt.Sprintf("%s %d:%d", c.got.Pointer(), c.got.Line, c.got.Column); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if len(d.DuplicateMembers) != 1 || d.Root.Get("a/b").Kind != Array {
		t.Errorf("duplicate members %v, kind %v", d.DuplicateMembers, d.Root.Get("a/b").Kind)
	}
}

// TestReadBeforeError: the values before an error are read.
func TestReadBeforeError(t *testing.T) {
	d := ReadJSON("a.json", []byte(`{"a": {"b": [1, 2, x]}}`))
	if items := d.Root.Get("a").Get("b").Items(); d.Problem == nil || d.Problem.Pointer != "/a/b/2" || len(items) != 2 {
		t.Errorf("%v, %+v", items, d.Problem)
	}
}

// TestBroken: a value that cannot be read is not also reported as a value of the wrong kind.
func TestBroken(t *testing.T) {
	var r DiagnosticCollector
	f := r.Fields(ReadJSON("a.json", []byte(`{"a": x}`)).Root, RegistryDiagnosticCodes)
	if f.Object("a"); len(r.Diagnostics()) != 0 {
		t.Error(r.Diagnostics())
	}
}

// FuzzReadJSON: the parser accepts only what encoding/json accepts, with the same value, and problems lie in the text.
func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"x",null,true,{"b":-1.5e3}]}`, `{"a":1,"a":2}`, "// c", `["\ud800"]`, "{\"a\":\n\"\xff\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := ReadJSON("a.json", []byte(text))
		if d.Problem != nil {
			if lines := strings.Count(text, "\n") + 1; d.Problem.Line < 1 || d.Problem.Line > lines || d.Problem.Column < 1 {
				t.Errorf("%+v of %d lines", d.Problem, lines)
			}
			return
		}
		dec := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf")))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		if len(d.DuplicateMembers) > 0 { // encoding/json takes the last member, this parser the first
			return
		}
		got, _ := json.Marshal(d.Root.GoValue())
		if other, _ := json.Marshal(want); string(got) != string(other) {
			t.Errorf("got %s, want %s", got, other)
		}
	})
}
