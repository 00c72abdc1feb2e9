package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/model/openai"
	"playhead/engine/texts"
	"playhead/parse/plan"
)

// modelOptions are the flags that say where replies come from.
type modelOptions struct {
	replies, source, model, baseURL string
}

func (o *modelOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.replies, "replies", "", "take model replies from a YAML FILE: LABEL: text, or a list")
	f.StringVar(&o.source, "source", "", "where other replies come from: openai, manual (a person), replay:RUN")
	f.StringVar(&o.model, "model", "", "the model to ask (default $OPENAI_MODEL)")
	f.StringVar(&o.baseURL, "base-url", "", "the server to ask (default $OPENAI_BASE_URL)")
}

// sources sets where replies and texts for prompts come from. notes say what was
// chosen without being asked for.
func (o *modelOptions) sources(c *engine.Config) (notes []string, err error) {
	path, err := fileOf(c.Plan.Path)
	if err != nil {
		return nil, err
	}
	c.Texts = texts.Files{Dir: filepath.Dir(path)}
	if o.replies != "" {
		if c.Replies, err = readReplies(o.replies); err != nil {
			return nil, err
		}
	}
	kind, run, _ := strings.Cut(o.source, ":")
	switch {
	case !asksModel(c.Plan.Steps) || kind == "manual":
		return nil, nil
	case kind == "replay":
		c.Replies, err = replayed(c.Replies, run)
		return nil, err
	case kind == "openai" || kind == "" && o.server():
		c.Model, err = o.client()
		return nil, err
	case kind != "":
		return nil, usage("--source %s: there is openai, manual and replay:RUN", o.source)
	case c.Replies == nil:
		return recorded(c, recordingOf(path))
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

// server reports whether a server to ask is configured.
func (o *modelOptions) server() bool {
	return o.baseURL != "" || os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

func (o *modelOptions) client() (model.Source, error) {
	config := openai.Config{BaseURL: o.baseURL, Key: os.Getenv("OPENAI_API_KEY"), Model: o.model}
	if config.BaseURL == "" {
		config.BaseURL = os.Getenv("OPENAI_BASE_URL")
	}
	if config.Model == "" {
		config.Model = os.Getenv("OPENAI_MODEL")
	}
	switch {
	case config.Key == "" && config.BaseURL == "":
		return nil, usage("no model server is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own")
	case config.Model == "":
		return nil, usage("which model is to be asked? say --model NAME, or set OPENAI_MODEL")
	}
	return openai.New(config), nil
}

// recorded uses the replies that lie beside the document. Without any a person
// stands in.
func recorded(c *engine.Config, path string) ([]string, error) {
	if _, err := os.Stat(path); err != nil {
		return []string{"no model is configured, so a person replies in its place"}, nil
	}
	var err error
	c.Replies, err = readReplies(path)
	return []string{"no model is configured, so the replies are recorded ones, from " + filepath.Base(path)}, err
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

// readReplies reads a file of replies: LABEL: text, or a list of texts.
func readReplies(path string) (*model.Replies, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("cannot read the replies: %w", err)
	}
	var raw map[string]yaml.Node
	if err := yaml.Unmarshal(source, &raw); err != nil {
		return nil, usage("%s is no mapping of labels to replies: %w", path, err)
	}
	r := &model.Replies{By: machine.ByFile, Texts: map[string][]string{}}
	for label, node := range raw {
		texts, err := repliesOf(node)
		if err != nil {
			return nil, usage("%s:%d: %s: %w", path, node.Line, label, err)
		}
		r.Texts[label] = texts
	}
	return r, nil
}

func repliesOf(node yaml.Node) ([]string, error) {
	var list []string
	if node.Kind == yaml.SequenceNode {
		if err := node.Decode(&list); err != nil || len(list) == 0 {
			return nil, fmt.Errorf("a list of texts is wanted here")
		}
		return list, nil
	}
	var text string
	if err := node.Decode(&text); err != nil {
		return nil, fmt.Errorf("a text, or a list of texts, is wanted here")
	}
	return []string{text}, nil
}

// replayed adds the replies of an earlier run to those that there are.
func replayed(given *model.Replies, id string) (*model.Replies, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return nil, usage("--source replay: %w", err)
	}
	r := &model.Replies{By: "replay", Texts: map[string][]string{}}
	for _, e := range history.Events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Kind == "model" && b.Outcome != nil && b.Outcome.Result == plan.Passed {
			r.Texts[e.Step] = append(r.Texts[e.Step], b.Outcome.Text)
		}
	}
	if given != nil {
		for label, texts := range given.Texts { // a file goes first
			r.Texts[label] = texts
		}
	}
	return r, nil
}
