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

// The names of reply sources. The last one is a prefix that the ID of a run follows. The name of a model in the
// configuration can follow the first one and a colon.
const (
	serverReplySourceName    = "openai"
	recordingReplySourceName = "recording"
	runReplySourcePrefix     = "replay:"
)

const maxOfferedReplySources = 20

// offeredReplySources returns the reply sources for the document at path, in addition to a person: servers,
// its recording, and its earlier runs, newest first.
func (o *ModelOptions) offeredReplySources(path, recording string) ([]model.ReplySourceOption, error) {
	out := o.serverReplySources()
	if isFile(recording) {
		out = append(out, storedReplySource(recordingReplySourceName, filepath.Base(recordingPath(path)), recording))
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
		if r.Result == string(plan.Completed) && !r.IsUnopenedFork && len(out) < maxOfferedReplySources {
			out = append(out, storedReplySource(runReplySourcePrefix+r.Run, r.Started.Local().Format(time.DateTime)+", "+r.Result, recording))
		}
	}
	return out, nil
}

// serverReplySources returns the default model and the other models that the configuration names.
func (o *ModelOptions) serverReplySources() (out []model.ReplySourceOption) {
	all := o.Endpoints()
	if o.hasServer() {
		out = append(out, model.ReplySourceOption{Name: serverReplySourceName, Description: all.Default.describe(), Open: o.defaultModelReplySource})
	}
	for _, name := range all.ProfileNames() {
		if name != all.Default.Profile.Name {
			open := func() (model.ReplySource, error) { return all.Source(name) }
			out = append(out, model.ReplySourceOption{Name: serverReplySourceName + ":" + name, Description: all.ByName[name].describe(), Open: open})
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

// checkReplySourceName returns an error for a name that no reply source has, even if the document has nothing to ask
// it.
func (o *ModelOptions) checkReplySourceName(name string) error {
	profile, server := strings.CutPrefix(name, serverReplySourceName+":")
	run, replay := strings.CutPrefix(name, runReplySourcePrefix)
	switch {
	case slices.Contains([]string{"", serverReplySourceName, recordingReplySourceName, model.ManualReplySource}, name), replay && run != "":
		return nil
	case server && profile != "":
		_, err := o.Endpoints().endpointNamed(profile)
		return err
	}
	return Errorf("--source %s: use openai, openai:NAME, manual, recording or replay:RUN", name)
}

// replySourceNamed returns the reply source for a name.
func (o *ModelOptions) replySourceNamed(name, recording string) model.ReplySourceOption {
	profile, server := strings.CutPrefix(name, serverReplySourceName+":")
	switch {
	case name == serverReplySourceName:
		return model.ReplySourceOption{Name: name, Open: o.defaultModelReplySource}
	case server:
		return model.ReplySourceOption{Name: name, Open: func() (model.ReplySource, error) { return o.Endpoints().Source(profile) }}
	}
	return storedReplySource(name, "", recording)
}

// storedReplySource returns a source of stored replies.
func storedReplySource(name, about, recording string) model.ReplySourceOption {
	return model.ReplySourceOption{Name: name, Description: about, HasStoredReplies: true, Open: func() (model.ReplySource, error) {
		replies, err := storedReplies(name, recording)
		return replies.Replies, err
	}}
}

// storedReplies returns the replies that a stored source holds. For other sources it returns none.
func storedReplies(name, recording string) (replies scenario.RepliesAndResults, err error) {
	run, replay := strings.CutPrefix(name, runReplySourcePrefix)
	switch {
	case replay:
		return repliesOfRun(run)
	case name == recordingReplySourceName:
		replies, _, err = readReplies(recording)
	}
	return replies, err
}

// setFirstReplySource makes a run begin with a reply source, and use the recorded results of tools that the source
// has.
func setFirstReplySource(c *engine.Config, name string) error {
	c.FirstReplySourceName = name
	return addToolResults(c, name)
}

// checkReplySource opens a reply source and returns the error of that.
func checkReplySource(c *engine.Config, name string) error {
	i := replySourceIndex(c.ReplySources, name)
	if i < 0 { // a person replies
		return nil
	}
	_, err := c.ReplySources[i].Open()
	return err
}

// addToolResults adds the results of tools of a stored source. Prepared results take precedence.
func addToolResults(c *engine.Config, source string) error {
	path, err := originalDocumentPath(c)
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
