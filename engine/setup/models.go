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
	RepliesFile, Source, Model, BaseURL string

	Temperature *float64 // nil: the profile's
	MaxTokens   int      // 0: the profile's

	isSourceSaved bool // Source comes from the run's saved settings
}

// sourceSetup is the result of choosing the first reply source.
type sourceSetup struct {
	defaultNote   string // what is used because nobody chose; empty: somebody did
	canChoose     bool   // a person can choose between sources
	serverProblem string // what the configured server lacks; empty: no server is configured

	replyLineByLabel map[string]int // the lines of the labels in the file of replies

	savedSettings savedSettings // of the options, for resuming the run
}

// setSources sets where replies and texts for prompts come from.
func (o *ModelOptions) setSources(c *engine.Config) (choice sourceSetup, err error) {
	path, err := OriginalDocument(c)
	if err != nil {
		return choice, err
	}
	c.TextFetcher = o.PromptTexts(path)
	if file := cmp.Or(o.RepliesFile, copyPathIn(c.Run, repliesCopyFile)); file != "" {
		replies, source, err := readReplies(file)
		if err != nil {
			return choice, err
		}
		c.PreparedReplies, c.PreparedResults, choice.savedSettings.replies = replies.Replies, replies.Results, source
		choice.replyLineByLabel = replies.LineByLabel
	}
	if !o.isSourceSaved {
		if err := o.checkSourceName(o.Source); err != nil {
			return choice, err
		}
	}
	if !c.Plan.AsksModels() {
		o.storeIn(&choice.savedSettings, o.Source)
		return choice, addToolResults(c, o.Source)
	}
	recording := recordingPathFor(c, path)
	if c.Sources, err = o.offeredSources(path, recording); err != nil {
		return choice, err
	}
	name := o.initialSource(c, &choice)
	o.storeIn(&choice.savedSettings, name)
	if c.Run == nil && isFile(recording) {
		choice.savedSettings.recording, _ = infile.Read(recording, infile.MaxPersonFileSize) // problems with it are reported when it is used
	}
	if name != model.ManualSource && sourceIndex(c.Sources, name) < 0 {
		c.Sources = append(c.Sources, o.sourceNamed(name, recording))
	}
	choice.canChoose = choice.defaultNote != "" && len(c.Sources) > 0
	return choice, setFirstSource(c, name)
}

// initialSource returns the name of the reply source to begin with. It sets choice.defaultNote if nobody
// chose one. If a server lacks a model, the model is asked for when the server is first called.
func (o *ModelOptions) initialSource(c *engine.Config, choice *sourceSetup) (name string) {
	if name := o.chosenSource(); name != "" {
		return name
	}
	lacks := "no model is configured"
	if o.hasServer() {
		lacks = o.Endpoints().Default.problemText()
		choice.serverProblem = lacks
	}
	switch {
	case sourceIndex(c.Sources, recordingSourceName) >= 0 && c.PreparedReplies == nil:
		choice.defaultNote = lacks + "; recorded replies are used, from " + filepath.Base(recordingPath(c.Plan.Path))
		return recordingSourceName
	case o.hasServer():
		return serverSourceName
	case c.PreparedReplies == nil:
		choice.defaultNote = lacks + ", so a person replies"
	}
	return model.ManualSource
}

// sourceIndex returns the index of a source, -1 if it is not in the list.
func sourceIndex(sources []model.SourceOption, name string) int {
	return slices.IndexFunc(sources, func(s model.SourceOption) bool { return s.Name == name })
}

// recordingPath returns the path of a document's recorded replies, NAME.replies.yaml.
func recordingPath(path string) string { return parse.SidecarPath(path, "replies") }

// recordingPathFor returns the path of the recording for a run of the document at path: the run's copy,
// if it has one.
func recordingPathFor(c *engine.Config, path string) string {
	return cmp.Or(copyPathIn(c.Run, recordingCopyFile), recordingPath(path))
}

func readReplies(path string) (replies scenario.RepliesAndResults, source []byte, err error) {
	if source, err = infile.Read(path, infile.MaxPersonFileSize); err != nil {
		return replies, nil, Errorf("cannot read the replies: %w", err)
	}
	if replies, err = scenario.ReadReplies(source); err != nil {
		return replies, nil, Errorf("%s: %w", path, err)
	}
	return replies, source, nil
}

// repliesOfRun returns the replies of models and the results of tools in an earlier run.
func repliesOfRun(id string) (scenario.RepliesAndResults, error) {
	history, err := journal.DefaultStore().Read(id)
	if err != nil {
		return scenario.RepliesAndResults{}, Errorf("--source replay: %w", err)
	}
	return scenario.RecordedReplies(machine.LiveBranch(history.Events), "replay"), nil
}
