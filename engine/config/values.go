package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// setField returns a field that stores its value in a variable. The error of parse says what is
// expected.
func setField[T any](to *T, parse func(*yaml.Node) (T, error)) field {
	return func(r *reader, key string, n *yaml.Node) {
		v, err := parse(n)
		if err != nil {
			r.problem(n, key+": "+err.Error())
			return
		}
		*to = v
	}
}

// optional returns a parser for a value whose zero value is not its default.
func optional[T any](parse func(*yaml.Node) (T, error)) func(*yaml.Node) (*T, error) {
	return func(n *yaml.Node) (*T, error) {
		v, err := parse(n)
		return &v, err
	}
}

// setTexts returns a field that appends a list of texts to a variable.
func setTexts(to *[]string) field {
	return func(r *reader, key string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.problem(n, key+": expected a list, not "+kind(n))
			return
		}
		for _, item := range n.Content {
			var s string
			setField(&s, parseText)(r, key, resolveAlias(item))
			*to = append(*to, s)
		}
	}
}

// parseText returns a text that is not empty.
func parseText(n *yaml.Node) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		return "", errors.New("expected text, not " + kind(n))
	case n.Value == "":
		return "", errors.New("it is empty")
	}
	return n.Value, nil
}

var editorCommand = regexp.MustCompile(`^([^{]|\{(file|line)\})*$`)

// parseEditor returns a command with {file} in it.
func parseEditor(n *yaml.Node) (string, error) {
	command, err := parseText(n)
	if err != nil {
		return "", err
	}
	if !editorCommand.MatchString(command) {
		return "", errors.New("only {file} and {line} are allowed in braces")
	}
	if !strings.Contains(command, "{file}") {
		return "", errors.New("expected a command with {file} in it, such as: myed --line {line} {file}")
	}
	return command, nil
}

// parseWord returns a parser that accepts one of words.
func parseWord(words ...string) func(*yaml.Node) (string, error) {
	return func(n *yaml.Node) (string, error) {
		if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
			return "", errors.New("expected one of " + strings.Join(words, ", "))
		}
		return n.Value, nil
	}
}

var environment = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// parseVariableName returns the name of an environment variable. It refuses what looks like a key
// instead.
func parseVariableName(n *yaml.Node) (string, error) {
	name, err := parseText(n)
	if err == nil && !environment.MatchString(name) {
		err = errors.New("expected the name of an environment variable in capitals, not the key itself")
	}
	return name, err
}

// parseAddress returns the base URL of a server.
func parseAddress(n *yaml.Node) (string, error) {
	s, err := parseText(n)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", errors.New("expected a URL like http://localhost:11434/v1")
	case u.User != nil:
		return "", errors.New("a password is not allowed here: name an environment variable with key")
	}
	return s, nil
}

// parseDuration returns a time above zero, such as 10s.
func parseDuration(n *yaml.Node) (time.Duration, error) {
	d, err := time.ParseDuration(n.Value)
	if err != nil || d <= 0 || n.Kind != yaml.ScalarNode {
		return 0, errors.New("expected a time like 10s or 2m")
	}
	return d, nil
}

// parseLimit returns a time above zero, or 0 for no limit.
func parseLimit(n *yaml.Node) (time.Duration, error) {
	if n.Kind == yaml.ScalarNode && n.Value == "0" {
		return 0, nil
	}
	d, err := parseDuration(n)
	if err != nil {
		err = errors.New("expected a time like 90s or 10m, or 0 for no limit")
	}
	return d, err
}

// parseAmount returns a number of 0 or more.
func parseAmount(n *yaml.Node) (float64, error) {
	f, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || !(f >= 0 && f <= math.MaxFloat32) {
		return 0, errors.New("expected a number of 0 or more")
	}
	return f, nil
}

func parseTemperature(n *yaml.Node) (float64, error) { return Temperature(n.Value) }

// Temperature reads what servers take as one.
func Temperature(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 2) {
		return 0, errors.New("expected a number from 0 to 2")
	}
	return f, nil
}

func parseCount(n *yaml.Node) (int, error) { return Count(n.Value) }

// Count reads a whole number above zero.
func Count(s string) (int, error) {
	i, err := strconv.Atoi(s)
	if err != nil || i <= 0 {
		return 0, errors.New("expected a whole number above 0")
	}
	return i, nil
}

// Limits are how far a conversation with a model that calls tools may go. The zero
// value of a field is the document's own.
type Limits struct {
	Turns      int           // replies of the model in one attempt of a step
	ToolCall   time.Duration // that one call may take
	ToolResult int           // characters of a result that the model is told
}

func (l *Limits) fields() table {
	return table{
		"turns":       setField(&l.Turns, parseCount),
		"tool_call":   setField(&l.ToolCall, parseDuration),
		"tool_result": setField(&l.ToolResult, parseCount),
	}
}

func (l *Limits) read(r *reader, _ string, n *yaml.Node) { r.mapping(n, l.fields()) }

// Set sets one of the limits as the file would, from NAME=VALUE.
func (l *Limits) Set(pair string) error {
	name, value, found := strings.Cut(pair, "=")
	all := l.fields()
	read, known := all[name]
	if !found || !known {
		return fmt.Errorf("use %s, each as NAME=VALUE", strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	var r reader
	read(&r, name, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	if len(r.problems) > 0 {
		return errors.New(r.problems[0].Message)
	}
	return nil
}

// String names those that are set.
func (l Limits) String() string {
	var parts []string
	if l.Turns > 0 {
		parts = append(parts, fmt.Sprintf("turns %d", l.Turns))
	}
	if l.ToolCall > 0 {
		parts = append(parts, fmt.Sprintf("tool_call %s", l.ToolCall))
	}
	if l.ToolResult > 0 {
		parts = append(parts, fmt.Sprintf("tool_result %d", l.ToolResult))
	}
	return strings.Join(parts, ", ")
}
