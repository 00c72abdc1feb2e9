package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestStdinForAllDocuments: the text of standard input is that of every document, and of every round of --watch.
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
