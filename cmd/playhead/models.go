package main

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/engine"
	"playhead/engine/config"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/engine/texts"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// modelOptions are the flags that say where replies come from.
type modelOptions struct {
	settings
	replies, source, model, baseURL string

	temperature *float64 // nil: as the profile says
	maxTokens   int      // 0: so too

	recalled bool // the source is the one that the run remembers
}

func (o *modelOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.replies, "replies", "", "take model replies from a YAML FILE: LABEL: text, or a list")
	f.StringVar(&o.source, "source", "", "where all other replies come from: openai, manual (a person), recording, replay:RUN")
	f.StringVar(&o.model, "model", "", "the model to ask: a NAME from the configuration, or one that the server knows (default $OPENAI_MODEL)")
	f.StringVar(&o.baseURL, "base-url", "", "the server to ask (default $OPENAI_BASE_URL)")
	f.Func("temperature", "how freely models reply, from 0 to 2 (default the server's own)", o.setTemperature)
	f.Func("max-tokens", "how long a reply may be (default 16384)", o.setMaxTokens)
	o.settings.register(f)
}

// complete has the shell complete the names of models, those that the configuration has.
func (o *modelOptions) complete(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		_ = o.read() // what is wrong is told by a run
		return o.profiles().Names(), cobra.ShellCompDirectiveNoFileComp
	}) // the flag is there
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

// unsaid is what nobody said about where replies come from.
type unsaid struct {
	note  string // what is used instead; empty: it was said
	ask   bool   // there is something for a person to choose
	lacks string // what a server that is configured lacks to be asked; empty: none is

	memory memory // what was said of it, for when the run is resumed
}

// sources sets where replies and texts for prompts come from.
func (o *modelOptions) sources(c *engine.Config) (left unsaid, err error) {
	path, err := documentOf(c)
	if err != nil {
		return left, err
	}
	c.Texts = o.texts(path)
	if file := cmp.Or(o.replies, keptFile(c.Run, keptRepliesFile)); file != "" {
		said, source, err := readReplies(file)
		if err != nil {
			return left, err
		}
		c.Replies, c.Results, left.memory.replies = said.Replies, said.Results, source
	}
	if !asksModel(c.Plan.Steps) {
		o.memorise(&left.memory, o.source)
		return left, results(c, o.source)
	}
	recording := recordingFor(c, path)
	if c.Sources, err = o.origins(path, recording); err != nil {
		return left, err
	}
	name := o.first(c, &left)
	o.memorise(&left.memory, name)
	if c.Run == nil && isFile(recording) {
		left.memory.recording, _ = infile.Read(recording, infile.Given) // what is wrong with it is told when it is used
	}
	if name != model.Manual && find(c.Sources, name) < 0 {
		origin, err := o.named(name, recording)
		if err != nil {
			return left, err
		}
		c.Sources = append(c.Sources, origin)
	}
	left.ask = left.note != "" && len(c.Sources) > 0
	return left, beginWith(c, name)
}

// texts are where a document's prompts get text from, tool servers left out.
func (s *settings) texts(path string) texts.Schemes {
	library := texts.Library(s.Prompts)
	return texts.Schemes{"file": texts.Folder(filepath.Dir(path)), "library": library, "": library}
}

// documentOf is where the document lies. A run that is gone on with has a copy,
// beside which there is nothing.
func documentOf(c *engine.Config) (string, error) {
	if c.Run == nil {
		return fileOf(c.Plan.Path)
	}
	source, err := c.Run.Source()
	return source.OriginalDocument, err
}

// first is the name of the source to begin with, and what is to be said of it where
// nobody chose it. A server that lacks a model is asked for it when it is called.
func (o *modelOptions) first(c *engine.Config, left *unsaid) (name string) {
	if name := o.chosen(); name != "" {
		return name
	}
	lacks := "no model is configured"
	if o.server() {
		lacks = o.profiles().usual.lacks()
		left.lacks = lacks
	}
	switch {
	case find(c.Sources, recordedSource) >= 0 && c.Replies == nil:
		left.note = lacks + "; recorded replies are used, from " + filepath.Base(recordingOf(c.Plan.Path))
		return recordedSource
	case o.server():
		return serverSource
	case c.Replies == nil:
		left.note = lacks + ", so a person replies in its place"
	}
	return model.Manual
}

// find is the place of a source, -1 where it is not among them.
func find(sources []model.Origin, name string) int {
	return slices.IndexFunc(sources, func(s model.Origin) bool { return s.Name == name })
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

// recordingOf is where a document's recorded replies lie: NAME.replies.yaml.
func recordingOf(path string) string { return parse.Beside(path, "replies") }

// recordingFor is the recording for a run of the document at path: its copy, if it has one.
func recordingFor(c *engine.Config, path string) string {
	return cmp.Or(keptFile(c.Run, keptRecordingFile), recordingOf(path))
}

// readReplies reads a file of replies.
func readReplies(path string) (said scenario.Said, source []byte, err error) {
	if source, err = infile.Read(path, infile.Given); err != nil {
		return said, nil, usage("cannot read the replies: %w", err)
	}
	if said, err = scenario.ReadReplies(source); err != nil {
		return said, nil, usage("%s: %w", path, err)
	}
	return said, source, nil
}

// replayed are what models and tools said in an earlier run.
func replayed(id string) (scenario.Said, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return scenario.Said{}, usage("--source replay: %w", err)
	}
	return scenario.Heard(machine.Chain(history.Events), "replay"), nil
}
