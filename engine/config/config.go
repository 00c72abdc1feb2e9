// Package config reads the configuration file.
//
// Reading is strict: a key that means nothing, a value of the wrong kind, one that cannot
// work are problems with line and column, and all of them are told at once. No problem
// repeats a value, since a secret may be in the wrong place.
//
// A section is a field of Config and a line in its table (sections), with a file of its own
// for the rest. How values are read is in reader.go and values.go.
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

// Config is what the file says. The zero value is an empty file.
type Config struct {
	Model   string    // the profile or model used when nothing else is said
	Models  []Profile // in their order
	Approve string    // when a person is asked about tools that models want called: each, once, none; empty: as usual
	Bound   Keys      // which keys do what on the screen
	Notify  string    // how a person who looks elsewhere is called: off, bell, osc9, osc777, auto; empty: as usual
	Theme   Theme     // what the screen is painted with
	Editor  string    // opens a document at a line: a command with {file} and perhaps {line}; empty: $VISUAL or $EDITOR does
	Limits  Limits    // of conversations with models that call tools
	Prompts []string  // folders of prompts, the first with a prompt of the name wins

	NotifyAfter      time.Duration  // how long a step takes whose end is told; 0: as usual
	ValidatorTimeout *time.Duration // how long a validator's command may run, 0 for any time; nil: as usual
}

// sections returns the keys that the file may have, with what reads their values.
func (c *Config) sections() table {
	return table{
		"approve": setField(&c.Approve, parseWord("each", "once", "none")),
		"editor":  setField(&c.Editor, parseEditor),
		"keys":    c.keys,
		"limits":  c.Limits.read,
		"model":   setField(&c.Model, parseText),
		"models":  c.models,
		"notify":  setField(&c.Notify, parseWord("off", "bell", "osc9", "osc777", "auto")),
		"prompts": setTexts(&c.Prompts),
		"theme":   c.Theme.read,

		"notify_after":      setField(&c.NotifyAfter, parseDuration),
		"validator_timeout": setField(&c.ValidatorTimeout, optional(parseLimit)),
	}
}

// maxSize is the size of a file in bytes above which it is refused.
const maxSize = 1 << 20

// Load reads a file. Folders in it are relative to its own, and ~ is the person's. The error
// is one of the file system, or Problems.
func Load(path string) (Config, error) {
	source, err := infile.Read(path, maxSize)
	if err != nil {
		return Config{}, err
	}
	c, problems := Read(source)
	if len(problems) > 0 {
		return c, &Problems{path, problems}
	}
	for i, dir := range c.Prompts {
		if c.Prompts[i], err = absolute(dir, filepath.Dir(path)); err != nil {
			return c, err
		}
	}
	return c, nil
}

// absolute returns the absolute path of a folder in the file, which is relative to base or to the
// person's own folder (~).
func absolute(dir, base string) (string, error) {
	if rest, own := strings.CutPrefix(dir, "~"); own && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		return filepath.Join(home, rest), err
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	return filepath.Abs(filepath.Join(base, dir))
}

// Profile finds a profile by its name.
func (c Config) Profile(name string) (Profile, bool) {
	i := slices.IndexFunc(c.Models, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return c.Models[i], true
}

// Keys returns the names of the environment variables that hold keys.
func (c Config) Keys() []string {
	var names []string
	for _, p := range c.Models {
		if p.Key != "" && !slices.Contains(names, p.Key) {
			names = append(names, p.Key)
		}
	}
	return names
}

// Problem is one thing that is wrong. Line and Column count from 1, columns in runes.
type Problem struct {
	Line, Column int
	Message      string
}

// Problems are all that is wrong with a file.
type Problems struct {
	Path string
	List []Problem
}

// Add adds what else is wrong, in the order of the file.
func (p *Problems) Add(more ...Problem) { p.List = ordered(append(p.List, more...)) }

func ordered(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return list
}

// Error says one problem a line: file:line:column: message.
func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, one := range p.List {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", p.Path, one.Line, one.Column, one.Message)
	}
	return strings.Join(lines, "\n")
}

// Schema is the JSON Schema of the file, for editors that complete and check it.
//
//go:embed schema.json
var Schema string

// Theme names a palette for each background that a terminal may have. Which ones there
// are is not this package's business.
type Theme struct{ Dark, Light ThemeName }

