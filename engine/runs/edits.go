package runs

import (
	"strings"

	"playhead/engine/journal"
	"playhead/engine/rewrite"
	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Changes returns the changes that the edits of a run would make to its documents: those of the
// document itself, then those of what its steps do.
func Changes(id string) ([]rewrite.Change, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return nil, err
	}
	edits := rewrite.Edits(history.Events)
	snapshots, label := rewrite.DocumentEdits(history.Events)
	if len(edits)+len(snapshots) == 0 {
		return nil, nil
	}
	src, err := history.Source()
	if err != nil {
		return nil, err
	}
	started, err := setup.StartOf(id, history.Events)
	if err != nil {
		return nil, err
	}
	path := src.OriginalDocument
	if strings.HasPrefix(started.Path, setup.ExamplePrefix) {
		return nil, setup.Errorf("%s is built in and cannot be changed: run a copy of it instead", started.Path)
	}
	inForce := history.Folder.Snapshot(setup.SnapshotOf(history.Events))
	docs := rewrite.Documents{
		Path: path,
		Load: func(instead map[string][]byte) *plan.Plan {
			return parse.Load(path, parse.Options{Format: started.Format, Start: src.OriginalStart, Flags: started.Options.Load, Instead: instead})
		},
		Copy: func(path string) ([]byte, error) {
			copied, err := inForce.Copy(path)
			if err != nil {
				return nil, err
			}
			return infile.Read(copied, infile.State)
		},
	}
	var out []rewrite.Change
	if len(snapshots) > 0 {
		versions := make([]rewrite.Version, len(snapshots))
		for i, name := range snapshots {
			if versions[i], err = history.Folder.Snapshot(name).Contents(); err != nil {
				return nil, err
			}
		}
		out = docs.Files(label, versions)
	}
	return append(out, docs.Drafts(edits)...), nil
}
