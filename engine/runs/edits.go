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

// Changes returns the changes that the edits of a run would make to its documents.
func Changes(id string) ([]rewrite.Change, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return nil, err
	}
	edits := rewrite.Edits(history.Events)
	if len(edits) == 0 {
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
	docs := rewrite.Documents{
		Path: path,
		Load: func(instead map[string][]byte) *plan.Plan {
			return parse.Load(path, parse.Options{Format: started.Format, Start: src.OriginalStart, Flags: started.Options.Load, Instead: instead})
		},
		Copy: func(path string) ([]byte, error) {
			copied, err := history.Copy(path)
			if err != nil {
				return nil, err
			}
			return infile.Read(copied, infile.State)
		},
	}
	return docs.Drafts(edits), nil
}
