package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/examples"
	"playhead/parse/plan"
)

// trusted reports whether the document may run its commands without being asked
// for: a person allowed this content before, it has nothing to run, or it is one
// of our own examples.
func (a *app) trusted(p *plan.Plan) bool {
	if len(trust.Commands(p)) == 0 || builtIn(p) {
		return true
	}
	ok, err := trust.Default().Trusted(trust.Hash(p))
	if err != nil {
		a.complain(err) // nothing is remembered: as if it were the first time
	}
	return ok
}

// builtIn reports whether the document and all it includes are, byte for byte,
// built-in examples.
func builtIn(p *plan.Plan) bool {
	if !examples.Is(p.Source) {
		return false
	}
	for _, c := range p.Children {
		if c.Plan != nil && !builtIn(c.Plan) {
			return false
		}
	}
	return true
}

// allowedFile, in a run's folder, names the content that --trust let it execute.
const allowedFile = "allowed"

// keepAllowed remembers that the run may execute this content: its copy of the
// documents does not change, so going on with it needs no other yes.
func keepAllowed(f journal.Folder, p *plan.Plan) error {
	if err := os.WriteFile(filepath.Join(f.Dir(), allowedFile), []byte(trust.Hash(p)+"\n"), 0o600); err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	return nil
}

// wasAllowed reports whether the run was started, or gone on with, with --trust.
func wasAllowed(f journal.Folder, p *plan.Plan) bool {
	data, err := os.ReadFile(filepath.Join(f.Dir(), allowedFile))
	return err == nil && strings.TrimSpace(string(data)) == trust.Hash(p)
}

// refuse lists what a document would execute, which is not done.
func (a *app) refuse(p *plan.Plan) error {
	listCommands(a.err, p)
	return usage("%s was not allowed to run these commands: read them, then say --trust", p.Path)
}

// listCommands prints what a document would execute, where it stands.
func listCommands(w io.Writer, p *plan.Plan) {
	for _, c := range trust.Commands(p) {
		fmt.Fprintf(w, "%s:%d: step %s\n", sanitize.Plain(c.Document), c.Line, sanitize.Plain(c.Step))
		for _, line := range strings.Split(strings.TrimRight(c.Text, "\n"), "\n") {
			fmt.Fprintf(w, "    %s\n", sanitize.Plain(line))
		}
	}
}

// askTrust lists the commands and lets a person say yes, which is remembered.
func (a *app) askTrust(p *plan.Plan, in *bufio.Reader) error {
	listCommands(a.out, p)
	fmt.Fprintf(a.out, "%s would run these commands. Let it? [yes/no] ", sanitize.Plain(p.Path))
	answer, _ := in.ReadString('\n') // what is no yes is a no
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "yes" && answer != "y" {
		return usage("nothing was run")
	}
	return trust.Default().Remember(trust.Hash(p), p.Path, time.Now())
}
