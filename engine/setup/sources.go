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

// The names of sources. A run's ID follows replaySource.
const (
	serverSource   = "openai"
	recordedSource = "recording"
	replaySource   = "replay:"
)

const maxSources = 20

// offeredSources returns the sources from which replies to the document at path can come, in
// addition to a person: servers, its recording, and its earlier runs, newest first.
func (o *ModelOptions) offeredSources(path, recording string) ([]model.Origin, error) {
	out := o.serverSources()
	if isFile(recording) {
		out = append(out, storedSource(recordedSource, "recorded replies, "+filepath.Base(recordingOf(path)), recording))
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	runs, err := journal.Default().RunsOf(absolute)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Result == string(plan.Completed) && len(out) < maxSources {
			out = append(out, storedSource(replaySource+r.Run, r.Since().Local().Format(time.DateTime)+", "+r.Result, recording))
		}
	}
	return out, nil
}

// serverSources returns the default model and the other models that the configuration names.
func (o *ModelOptions) serverSources() (out []model.Origin) {
	all := o.Endpoints()
	if o.hasServer() {
		out = append(out, model.Origin{Name: serverSource, About: all.Default.label(), Open: o.client})
	}
	for _, name := range all.Names() {
		if name != all.Default.Profile.Name {
			open := func() (model.Source, error) { return all.Source(name) }
			out = append(out, model.Origin{Name: serverSource + ":" + name, About: all.ByName[name].label(), Open: open})
		}
	}
	return out
}

// problem returns why the endpoint cannot be asked, "" if it can.
func (e *Endpoint) problem() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// label returns the model and the server of the endpoint, or why it cannot be asked.
func (e *Endpoint) label() string {
	if e.Err != nil {
		return e.problem()
	}
	at := e.Profile.BaseURL
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Host
	}
	if at != "" {
		at = " at " + at
	}
	return e.Profile.Model + at
}

// checkName returns an error for a name that no source has, even if the document has nothing to ask
// it.
func (o *ModelOptions) checkName(name string) error {
	profile, server := strings.CutPrefix(name, serverSource+":")
	run, replay := strings.CutPrefix(name, replaySource)
	switch {
	case slices.Contains([]string{"", serverSource, recordedSource, model.Manual}, name), replay && run != "":
		return nil
	case server && profile != "":
		_, err := o.Endpoints().endpoint(profile)
		return err
	}
	return Errorf("--source %s: use openai, manual, recording or replay:RUN", name)
}

// sourceNamed returns the source for a name.
func (o *ModelOptions) sourceNamed(name, recording string) model.Origin {
	profile, server := strings.CutPrefix(name, serverSource+":")
	switch {
	case name == serverSource:
		return model.Origin{Name: name, Open: o.client}
	case server:
		return model.Origin{Name: name, Open: func() (model.Source, error) { return o.Endpoints().Source(profile) }}
	}
	return storedSource(name, "", recording)
}

// storedSource returns a source of stored replies.
func storedSource(name, about, recording string) model.Origin {
	return model.Origin{Name: name, About: about, Stored: true, Open: func() (model.Source, error) {
		replies, err := repliesOf(name, recording)
		return replies.Replies, err
	}}
}

// repliesOf returns the replies that a stored source holds. For other sources it returns none.
func repliesOf(name, recording string) (replies scenario.Replies, err error) {
	run, replay := strings.CutPrefix(name, replaySource)
	switch {
	case replay:
		return repliesOfRun(run)
	case name == recordedSource:
		replies, _, err = readReplies(recording)
	}
	return replies, err
}

// startWith makes a run begin with a source, and use the source's results of tools.
func startWith(c *engine.Config, name string) error {
	c.Source = name
	return addResults(c, name)
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

// addResults adds the results of tools of a stored source. Prepared results take precedence.
func addResults(c *engine.Config, source string) error {
	path, err := OriginalDocument(c)
	if err != nil {
		return err
	}
	replies, err := repliesOf(source, recordingFor(c, path))
	if err != nil || replies.Results == nil {
		return err
	}
	if c.Results != nil {
		maps.Copy(replies.Results.Texts, c.Results.Texts)
	}
	c.Results = replies.Results
	return nil
}
