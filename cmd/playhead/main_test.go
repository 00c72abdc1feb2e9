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

// TestMain lets the test binary be the program, the rd of its scenarios, and trust. Under the race
// detector a program waits a second before it exits, unless it is told not to.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=10") // a name that is valid
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

// trustDocument is the main function of a program that trusts a document as its person would.
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

// TestHelpIsPlain: help is printed as it is written, so it has no marks. Lines of examples fit into
// 80 columns: longer ones are cut.
func TestHelpIsPlain(t *testing.T) {
	root := newRootCmd(&app{})
	for _, cmd := range append(root.Commands(), root) {
		for _, text := range []string{cmd.Short, cmd.Long, cmd.Example} {
			if strings.Contains(text, "`") {
				t.Errorf("%s: %q", cmd.Name(), text)
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

// ownState keeps the runs of this test apart from the person's own.
func ownState(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload) // runs after the variable is restored
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
