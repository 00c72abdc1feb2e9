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
)

// ModelOptions are the flags that say where replies come from.
type ModelOptions struct {
	Settings
	Replies, Source, Model, BaseURL string

	Temperature *float64 // nil: as the profile says
	MaxTokens   int      // 0: as the profile says

	remembered bool // the source is the one that the run remembers
}

// sourceChoice says how the source of replies was found.
type sourceChoice struct {
	note  string // what is used because nobody chose one; empty: somebody did
	ask   bool   // there is something for a person to choose
	lacks string // what a server that is configured lacks to be asked; empty: none is

	replyLines map[string]int // of the file of replies, where the labels stand

	memory memory // of the options, for when the run is resumed
}

// sources sets where replies and texts for prompts come from.
func (o *ModelOptions) sources(c *engine.Config) (choice sourceChoice, err error) {
	path, err := OriginalDocument(c)
	if err != nil {
		return choice, err
	}
	c.Texts = o.Texts(path)
	if file := cmp.Or(o.Replies, copyIn(c.Run, repliesCopy)); file != "" {
		replies, source, err := readReplies(file)
		if err != nil {
			return choice, err
		}
		c.Replies, c.Results, choice.memory.replies = replies.Replies, replies.Results, source
		choice.replyLines = replies.Lines
	}
	if !o.remembered {
		if err := o.checkName(o.Source); err != nil {
			return choice, err
		}
	}
	if !c.Plan.AsksModels() {
		o.record(&choice.memory, o.Source)
		return choice, addResults(c, o.Source)
	}
	recording := recordingFor(c, path)
	if c.Sources, err = o.offeredSources(path, recording); err != nil {
		return choice, err
	}
	name := o.initialSource(c, &choice)
	o.record(&choice.memory, name)
	if c.Run == nil && isFile(recording) {
		choice.memory.recording, _ = infile.Read(recording, infile.Given) // what is wrong with it is told when it is used
	}
	if name != model.Manual && sourceIndex(c.Sources, name) < 0 {
		c.Sources = append(c.Sources, o.sourceNamed(name, recording))
	}
	choice.ask = choice.note != "" && len(c.Sources) > 0
	return choice, startWith(c, name)
}

// initialSource is the name of the source to begin with, and what to tell a person where
// nobody chose it. A server that lacks a model is asked for it when it is called.
func (o *ModelOptions) initialSource(c *engine.Config, choice *sourceChoice) (name string) {
	if name := o.chosenSource(); name != "" {
		return name
	}
	lacks := "no model is configured"
	if o.hasServer() {
		lacks = o.Profiles().Default.problem()
		choice.lacks = lacks
	}
	switch {
	case sourceIndex(c.Sources, recordedSource) >= 0 && c.Replies == nil:
		choice.note = lacks + "; recorded replies are used, from " + filepath.Base(recordingOf(c.Plan.Path))
		return recordedSource
	case o.hasServer():
		return serverSource
	case c.Replies == nil:
		choice.note = lacks + ", so a person replies in its place"
	}
	return model.Manual
}

// sourceIndex is the place of a source, -1 where it is not among them.
func sourceIndex(sources []model.Origin, name string) int {
	return slices.IndexFunc(sources, func(s model.Origin) bool { return s.Name == name })
}

// recordingOf is where a document's recorded replies lie: NAME.replies.yaml.
func recordingOf(path string) string { return parse.Beside(path, "replies") }

// recordingFor is the recording for a run of the document at path: its copy, if it has one.
func recordingFor(c *engine.Config, path string) string {
	return cmp.Or(copyIn(c.Run, recordingCopy), recordingOf(path))
}

func readReplies(path string) (replies scenario.Replies, source []byte, err error) {
	if source, err = infile.Read(path, infile.Given); err != nil {
		return replies, nil, Errorf("cannot read the replies: %w", err)
	}
	if replies, err = scenario.ReadReplies(source); err != nil {
		return replies, nil, Errorf("%s: %w", path, err)
	}
	return replies, source, nil
}

// repliesOfRun are what models and tools said in an earlier run.
func repliesOfRun(id string) (scenario.Replies, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return scenario.Replies{}, Errorf("--source replay: %w", err)
	}
	return scenario.RecordedReplies(machine.Chain(history.Events), "replay"), nil
}
