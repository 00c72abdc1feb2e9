package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/examples"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Commands are what a document executes if a person allows it.
type Commands struct {
	Plan         *plan.Plan
	servers      []trust.Item // the servers that it would start
	originalPath string       // the path of the original document of a run; "": that of the plan
}

// All returns the commands of the document and of what it includes, and the tool servers that it
// would start.
func (c Commands) All() []trust.Item { return append(trust.ListCommands(c.Plan), c.servers...) }

// hash identifies the content of the document and the servers that it would start.
func (c Commands) hash() string { return trust.DocumentHash(c.Plan, c.servers...) }

// Trust stores that a person allowed the commands.
func (c Commands) Trust() error {
	return trust.DefaultStore().StoreTrust(c.hash(), c.absolutePath(), time.Now())
}

// absolutePath returns the path under which trust is stored. The name of a built-in example stays as it is.
func (c Commands) absolutePath() string {
	if strings.HasPrefix(c.Plan.Path, machine.BuiltInPrefix) {
		return c.Plan.Path
	}
	if path, err := filepath.Abs(cmp.Or(c.originalPath, c.Plan.Path)); err == nil {
		return path
	}
	return c.Plan.Path
}

// HaveChanged reports whether a person allowed the commands of another version of the document, and not these.
func (c Commands) HaveChanged() bool {
	trusted, err := c.IsTrusted()
	return err == nil && !trusted && trust.DefaultStore().TrustsVersionOf(c.absolutePath())
}

// isBuiltInExample reports whether the document and all that it includes are unchanged built-in examples.
func isBuiltInExample(p *plan.Plan) bool {
	if !examples.ContainsFile(p.Source) {
		return false
	}
	for _, f := range p.Files {
		if !f.IsFolder && !examples.ContainsFile(f.Source) {
			return false
		}
	}
	for _, c := range p.IncludedDocuments {
		if c.Plan != nil && !isBuiltInExample(c.Plan) {
			return false
		}
	}
	return true
}

// allowedHashesFile, in a run's folder, has the hash of each content that the run may execute, one a
// line: because of --trust, or because a person allowed it during the run.
const allowedHashesFile = "allowed"

// IsTrusted reports whether the document may run its commands without asking: a person allowed this
// content before, there is nothing to run, or it is a built-in example that starts no server.
func (c Commands) IsTrusted() (bool, error) {
	if len(c.All()) == 0 || len(c.servers) == 0 && isBuiltInExample(c.Plan) {
		return true, nil
	}
	return trust.DefaultStore().IsTrusted(c.hash())
}

// storeAllowedHash stores that the run may execute this content. The run's copies of the documents do
// not change, so resuming it needs no new permission.
func storeAllowedHash(f journal.Folder, c Commands) error {
	if wasContentAllowed(f, c) {
		return nil
	}
	data, err := infile.ReadIn(f.Dir(), allowedHashesFile, infile.MaxStateFileSize)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = outfile.ReplaceFile(filepath.Join(f.Dir(), allowedHashesFile), append(data, c.hash()+"\n"...), 0o600)
	}
	if err != nil {
		return trust.NotRecordedError(err)
	}
	return nil
}

// wasContentAllowed reports whether the run was allowed to execute this content, by --trust or during the
// run.
func wasContentAllowed(f journal.Folder, c Commands) bool {
	data, err := infile.ReadIn(f.Dir(), allowedHashesFile, infile.MaxStateFileSize)
	return err == nil && slices.Contains(strings.Fields(string(data)), c.hash())
}

// Path returns the path of the document.
func (c Commands) Path() string { return c.Plan.Path }

// WriteCommands prints what a document would execute, and where it is defined.
func (c Commands) WriteCommands(w io.Writer) {
	if c.HaveChanged() {
		fmt.Fprintln(w, sanitize.Plain(c.Plan.Path)+" has changed since you trusted it.")
	}
	WriteCommands(w, c.All())
}

// WriteCommands prints commands, and where they are defined.
func WriteCommands(w io.Writer, all []trust.Item) {
	var texts []string
	for _, c := range all {
		texts = append(texts, c.File, c.ExecutedBy(), c.Text)
	}
	if careful := sanitize.HiddenCharacterWarning(texts...); careful != "" {
		fmt.Fprintln(w, careful)
	}
	for _, c := range all {
		fmt.Fprintf(w, "%s:%d: %s\n", sanitize.Plain(c.File), c.Line, sanitize.Plain(c.ExecutedBy()))
		text := sanitize.PlainLines(sanitize.MarkPadding(strings.TrimRight(c.Text, "\n")))
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
}
