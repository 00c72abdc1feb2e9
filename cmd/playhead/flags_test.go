package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestStdinForAllDocuments: every document, and every round of --watch, gets the text of standard input.
func TestStdinForAllDocuments(t *testing.T) {
	var l loadFlags
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	l.register(f)
	if err := f.Parse([]string{"--stdin", "-"}); err != nil {
		t.Fatal(err)
	}
	in := strings.NewReader("the text")
	for range 2 {
		options, err := l.parseOptions(in)
		if got := options.Flags["stdin-text"]; err != nil || len(got) != 1 || got[0] != "the text" {
			t.Errorf("%q, %v", got, err)
		}
	}
}
