package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/rundown"
)

var update = flag.Bool("update", false, "write what was got as what is expected")

// TestMain lets the test binary also be playhead, the rd command of scenarios, and trust. The race detector would delay
// the exit of each by a second, so that is set to 10 ms.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=10") // cannot fail: the name is valid
	switch filepath.Base(os.Args[0]) {
	case "playhead", rundown.CommandName:
		main()
	case "trust":
		trustDocument()
	default:
		status := m.Run()
		for _, undo := range cleanups.all {
			undo()
		}
		os.Exit(status)
	}
}

// trustDocument is the main function of a program that trusts a document, as its user would.
func trustDocument() {
	p, err := setup.Load(os.Args[1], parse.Options{})
	if err == nil {
		err = setup.Commands{Plan: p}.Trust()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestHelpIsPlain: help has no Markdown marks because it is printed as it is. Its lines fit into 80 columns: longer ones
// would be wrapped, or cut in examples.
func TestHelpIsPlain(t *testing.T) {
	root := newRootCmd(&app{})
	for _, cmd := range append(root.Commands(), root) {
		for _, text := range []string{cmd.Short, cmd.Long, cmd.Example} {
			if strings.Contains(text, "`") {
				t.Errorf("%s: %q", cmd.Name(), text)
			}
		}
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if len(line) > 77 { // 80 columns without the margins
				t.Errorf("%s: %q is too long", cmd.Name(), line)
			}
		}
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			if len(line) > 72 {
				t.Errorf("%s: %q is too long", cmd.Name(), line)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s: %q", cmd.Name(), f.Name, f.Usage)
			}
		})
	}
}

// ownState gives this test its own state folder.
func ownState(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload) // after t.Setenv has restored the variable
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
}

// runApp runs the command line in this process.
func runApp(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs strings.Builder
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
	status = a.execute(context.Background(), args)
	return out.String(), errs.String(), status
}
