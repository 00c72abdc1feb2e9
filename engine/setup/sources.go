package setup

import (
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/parse/plan"
)

// The names of sources. The last one is a prefix, which the ID of a run follows.
const (
	serverSourceName    = "openai"
	recordingSourceName = "recording"
	replaySourcePrefix  = "replay:"
)

const maxOfferedSources = 20

// offeredSources returns the sources from which replies to the document at path can come, in
// addition to a person: servers, its recording, and its earlier runs, newest first.
func (o *ModelOptions) offeredSources(path, recording string) ([]model.SourceOption, error) {
	out := o.serverSources()
	if isFile(recording) {
		out = append(out, storedSource(recordingSourceName, "recorded replies, "+filepath.Base(recordingPath(path)), recording))
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	runs, err := journal.DefaultStore().RunsOf(absolute)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Result == string(plan.Completed) && !r.IsUnopenedFork && len(out) < maxOfferedSources {
			out = append(out, storedSource(replaySourcePrefix+r.Run, r.Started.Local().Format(time.DateTime)+", "+r.Result, recording))
		}
	}
	return out, nil
}

// serverSources returns the default model and the other models that the configuration names.
func (o *ModelOptions) serverSources() (out []model.SourceOption) {
	all := o.Endpoints()
	if o.hasServer() {
		out = append(out, model.SourceOption{Name: serverSourceName, Description: all.Default.describe(), Open: o.defaultModelSource})
	}
	for _, name := range all.ProfileNames() {
		if name != all.Default.Profile.Name {
			open := func() (model.ReplySource, error) { return all.Source(name) }
			out = append(out, model.SourceOption{Name: serverSourceName + ":" + name, Description: all.ByName[name].describe(), Open: open})
		}
	}
	return out
}

// problemText returns why the endpoint cannot be asked, "" if it can.
func (e *Endpoint) problemText() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// describe returns the model and the server of the endpoint, or why it cannot be asked.
func (e *Endpoint) describe() string {
	if e.Err != nil {
		return e.problemText()
	}
	at := e.Profile.BaseURL
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Host
	}
	if at != "" {
		at = " at " + at
	}
	return e.Profile.ModelName + at
}

// checkSourceName returns an error for a name that no source has, even if the document has nothing to ask
// it.
func (o *ModelOptions) checkSourceName(name string) error {
	profile, server := strings.CutPrefix(name, serverSourceName+":")
	run, replay := strings.CutPrefix(name, replaySourcePrefix)
	switch {
	case slices.Contains([]string{"", serverSourceName, recordingSourceName, model.ManualSource}, name), replay && run != "":
		return nil
	case server && profile != "":
		_, err := o.Endpoints().endpointNamed(profile)
		return err
	}
	return Errorf("--source %s: use openai, manual, recording or replay:RUN", name)
}

// sourceNamed returns the source for a name.
func (o *ModelOptions) sourceNamed(name, recording string) model.SourceOption {
	profile, server := strings.CutPrefix(name, serverSourceName+":")
	switch {
	case name == serverSourceName:
		return model.SourceOption{Name: name, Open: o.defaultModelSource}
	case server:
		return model.SourceOption{Name: name, Open: func() (model.ReplySource, error) { return o.Endpoints().Source(profile) }}
	}
	return storedSource(name, "", recording)
}

// storedSource returns a source of stored replies.
func storedSource(name, about, recording string) model.SourceOption {
	return model.SourceOption{Name: name, Description: about, HasStoredReplies: true, Open: func() (model.ReplySource, error) {
		replies, err := storedReplies(name, recording)
		return replies.Replies, err
	}}
}

// storedReplies returns the replies that a stored source holds. For other sources it returns none.
func storedReplies(name, recording string) (replies scenario.RepliesAndResults, err error) {
	run, replay := strings.CutPrefix(name, replaySourcePrefix)
	switch {
	case replay:
		return repliesOfRun(run)
	case name == recordingSourceName:
		replies, _, err = readReplies(recording)
	}
	return replies, err
}

// setFirstSource makes a run begin with a source, and use the source's results of tools.
func setFirstSource(c *engine.Config, name string) error {
	c.FirstSourceName = name
	return addToolResults(c, name)
}

// checkSource returns an error if a source cannot be asked.
func checkSource(c *engine.Config, name string) error {
	i := sourceIndex(c.Sources, name)
	if i < 0 { // a person replies
		return nil
	}
	_, err := c.Sources[i].Open()
	return err
}

// addToolResults adds the results of tools of a stored source. Prepared results take precedence.
func addToolResults(c *engine.Config, source string) error {
	path, err := OriginalDocument(c)
	if err != nil {
		return err
	}
	replies, err := storedReplies(source, recordingPathFor(c, path))
	if err != nil || replies.Results == nil {
		return err
	}
	if c.PreparedResults != nil {
		maps.Copy(replies.Results.TextsByKey, c.PreparedResults.TextsByKey)
	}
	c.PreparedResults = replies.Results
	return nil
}
