package setup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/outfile"
	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/examples"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Commands are what a document would execute, once a person allows it.
type Commands struct {
	Plan    *plan.Plan
	servers []trust.Item // that it would start
}

// All lists the commands of the document, those of what it includes, and the tool servers it would start.
func (d Commands) All() []trust.Item { return append(trust.Commands(d.Plan), d.servers...) }
func (d Commands) hash() string      { return trust.Hash(d.Plan, d.servers...) }

// Remember keeps a person's yes.
func (d Commands) Remember() error {
	return trust.Default().Remember(d.hash(), d.Plan.Path, time.Now())
}

// isBuiltIn reports whether the document and all it includes are, byte for byte,
// built-in examples.
func isBuiltIn(p *plan.Plan) bool {
	if !examples.Is(p.Source) {
		return false
	}
	for _, f := range p.Files {
		if !f.Folder && !examples.Is(f.Source) {
			return false
		}
	}
	for _, c := range p.Children {
		if c.Plan != nil && !isBuiltIn(c.Plan) {
			return false
		}
	}
	return true
}

// allowedFile, in a run's folder, names the contents that it may execute whatever is known of them,
// one a line: what --trust let it execute, and what a person has allowed in mid-run.
const allowedFile = "allowed"

// IsTrusted reports whether the document may run its commands without being asked
// for: a person allowed this content before, it has nothing to run, or it is one
// of our own examples, none of which starts a server.
func (d Commands) IsTrusted() (bool, error) {
	if len(d.All()) == 0 || len(d.servers) == 0 && isBuiltIn(d.Plan) {
		return true, nil
	}
	return trust.Default().Trusted(d.hash())
}

// keepAllowed remembers that the run may execute this content: its copies of the
// documents do not change, so going on with them needs no other yes.
func keepAllowed(f journal.Folder, d Commands) error {
	if wasAllowed(f, d) {
		return nil
	}
	data, err := infile.ReadIn(f.Dir(), allowedFile, infile.State)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = outfile.Replace(filepath.Join(f.Dir(), allowedFile), append(data, d.hash()+"\n"...), 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	return nil
}

// wasAllowed reports whether the run was started, or gone on with, with --trust.
func wasAllowed(f journal.Folder, d Commands) bool {
	data, err := infile.ReadIn(f.Dir(), allowedFile, infile.State)
	return err == nil && slices.Contains(strings.Fields(string(data)), d.hash())
}

// WriteList prints what a document would execute, where it stands.
func (d Commands) WriteList(w io.Writer) {
	all := d.All()
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Document, c.Label(), c.Text)
	}
	if careful := sanitize.Careful(texts...); careful != "" {
		fmt.Fprintln(w, careful)
	}
	for _, c := range all {
		fmt.Fprintf(w, "%s:%d: %s\n", sanitize.Plain(c.Document), c.Line, sanitize.Plain(c.Label()))
		text := sanitize.Text(sanitize.Unpadded(strings.TrimRight(c.Text, "\n")))
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}
