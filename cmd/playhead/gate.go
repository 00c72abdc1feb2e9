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
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// deeds are what a document would execute, and is to be allowed.
type deeds struct {
	plan    *plan.Plan
	servers []trust.Item // that it would start
}

func (d deeds) all() []trust.Item { return append(trust.Commands(d.plan), d.servers...) }
func (d deeds) hash() string      { return trust.Hash(d.plan, d.servers...) }

// remember keeps a person's yes.
func (d deeds) remember() error {
	return trust.Default().Remember(d.hash(), d.plan.Path, time.Now())
}

// trusted reports whether the document may run its commands without being asked
// for: a person allowed this content before, it has nothing to run, or it is one
// of our own examples, none of which starts a server.
func (a *app) trusted(d deeds) bool {
	if len(d.all()) == 0 || len(d.servers) == 0 && builtIn(d.plan) {
		return true
	}
	ok, err := trust.Default().Trusted(d.hash())
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
	for _, f := range p.Files {
		if !f.Folder && !examples.Is(f.Source) {
			return false
		}
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
func keepAllowed(f journal.Folder, d deeds) error {
	if err := os.WriteFile(filepath.Join(f.Dir(), allowedFile), []byte(d.hash()+"\n"), 0o600); err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	return nil
}

// wasAllowed reports whether the run was started, or gone on with, with --trust.
func wasAllowed(f journal.Folder, d deeds) bool {
	data, err := infile.ReadIn(f.Dir(), allowedFile, infile.State)
	return err == nil && strings.TrimSpace(string(data)) == d.hash()
}

// refuse lists what a document would execute, which is not done.
func (a *app) refuse(d deeds) error {
	d.list(a.err)
	return usage("%s was not allowed to run these commands: read them, then use --trust", d.plan.Path)
}

// list prints what a document would execute, where it stands.
func (d deeds) list(w io.Writer) {
	all := d.all()
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Document, doer(c), c.Text)
	}
	if careful := sanitize.Careful(texts...); careful != "" {
		fmt.Fprintln(w, careful)
	}
	for _, c := range all {
		fmt.Fprintf(w, "%s:%d: %s\n", sanitize.Plain(c.Document), c.Line, sanitize.Plain(doer(c)))
		text := sanitize.Text(sanitize.Unpadded(strings.TrimRight(c.Text, "\n")))
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}

// doer is what would execute something: a step, or the start of a server.
func doer(c trust.Item) string {
	if c.Server != "" {
		return "tool server " + c.Server
	}
	if c.Checks != "" {
		return "step " + c.Step + ", validator " + c.Checks
	}
	return "step " + c.Step
}

// askTrust lists the commands and lets a person say yes, which is remembered, or have
// nothing executed and decide by themselves: of a run that goes on that was said when it
// began.
func (a *app) askTrust(d deeds, in *bufio.Reader, begun bool) (prompted bool, err error) {
	d.list(a.out)
	choices, takes := "yes/no/prompted", "yes runs them, no runs nothing, prompted asks you how each one went instead"
	if begun {
		choices, takes = "yes/no", "yes runs them, no runs nothing"
	}
	question := fmt.Sprintf("%s would run these commands. Let it? [%s]", sanitize.Plain(d.plan.Path), choices)
	for {
		answer, err := a.answered(question, takes, func() (string, error) { return readLine(in) })
		switch word := strings.ToLower(answer); {
		case !begun && (word == "prompted" || word == "p"):
			return true, nil
		case word == "yes" || word == "y":
			return false, d.remember()
		case word == "no" || word == "n":
			return false, usage("nothing was run")
		}
		if err != nil { // nobody says yes any more
			return false, usage("nothing was run")
		}
		fmt.Fprintf(a.out, "%q is no answer. ", sanitize.Plain(answer))
	}
}
