package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"playhead/config"
	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// modelOptions are the flags that say where replies come from.
type modelOptions struct {
	settings
	replies, source, model, baseURL string

	temperature *float64 // nil: as the profile says
	maxTokens   int      // 0: so too
}

func (o *modelOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.replies, "replies", "", "take model replies from a YAML FILE: LABEL: text, or a list")
	f.StringVar(&o.source, "source", "", "where other replies come from: openai, manual (a person), replay:RUN")
	f.StringVar(&o.model, "model", "", "the model to ask: a profile of the configuration, or a NAME that the server knows (default $OPENAI_MODEL)")
	f.StringVar(&o.baseURL, "base-url", "", "the server to ask (default $OPENAI_BASE_URL)")
	f.Func("temperature", "how freely models reply, from 0 to 2 (default the server's own)", o.setTemperature)
	f.Func("max-tokens", "how long a reply may be (default 16384)", o.setMaxTokens)
	o.settings.register(f)
}

func (o *modelOptions) setTemperature(s string) error {
	t, err := config.Temperature(s)
	o.temperature = &t
	return err
}

func (o *modelOptions) setMaxTokens(s string) (err error) {
	o.maxTokens, err = config.Count(s)
	return err
}

// sources sets where replies and texts for prompts come from. notes say what was
// chosen without being asked for.
func (o *modelOptions) sources(c *engine.Config) (notes []string, err error) {
	path, err := fileOf(c.Plan.Path)
	if err != nil {
		return nil, err
	}
	c.Texts = texts.Files{Dir: filepath.Dir(path), Library: o.Prompts}
	var said scenario.Said
	if o.replies != "" {
		if said, err = readReplies(o.replies); err != nil {
			return nil, err
		}
	}
	defer func() { c.Replies, c.Results = said.Replies, said.Results }()
	kind, run, _ := strings.Cut(o.source, ":")
	switch {
	case !asksModel(c.Plan.Steps) || kind == "manual":
		return nil, nil
	case kind == "replay":
		said, err = replayed(said, run)
		return nil, err
	case kind == "openai" || kind == "" && o.server():
		c.Model, err = o.client()
		return nil, err
	case kind != "":
		return nil, usage("--source %s: there is openai, manual and replay:RUN", o.source)
	case said.Replies == nil:
		said, notes, err = recorded(recordingOf(path))
		return notes, err
	default:
		return nil, nil
	}
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

// recorded uses the replies that lie beside the document. Without any a person
// stands in.
func recorded(path string) (scenario.Said, []string, error) {
	if _, err := os.Stat(path); err != nil {
		return scenario.Said{}, []string{"no model is configured, so a person replies in its place"}, nil
	}
	said, err := readReplies(path)
	return said, []string{"no model is configured, so the replies are recorded ones, from " + filepath.Base(path)}, err
}

// recordingOf is where a document's recorded replies lie: NAME.replies.yaml.
func recordingOf(path string) string {
	for _, suffix := range []string{".playbook.md", ".runbook.md", ".md", ".json"} {
		if base, found := strings.CutSuffix(path, suffix); found {
			return base + ".replies.yaml"
		}
	}
	return path + ".replies.yaml"
}

// readReplies reads a file of replies.
func readReplies(path string) (scenario.Said, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return scenario.Said{}, usage("cannot read the replies: %w", err)
	}
	said, err := scenario.ReadReplies(source)
	if err != nil {
		return scenario.Said{}, usage("%s: %w", path, err)
	}
	return said, nil
}

// replayed are what models and tools said in an earlier run, but for what is given.
func replayed(given scenario.Said, id string) (scenario.Said, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return given, usage("--source replay: %w", err)
	}
	said := scenario.NewSaid("replay")
	called := ""
	for _, e := range history.Events {
		switch b := e.Body.(type) {
		case *machine.ActionStarted:
			called = ""
			if b.Call != nil {
				called = b.Tool
			}
		case *machine.ActionFinished:
			keep(said, e.Step, called, b)
		}
	}
	if given.Replies != nil { // a file goes first
		maps.Copy(said.Replies.Texts, given.Replies.Texts)
		maps.Copy(said.Results.Texts, given.Results.Texts)
	}
	return said, nil
}

// keep adds what came of a call to what was said, if it passed.
func keep(said scenario.Said, label, tool string, b *machine.ActionFinished) {
	if b.Outcome == nil || b.Outcome.Result != plan.Passed {
		return
	}
	switch b.Kind {
	case "model":
		said.Replies.Texts[label] = append(said.Replies.Texts[label], b.Outcome.Text)
	case "tool":
		key := tools.Key(label, tool)
		said.Results.Texts[key] = append(said.Results.Texts[key], b.Outcome.Text)
	}
}
