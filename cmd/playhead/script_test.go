package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"playhead/engine/journal"
)

// TestScripts tests the whole program, one behaviour per script. In a script, playhead runs a command line in this
// process, in a tenth of the time; exec playhead starts a process, for standard input, signals and the background. The
// test is not parallel because command lines change the folder and environment of this process.
func TestScripts(t *testing.T) {
	absolute := func(path string) string {
		out, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	variables := map[string]string{
		"PATH":     filepath.Dir(quickProgram(t)) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"DOCS":     absolute("testdata/docs"),
		"PORTER":   absolute("../../parse/climpt/registry/testdata/porter"),
		"NO_COLOR": "",
		"GORACE":   os.Getenv("GORACE"),
		"GOGC":     os.Getenv("GOGC"),
		"FLOOD":    fmt.Sprint(flood),
	}
	runner := scriptRunner{folder: absolute("testdata/script"), variables: slices.Collect(maps.Keys(variables))}
	testscript.Run(t, testscript.Params{
		Dir:                 runner.folder,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for name, value := range variables {
				env.Setenv(name, value)
			}
			for _, name := range []string{"STATE", "CACHE", "CONFIG"} {
				env.Setenv("XDG_"+name+"_HOME", filepath.Join(env.WorkDir, "."+strings.ToLower(name)))
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond != "root" {
				return false, fmt.Errorf("there is no condition %q", cond)
			}
			return os.Getuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"playhead": runner.runAndExpectSuccess,
			"status":   runner.runAndExpectStatus,
			"size":     scriptSize,
			"runid":    scriptRunID,
			"serve":    scriptServe,
		},
	})
}

// scriptRunner runs the command lines of scripts, one at a time.
type scriptRunner struct {
	mu        sync.Mutex
	folder    string   // the folder of the scripts
	variables []string // the names of environment variables that TestScripts sets
}

// runAndExpectSuccess runs a command line that must succeed, or must fail if it is negated: playhead check x.
func (r *scriptRunner) runAndExpectSuccess(ts *testscript.TestScript, neg bool, args []string) {
	if status := r.run(ts, args); (status == exitOK) == neg {
		ts.Fatalf("status %d", status)
	}
}

// runAndExpectStatus runs a command line that must end with an exit status: status 2 playhead check x. It runs in this
// process, or in its own process after exec and for other programs.
func (r *scriptRunner) runAndExpectStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] == "exec" && len(args) < 3 {
		ts.Fatalf("usage: status N [exec] program [args...]")
	}
	got := "0"
	switch want := args[1:]; want[0] {
	case "playhead":
		got = fmt.Sprint(r.run(ts, want[1:]))
	case "exec":
		want = want[1:]
		fallthrough
	default:
		if err := ts.Exec(want[0], want[1:]...); err != nil {
			got = strings.TrimPrefix(err.Error(), "exit status ")
		}
	}
	if got != args[0] {
		ts.Fatalf("status %s, want %s", got, args[0])
	}
}

// run runs a command line of the program in this process, with the folder and the variables of the script, and returns
// the exit status.
func (r *scriptRunner) run(ts *testscript.TestScript, args []string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer restoreProcess(ts)()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	os.Clearenv()
	for _, name := range r.variablesOf(ts) {
		ts.Check(os.Setenv(name, ts.Getenv(name)))
	}
	xdg.Reload()
	a := &app{stdin: strings.NewReader(""), stdout: ts.Stdout(), stderr: ts.Stderr()}
	return a.execute(context.Background(), args)
}

// variablesOf returns the names of the environment variables that testscript, TestScripts or any env line of the script
// sets.
func (r *scriptRunner) variablesOf(ts *testscript.TestScript) []string {
	data, err := os.ReadFile(filepath.Join(r.folder, ts.Name()+".txtar"))
	ts.Check(err)
	names := append([]string{"HOME", "TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"}, r.variables...)
	for line := range strings.Lines(string(data)) {
		if assignments, isEnv := strings.CutPrefix(line, "env "); isEnv {
			for _, assignment := range strings.Fields(assignments) {
				name, _, _ := strings.Cut(assignment, "=")
				names = append(names, name)
			}
		}
	}
	return names
}

// restoreProcess returns a function that restores the current folder and environment of this process.
func restoreProcess(ts *testscript.TestScript) func() {
	folder, err := os.Getwd()
	ts.Check(err)
	environment := os.Environ()
	return func() {
		os.Clearenv()
		for _, variable := range environment {
			name, value, _ := strings.Cut(variable, "=")
			ts.Check(os.Setenv(name, value))
		}
		ts.Check(os.Chdir(folder))
		xdg.Reload()
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

// scriptSize creates a file of about the given size: size big.md 52428800.
func scriptSize(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	if _, err := fmt.Sscan(args[1], &n); err != nil || neg {
		ts.Fatalf("usage: size FILE BYTES")
	}
	line := strings.Repeat("x", 79) + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(line, n/len(line))), 0o644))
}
