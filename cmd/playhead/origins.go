package main

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/parse/plan"
)

// The names of sources. What is behind replaySource is the run's.
const (
	serverSource   = "openai"
	recordedSource = "recording"
	replaySource   = "replay:"
)

// mostOrigins is how many sources are offered.
const mostOrigins = 20

// origins are the sources that replies to the document at path can come from, but for
// a person: servers, its recording, its earlier runs, newest first.
func (o *modelOptions) origins(path, recording string) ([]model.Origin, error) {
	out := o.servers()
	if isFile(recording) {
		out = append(out, stored(recordedSource, "recorded replies, "+filepath.Base(recordingOf(path)), recording))
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	runs, err := journal.Default().Of(absolute)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Result == string(plan.Completed) && len(out) < mostOrigins {
			out = append(out, stored(replaySource+r.Run, r.Since().Local().Format(time.DateTime)+", "+r.Result, recording))
		}
	}
	return out, nil
}

// servers are the usual model, and the others that the configuration names.
func (o *modelOptions) servers() (out []model.Origin) {
	all := o.profiles()
	if o.server() {
		out = append(out, model.Origin{Name: serverSource, About: all.usual.about(), Open: o.client})
	}
	for _, name := range all.Names() {
		if name != all.usual.profile.Name {
			open := func() (model.Source, error) { return all.Source(name) }
			out = append(out, model.Origin{Name: serverSource + ":" + name, About: all.named[name].about(), Open: open})
		}
	}
	return out
}

// lacks says why the endpoint cannot be asked, if it cannot.
func (e *endpoint) lacks() string {
	if e.wrong == nil {
		return ""
	}
	return e.wrong.Error()
}

// about says which model of which server is asked, or why it cannot be.
func (e *endpoint) about() string {
	if e.wrong != nil {
		return e.lacks()
	}
	at := e.profile.BaseURL
	if u, err := url.Parse(at); err == nil && u.Host != "" {
		at = u.Host
	}
	if at != "" {
		at = " at " + at
	}
	return e.profile.Model + at
}

// named is a source of which only the name is given.
func (o *modelOptions) named(name, recording string) (model.Origin, error) {
	_, replay := strings.CutPrefix(name, replaySource)
	profile, server := strings.CutPrefix(name, serverSource+":")
	switch {
	case name == serverSource:
		return model.Origin{Name: name, Open: o.client}, nil
	case server:
		return model.Origin{Name: name, Open: func() (model.Source, error) { return o.profiles().Source(profile) }}, nil
	case name == recordedSource, replay:
		return stored(name, "", recording), nil
	}
	return model.Origin{}, usage("--source %s: there is openai, manual, recording and replay:RUN", name)
}

// stored is a source of replies that are there already.
func stored(name, about, recording string) model.Origin {
	return model.Origin{Name: name, About: about, Stored: true, Open: func() (model.Source, error) {
		said, err := saidBy(name, recording)
		return said.Replies, err
	}}
}

// saidBy is what a stored source holds, and nothing for any other.
func saidBy(name, recording string) (said scenario.Said, err error) {
	run, replay := strings.CutPrefix(name, replaySource)
	switch {
	case replay:
		return replayed(run)
	case name == recordedSource:
		said, _, err = readReplies(recording)
	}
	return said, err
}

// beginWith has a run begin with a source. The results of tools are what it has too.
func beginWith(c *engine.Config, name string) error {
	c.Source = name
	return results(c, name)
}

// usable says what keeps a source from being asked, if anything.
func usable(c *engine.Config, name string) error {
	i := find(c.Sources, name)
	if i < 0 { // a person
		return nil
	}
	_, err := c.Sources[i].Open()
	return err
}

// results takes the results of tools from a stored source, behind those that are
// given.
func results(c *engine.Config, source string) error {
	path, err := documentOf(c)
	if err != nil {
		return err
	}
	said, err := saidBy(source, recordingFor(c, path))
	if err != nil || said.Results == nil {
		return err
	}
	if c.Results != nil {
		maps.Copy(said.Results.Texts, c.Results.Texts)
	}
	c.Results = said.Results
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
