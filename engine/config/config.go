// Package config reads the configuration file.
//
// Reading is strict. Unknown keys, values of the wrong kind and values that cannot work are problems
// with a line and a column, and all of them are reported together. A problem never quotes a value,
// because a secret may be in the wrong place.
//
// Each section of the file has a field in Config and an entry in Config.sectionReaders. reader.go reads mappings,
// and values.go parses single values.
package config

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"playhead/parse/infile"
)

// Config is the content of the file. The zero value stands for an empty file.
type Config struct {
	DefaultModel       string             // the profile or model to use if no flag names one
	Profiles           []Profile          // in the order of the file
	ApprovalPolicy     string             // when a person approves tool calls of models: each, once, none; empty: the default
	KeyBindings        KeyBindings        // the keys of the screen's actions
	NotifyMethod       string             // how to notify a person: off, bell, osc9, osc777, auto; empty: the default
	Themes             ThemeNames         // the names of the dark and the light theme of the screen
	EditorCommand      string             // the command that opens a document, with {file} and perhaps {line}; empty: $VISUAL or $EDITOR
	ConversationLimits ConversationLimits // of conversations with models that call tools
	PromptFolders      []string           // folders of prompts; the first one that has a prompt of the name is used

	ExpiresAfter        *time.Duration // how long a run may have no event before it counts as expired, 0: any time; nil: the default
	NotifyAfterDuration time.Duration  // notify when a step that took at least this long ends; 0: the default
	ValidatorTimeout    *time.Duration // how long a validator's command may run, 0: no limit; nil: the default
}

// sectionReaders returns the keys of the file, with the functions that read their values.
func (c *Config) sectionReaders() readersByKey {
	return readersByKey{
		"approve": readerInto(&c.ApprovalPolicy, oneOfParser("each", "once", "none")),
		"editor":  readerInto(&c.EditorCommand, parseEditor),
		"keys":    c.readKeyBindings,
		"limits":  c.ConversationLimits.read,
		"model":   readerInto(&c.DefaultModel, parseText),
		"models":  c.readProfiles,
		"notify":  readerInto(&c.NotifyMethod, oneOfParser("off", "bell", "osc9", "osc777", "auto")),
		"prompts": textsReaderInto(&c.PromptFolders),
		"theme":   c.Themes.read,

		"expires_after":     readerInto(&c.ExpiresAfter, optionalParser(parseTimeLimit)),
		"notify_after":      readerInto(&c.NotifyAfterDuration, parseDuration),
		"validator_timeout": readerInto(&c.ValidatorTimeout, optionalParser(parseTimeLimit)),
	}
}

// maxFileSize is the largest size of a file, in bytes.
const maxFileSize = 1 << 20

// Load reads a file. The folders in the result are absolute: in the file, they are relative to its folder, and ~
// is the home folder. The error is one of the file system, or *Problems. With *Problems, the Config has all valid
// values, and its folders are as in the file.
func Load(path string) (Config, error) {
	source, err := infile.Read(path, maxFileSize)
	if err != nil {
		return Config{}, err
	}
	c, problems := Parse(source)
	if len(problems) > 0 {
		return c, &Problems{path, problems}
	}
	for i, dir := range c.PromptFolders {
		if c.PromptFolders[i], err = absoluteFolder(dir, filepath.Dir(path)); err != nil {
			return c, err
		}
	}
	return c, nil
}

// absoluteFolder returns the absolute path of a folder in the file. The folder is relative to base, or to
// the home folder if it begins with ~.
func absoluteFolder(dir, base string) (string, error) {
	if rest, own := strings.CutPrefix(dir, "~"); own && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		return filepath.Join(home, rest), err
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	return filepath.Abs(filepath.Join(base, dir))
}

// ProfileNamed returns the profile with a name, and whether there is one.
func (c Config) ProfileNamed(name string) (Profile, bool) {
	i := slices.IndexFunc(c.Profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return c.Profiles[i], true
}

// APIKeyVariables returns the names of the environment variables with the API keys of profiles, each once.
func (c Config) APIKeyVariables() []string {
	var names []string
	for _, p := range c.Profiles {
		if p.APIKeyVariable != "" && !slices.Contains(names, p.APIKeyVariable) {
			names = append(names, p.APIKeyVariable)
		}
	}
	return names
}

// Problem is one mistake in the file. Line and Column count from 1, columns in runes.
type Problem struct {
	Line, Column int
	Message      string
}

// Problems are all mistakes in a file.
type Problems struct {
	Path string
	List []Problem
}

// Add adds more problems and keeps the order of the file.
func (p *Problems) Add(more ...Problem) { p.List = sortedByPosition(append(p.List, more...)) }

func sortedByPosition(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return list
}

// Error returns one problem per line: file:line:column: message.
func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, one := range p.List {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", p.Path, one.Line, one.Column, one.Message)
	}
	return strings.Join(lines, "\n")
}

// JSONSchema is the JSON Schema of the file, for editors that complete and check it.
//
//go:embed schema.json
var JSONSchema string