// ThemeName is a theme's name with its position in the file. Empty means the default theme.
type ThemeName struct {
	Name         string
	Line, Column int
}

func themeName(n *yaml.Node) (ThemeName, error) {
	name, err := parseText(n)
	return ThemeName{name, n.Line, n.Column}, err
}

// read reads one name for both, or a name for each.
func (t *Theme) read(r *reader, key string, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.mapping(n, table{"dark": setField(&t.Dark, themeName), "light": setField(&t.Light, themeName)})
		return
	}
	setField(&t.Dark, themeName)(r, key, n)
	t.Light = t.Dark
}

// Keys are which keys do what. Which actions and keys there are is the screen's business.
type Keys struct {
	Style    string // of the keys that move: vi, arrows; empty: both
	Bindings []Binding
}

// Binding has the keys of an action, and where the file says so.
type Binding struct {
	Action       string
	Keys         []string
	Line, Column int
}

// keys reads the bindings.
func (c *Config) keys(r *reader, _ string, n *yaml.Node) {
	r.each(n, func(key, value *yaml.Node) {
		if key.Value == "style" {
			setField(&c.Bound.Style, parseWord("vi", "arrows"))(r, key.Value, value)
			return
		}
		b := Binding{Action: key.Value, Line: value.Line, Column: value.Column}
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			items = value.Content
		}
		before := len(r.problems)
		for _, item := range items {
			var one string
			setField(&one, keyText)(r, key.Value, resolveAlias(item))
			b.Keys = append(b.Keys, one)
		}
		if len(r.problems) == before {
			c.Bound.Bindings = append(c.Bound.Bindings, b)
		}
	})
}

// keyText returns the name of one key of the keyboard. YAML reads a digit as a number.
func keyText(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		return n.Value, nil
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return "", errors.New("expected a key: write [] for no key, and put ~ # & * ! in quotes")
	}
	return parseText(n)
}

// Profile is a model on a server, by a name of the person's choice. The zero value of a
// field is the default.
type Profile struct {
	Name        string
	BaseURL     string   // empty: the server that the environment names
	Key         string   // the name of an environment variable, never the key itself
	Model       string   // as the server calls it
	Price       *Price   // nil: not known
	Temperature *float64 // nil: the server's own
	MaxTokens   int      // of a reply
	Connect     time.Duration
	Silence     time.Duration // how long the server may send nothing
}

// Price is what a million tokens cost, in USD.
type Price struct {
	In, Out float64
}

// Of returns what a reply costs, in USD to nine decimal places.
func (p Price) Of(in, out int) float64 {
	millionths := float64(in)*p.In + float64(out)*p.Out
	return math.Round(millionths*1e3) / 1e9
}

// models reads the profiles.
func (c *Config) models(r *reader, _ string, n *yaml.Node) {
	r.each(n, func(key, value *yaml.Node) {
		p := Profile{Name: key.Value}
		if p.Name == "" {
			r.problem(key, "a profile needs a name")
		}
		if r.mapping(value, p.fields()) && !has(value, "model") {
			r.problem(key, p.Name+": a profile must name its model, such as model: NAME")
		}
		c.Models = append(c.Models, p)
	})
}

func (p *Profile) fields() table {
	return table{
		"base_url":    setField(&p.BaseURL, parseAddress),
		"key":         setField(&p.Key, parseVariableName),
		"model":       setField(&p.Model, parseText),
		"price":       p.price,
		"temperature": setField(&p.Temperature, optional(parseTemperature)),
		"max_tokens":  setField(&p.MaxTokens, parseCount),
		"timeout": func(r *reader, _ string, n *yaml.Node) {
			r.mapping(n, table{"connect": setField(&p.Connect, parseDuration), "silence": setField(&p.Silence, parseDuration)})
		},
	}
}

func (p *Profile) price(r *reader, key string, n *yaml.Node) {
	p.Price = &Price{}
	parts := table{"in": setField(&p.Price.In, parseAmount), "out": setField(&p.Price.Out, parseAmount)}
	if r.mapping(n, parts) && !(has(n, "in") && has(n, "out")) {
		r.problem(n, key+": give two prices, for input and for output tokens: {in: 0.15, out: 0.60}")
	}
}
