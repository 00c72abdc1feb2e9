package setup

import (
	"cmp"
	"slices"
	"strings"

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
	RepliesFile, ReplySource, Model, BaseURL string

	Temperature *float64 // nil: the profile's
	MaxTokens   int      // 0: the profile's

	isReplySourceSaved bool // ReplySource comes from the run's saved settings
}

// replySourceSetup is the result of choosing the first reply source.
type replySourceSetup struct {
	defaultNote   string // what is used because nobody chose; empty: somebody did
	canChoose     bool   // nobody chose, and there are sources that a person can choose
	serverProblem string // what the configured server lacks; empty: no server is configured

	replyLineByLabel map[string]int // the lines of the labels in the file of replies

	savedSettings savedSettings // of the options, for resuming the run
}

// setReplySources sets where replies, prepared results of tools and texts for prompts come from.
func (o *ModelOptions) setReplySources(r *Run) (choice replySourceSetup, err error) {
	c := &r.Config
	path, err := originalDocumentPath(c)
	if err != nil {
		return choice, err
	}
	c.PromptTexts = o.PromptTexts(path)
	if file := cmp.Or(o.RepliesFile, copyPathIn(c.Run, repliesCopyFile)); file != "" {
		replies, source, err := readReplies(file)
		if err != nil {
			return choice, err
		}
		c.PreparedReplies, c.PreparedResults, choice.savedSettings.replies = replies.Replies, replies.Results, source
		choice.replyLineByLabel = replies.LineByLabel
	}
	if c.RepliesSince = r.savedSettings.RepliesSince; o.RepliesFile != "" || o.choosesStoredReplies(c) {
		c.RepliesSince = len(c.History)
	}
	choice.savedSettings.RepliesSince = c.RepliesSince
	if !o.isReplySourceSaved {
		if err := o.checkReplySourceName(o.ReplySource); err != nil {
			return choice, err
		}
	}
	if !r.CurrentPlan.AsksModels() && !c.FirstPlan.AsksModels() { // a rewind can lead back to the first version
		o.storeIn(&choice.savedSettings, o.ReplySource)
		return choice, addToolResults(c, o.ReplySource)
	}
	recording := recordingPathFor(c, path)
	if c.ReplySources, err = o.offeredReplySources(path, recording); err != nil {
		return choice, err
	}
	name := o.chooseInitialReplySource(c, &choice)
	o.storeIn(&choice.savedSettings, name)
	if c.Run == nil && isFile(recording) {
		choice.savedSettings.recording, _ = infile.Read(recording, infile.MaxPersonFileSize) // problems with it are reported when it is used
	}
	if name != model.ManualReplySource && replySourceIndex(c.ReplySources, name) < 0 {
		c.ReplySources = append(c.ReplySources, o.replySourceNamed(name, recording))
	}
	choice.canChoose = choice.defaultNote != "" && len(c.ReplySources) > 0
	return choice, setFirstReplySource(c, name)
}

// choosesStoredReplies reports whether a flag chooses a recording or an earlier run that names steps as they are now. The
// run's own copy of the recording names them as they were at the start.
func (o *ModelOptions) choosesStoredReplies(c *engine.Config) bool {
	if o.isReplySourceSaved {
		return false
	}
	isNewRecording := o.ReplySource == recordingReplySourceName && copyPathIn(c.Run, recordingCopyFile) == ""
	return isNewRecording || strings.HasPrefix(o.ReplySource, runReplySourcePrefix)
}

// chooseInitialReplySource returns the name of the reply source to begin with. If nobody chose one, it says so in
// choice. A server without a model is returned too: what it lacks is reported when it is first called.
func (o *ModelOptions) chooseInitialReplySource(c *engine.Config, choice *replySourceSetup) (name string) {
	if name := o.chosenReplySource(); name != "" {
		return name
	}
	lacks := "no default model is configured"
	if len(o.Config.Profiles) == 0 {
		lacks = "no model is configured"
	}
	if o.hasServer() {
		lacks = o.Endpoints().Default.problemText()
		choice.serverProblem = lacks
	}
	recording := replySourceIndex(c.ReplySources, recordingReplySourceName)
	switch {
	case recording >= 0 && c.PreparedReplies == nil:
		choice.defaultNote = lacks + "; this run uses the recorded replies in " + c.ReplySources[recording].Description
		return recordingReplySourceName
	case o.hasServer():
		return serverReplySourceName
	case c.PreparedReplies == nil:
		choice.defaultNote = lacks + ", so a person replies"
	}
	return model.ManualReplySource
}

// replySourceIndex returns the index of a reply source, -1 if it is not in the list.
func replySourceIndex(sources []model.ReplySourceOption, name string) int {
	return slices.IndexFunc(sources, func(s model.ReplySourceOption) bool { return s.Name == name })
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
	history, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return scenario.RepliesAndResults{}, Errorf("--source replay: %w", err)
	}
	return scenario.RecordedRepliesAndResults(machine.LiveBranch(history.Events), "replay"), nil
}
