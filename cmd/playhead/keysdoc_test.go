package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"playhead/tui/keymap"
)

// TestKeysDoc: docs/keys.md lists exactly the keys of the program; -update writes them.
func TestKeysDoc(t *testing.T) {
	const page = "../../docs/keys.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "<!-- keys -->\n")
	_, tail, ok := strings.Cut(rest, "<!-- /keys -->\n")
	if !ok {
		t.Fatal("the page has no place for the keys")
	}
	want := head + "<!-- keys -->\n\n```text\n" + keymap.Map{}.TableText() + "```\n\n<!-- /keys -->\n" + tail
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Error("docs/keys.md is old: go test ./cmd/playhead -run TestKeysDoc -update")
	}
}
