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
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	"playhead/engine/journal"
	"playhead/engine/setup"
	"playhead/parse"
)

var update = flag.Bool("update", false, "write what was got as what is expected")

// TestMain lets the test binary be the program, and the rd of its scenarios. Under the race
// detector a program waits a second before it exits, unless it is told not to.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=10") // a name that is valid
	testscript.Main(tests{m}, map[string]func(){
		"playhead": main,
		"rd":       func() { os.Exit(runRDReplacement()) },
		"trust":    trustDocument,
	})
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

// TestScripts drives the whole program: one behaviour a script.
func TestScripts(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Abs("testdata/docs")
	if err != nil {
		t.Fatal(err)
	}
	porter, err := filepath.Abs("../../parse/climpt/registry/testdata/porter")
	if err != nil {
		t.Fatal(err)
	}
	program := quickProgram(t) // scripts start it some 800 times
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"state", "cache", "config"} {
				env.Setenv("XDG_"+strings.ToUpper(name)+"_HOME", filepath.Join(env.WorkDir, "."+name))
			}
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("DOCS", documents)
			env.Setenv("PORTER", porter)
			env.Setenv("NO_COLOR", "")
			env.Setenv("GORACE", os.Getenv("GORACE"))
			env.Setenv("GOGC", os.Getenv("GOGC"))
			env.Setenv("FLOOD", fmt.Sprint(flood))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "root" {
				return false, fmt.Errorf("there is no condition %q", cond)
			}
			return os.Getuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": scriptStatus,
			"size":   scriptSize,
			"runid":  scriptRunID,
			"serve":  scriptServe,
		},
	})
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

// scriptStatus runs a program that must end with a status: status 2 playhead check x.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

// scriptRunID sets RUN to the newest run: runid.
func scriptRunID(ts *testscript.TestScript, neg bool, args []string) {
	all, err := journal.NewStore(filepath.Join(ts.Getenv("XDG_STATE_HOME"), "playhead", "runs")).List()
	ts.Check(err)
	if neg || len(args) > 0 || len(all) == 0 {
		ts.Fatalf("usage: runid, after a run")
	}
	ts.Setenv("RUN", all[0].Run)
}

// scriptSize makes a file of many bytes: size big.md 52428800.
func scriptSize(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	if _, err := fmt.Sscan(args[1], &n); err != nil || neg {
		ts.Fatalf("usage: size FILE BYTES")
	}
	line := strings.Repeat("x", 79) + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(line, n/len(line))), 0o644))
}

// ownState keeps the runs of this test apart from the person's own.
func ownState(t *testing.T) {
	t.Helper()
	t.Cleanup(xdg.Reload) // after the variable is what it was
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
