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

	Temperature *float64 // nil: the profile's
	MaxTokens   int      // 0: the profile's

	remembered bool // Source comes from the run's saved settings
}

// sourceChoice is the result of choosing the first reply source.
type sourceChoice struct {
	note          string // what is used because nobody chose; empty: somebody did
	ask           bool   // a person can choose between sources
	serverProblem string // what the configured server lacks; empty: no server is configured

	replyLines map[string]int // the lines of the labels in the file of replies

	saved savedSettings // of the options, for resuming the run
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
		c.Replies, c.Results, choice.saved.replies = replies.Replies, replies.Results, source
		choice.replyLines = replies.Lines
	}
	if !o.remembered {
		if err := o.checkName(o.Source); err != nil {
			return choice, err
		}
	}
	if !c.Plan.AsksModels() {
		o.record(&choice.saved, o.Source)
		return choice, addResults(c, o.Source)
	}
	recording := recordingFor(c, path)
	if c.Sources, err = o.offeredSources(path, recording); err != nil {
		return choice, err
	}
	name := o.initialSource(c, &choice)
	o.record(&choice.saved, name)
	if c.Run == nil && isFile(recording) {
		choice.saved.recording, _ = infile.Read(recording, infile.Given) // problems with it are reported when it is used
	}
	if name != model.Manual && sourceIndex(c.Sources, name) < 0 {
		c.Sources = append(c.Sources, o.sourceNamed(name, recording))
	}
	choice.ask = choice.note != "" && len(c.Sources) > 0
	return choice, startWith(c, name)
}

// initialSource returns the name of the reply source to begin with. It sets choice.note if nobody
// chose one. If a server lacks a model, the model is asked for when the server is first called.
func (o *ModelOptions) initialSource(c *engine.Config, choice *sourceChoice) (name string) {
	if name := o.chosenSource(); name != "" {
		return name
	}
	lacks := "no model is configured"
	if o.hasServer() {
		lacks = o.Endpoints().Default.problem()
		choice.serverProblem = lacks
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

// sourceIndex returns the index of a source, -1 if it is not in the list.
func sourceIndex(sources []model.Origin, name string) int {
	return slices.IndexFunc(sources, func(s model.Origin) bool { return s.Name == name })
}

// recordingOf returns the path of a document's recorded replies, NAME.replies.yaml.
func recordingOf(path string) string { return parse.Beside(path, "replies") }

// recordingFor returns the path of the recording for a run of the document at path: the run's copy,
// if it has one.
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

// repliesOfRun returns the replies of models and the results of tools in an earlier run.
func repliesOfRun(id string) (scenario.Replies, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return scenario.Replies{}, Errorf("--source replay: %w", err)
	}
	return scenario.RecordedReplies(machine.Chain(history.Events), "replay"), nil
}