// ThemeNames names a palette for each background that a terminal may have. This package does not know
// which palettes exist.
type ThemeNames struct{ Dark, Light ThemeName }

// ThemeName is a theme's name with its position in the file. Empty means the default theme.
type ThemeName struct {
	Name         string
	Line, Column int
}

func parseThemeName(n *yaml.Node) (ThemeName, error) {
	name, err := parseText(n)
	return ThemeName{name, n.Line, n.Column}, err
}

// read reads one name for both backgrounds, or a name for each.
func (t *ThemeNames) read(r *configReader, key string, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.readMapping(n, readersByKey{"dark": readerInto(&t.Dark, parseThemeName), "light": readerInto(&t.Light, parseThemeName)})
		return
	}
	readerInto(&t.Dark, parseThemeName)(r, key, n)
	t.Light = t.Dark
}

// KeyBindings binds keys to actions. This package does not know which actions and keys exist.
type KeyBindings struct {
	MovementStyle string // of the keys that move: vi, arrows; empty: both
	Bindings      []KeyBinding
}

// KeyBinding has the keys of an action, and their position in the file.
type KeyBinding struct {
	Action       string
	Keys         []string
	Line, Column int
}

// readKeyBindings reads the section of key bindings.
func (c *Config) readKeyBindings(r *configReader, _ string, n *yaml.Node) {
	r.forEachKey(n, func(key, value *yaml.Node) {
		if key.Value == "style" {
			readerInto(&c.KeyBindings.MovementStyle, oneOfParser("vi", "arrows"))(r, key.Value, value)
			return
		}
		b := KeyBinding{Action: key.Value, Line: value.Line, Column: value.Column}
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			items = value.Content
		}
		before := len(r.problems)
		for _, item := range items {
			var one string
			readerInto(&one, parseKeyName)(r, key.Value, resolveAlias(item))
			b.Keys = append(b.Keys, one)
		}
		if len(r.problems) == before {
			c.KeyBindings.Bindings = append(c.KeyBindings.Bindings, b)
		}
	})
}

// parseKeyName returns the name of one key of the keyboard. YAML reads a digit as a number.
func parseKeyName(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		return n.Value, nil
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return "", errors.New("expected the name of a key: put the keys ~ # & * ! in quotes, or write [] to assign no key")
	}
	return parseText(n)
}

// Profile is a model on a server, under a name that the person chose. The zero value of a field
// stands for the default.
type Profile struct {
	Name           string
	BaseURL        string      // empty: the server named in the environment
	APIKeyVariable string      // the name of an environment variable, never the key itself
	ModelName      string      // the server's name for the model
	Price          *TokenPrice // nil: not known
	Temperature    *float64    // nil: the server's default
	MaxReplyTokens int
	ConnectTimeout time.Duration
	SilenceTimeout time.Duration // how long the server may be silent
}

// TokenPrice is the price of a million tokens, in USD.
type TokenPrice struct {
	InputPrice, OutputPrice float64
}

// CostOf returns the cost of a reply from its numbers of tokens, in USD to nine decimal places.
func (p TokenPrice) CostOf(in, out int) float64 {
	millionths := float64(in)*p.InputPrice + float64(out)*p.OutputPrice
	return math.Round(millionths*1e3) / 1e9
}

// readProfiles reads the profiles.
func (c *Config) readProfiles(r *configReader, _ string, n *yaml.Node) {
	r.forEachKey(n, func(key, value *yaml.Node) {
		p := Profile{Name: key.Value}
		if p.Name == "" {
			r.addProblem(key, "an entry in models needs a name")
		}
		if r.readMapping(value, p.fieldReaders()) && !hasKey(value, "model") {
			r.addProblem(key, p.Name+`: the key "model" is missing: add model: NAME`)
		}
		c.Profiles = append(c.Profiles, p)
	})
}

func (p *Profile) fieldReaders() readersByKey {
	return readersByKey{
		"base_url":    readerInto(&p.BaseURL, parseBaseURL),
		"key":         readerInto(&p.APIKeyVariable, parseEnvName),
		"model":       readerInto(&p.ModelName, parseText),
		"price":       p.readPrice,
		"temperature": readerInto(&p.Temperature, optionalParser(parseTemperature)),
		"max_tokens":  readerInto(&p.MaxReplyTokens, parseCount),
		"timeout": func(r *configReader, _ string, n *yaml.Node) {
			r.readMapping(n, readersByKey{"connect": readerInto(&p.ConnectTimeout, parseDuration), "silence": readerInto(&p.SilenceTimeout, parseDuration)})
		},
	}
}

func (p *Profile) readPrice(r *configReader, key string, n *yaml.Node) {
	p.Price = &TokenPrice{}
	parts := readersByKey{"in": readerInto(&p.Price.InputPrice, parseNonNegative), "out": readerInto(&p.Price.OutputPrice, parseNonNegative)}
	if r.readMapping(n, parts) && !(hasKey(n, "in") && hasKey(n, "out")) {
		r.addProblem(n, key+": give two prices, for input and for output tokens: {in: 0.15, out: 0.60}")
	}
}
