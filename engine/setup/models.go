package setup

import (
	"cmp"
	"path/filepath"
	"slices"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// ModelOptions are the flags that say where replies come from.
type ModelOptions struct {
	Settings
	Replies, Source, Model, BaseURL string

	Temperature *float64 // nil: as the profile says
	MaxTokens   int      // 0: so too

	remembered bool // the source is the one that the run remembers
}

// pendingSource is what nobody said about where replies come from.
type pendingSource struct {
	note  string // what is used instead; empty: it was said
	ask   bool   // there is something for a person to choose
	lacks string // what a server that is configured lacks to be asked; empty: none is

	memory memory // what was said of it, for when the run is resumed
}

// sources sets where replies and texts for prompts come from.
func (o *ModelOptions) sources(c *engine.Config) (left pendingSource, err error) {
	path, err := OriginalDocument(c)
	if err != nil {
		return left, err
	}
	c.Texts = o.Texts(path)
	if file := cmp.Or(o.Replies, keptFile(c.Run, keptRepliesFile)); file != "" {
		said, source, err := readReplies(file)
		if err != nil {
			return left, err
		}
		c.Replies, c.Results, left.memory.replies = said.Replies, said.Results, source
	}
	if !asksModel(c.Plan.Steps) {
		o.record(&left.memory, o.Source)
		return left, addResults(c, o.Source)
	}
	recording := recordingFor(c, path)
	if c.Sources, err = o.offeredSources(path, recording); err != nil {
		return left, err
	}
	name := o.initialSource(c, &left)
	o.record(&left.memory, name)
	if c.Run == nil && isFile(recording) {
		left.memory.recording, _ = infile.Read(recording, infile.Given) // what is wrong with it is told when it is used
	}
	if name != model.Manual && sourceIndex(c.Sources, name) < 0 {
		origin, err := o.sourceNamed(name, recording)
		if err != nil {
			return left, err
		}
		c.Sources = append(c.Sources, origin)
	}
	left.ask = left.note != "" && len(c.Sources) > 0
	return left, startWith(c, name)
}

// initialSource is the name of the source to begin with, and what is to be said of it where
// nobody chose it. A server that lacks a model is asked for it when it is called.
func (o *ModelOptions) initialSource(c *engine.Config, left *pendingSource) (name string) {
	if name := o.chosenSource(); name != "" {
		return name
	}
	lacks := "no model is configured"
	if o.hasServer() {
		lacks = o.Profiles().Default.problem()
		left.lacks = lacks
	}
	switch {
	case sourceIndex(c.Sources, recordedSource) >= 0 && c.Replies == nil:
		left.note = lacks + "; recorded replies are used, from " + filepath.Base(recordingOf(c.Plan.Path))
		return recordedSource
	case o.hasServer():
		return serverSource
	case c.Replies == nil:
		left.note = lacks + ", so a person replies in its place"
	}
	return model.Manual
}

// sourceIndex is the place of a source, -1 where it is not among them.
func sourceIndex(sources []model.Origin, name string) int {
	return slices.IndexFunc(sources, func(s model.Origin) bool { return s.Name == name })
}

// asksModel reports whether some step calls a model.
func asksModel(steps []*plan.Step) bool {
	for _, s := range steps {
		for _, a := range s.Actions {
			if _, ok := a.Work.(plan.Model); ok {
				return true
			}
		}
		if asksModel(s.Children) {
			return true
		}
	}
	return false
}

// recordingOf is where a document's recorded replies lie: NAME.replies.yaml.
func recordingOf(path string) string { return parse.Beside(path, "replies") }

// recordingFor is the recording for a run of the document at path: its copy, if it has one.
func recordingFor(c *engine.Config, path string) string {
	return cmp.Or(keptFile(c.Run, keptRecordingFile), recordingOf(path))
}

// readReplies reads a file of replies.
func readReplies(path string) (said scenario.Replies, source []byte, err error) {
	if source, err = infile.Read(path, infile.Given); err != nil {
		return said, nil, Errorf("cannot read the replies: %w", err)
	}
	if said, err = scenario.ReadReplies(source); err != nil {
		return said, nil, Errorf("%s: %w", path, err)
	}
	return said, source, nil
}

// replayed are what models and tools said in an earlier run.
func replayed(id string) (scenario.Replies, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return scenario.Replies{}, Errorf("--source replay: %w", err)
	}
	return scenario.RecordedReplies(machine.Chain(history.Events), "replay"), nil
}
