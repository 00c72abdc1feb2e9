package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"playhead/engine/machine"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// readerInto returns a valueReader that stores the parsed value in *to. The error of parse says what is
// expected.
func readerInto[T any](to *T, parse func(*yaml.Node) (T, error)) valueReader {
	return func(r *configReader, key string, n *yaml.Node) {
		v, err := parse(n)
		if err != nil {
			r.addProblem(n, key+": "+err.Error())
			return
		}
		*to = v
	}
}

// optionalParser returns a parser for a value whose zero value is not its default: a pointer tells 0 from unset.
func optionalParser[T any](parse func(*yaml.Node) (T, error)) func(*yaml.Node) (*T, error) {
	return func(n *yaml.Node) (*T, error) {
		v, err := parse(n)
		return &v, err
	}
}

// textsReaderInto returns a valueReader that appends the texts of a list to *to.
func textsReaderInto(to *[]string) valueReader {
	return func(r *configReader, key string, n *yaml.Node) {
		if n.Kind != yaml.SequenceNode {
			r.addProblem(n, key+": expected a list, not "+describeKind(n))
			return
		}
		for _, item := range n.Content {
			var s string
			readerInto(&s, parseText)(r, key, resolveAlias(item))
			*to = append(*to, s)
		}
	}
}

// parseText returns a text that is not empty.
func parseText(n *yaml.Node) (string, error) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		return "", errors.New("expected text, not " + describeKind(n))
	case n.Value == "":
		return "", errors.New("the value is empty")
	}
	return n.Value, nil
}

var editorCommandPattern = regexp.MustCompile(`^([^{]|\{(file|line)\})*$`)

// parseEditor returns the command of an editor, which has {file} in it.
func parseEditor(n *yaml.Node) (string, error) {
	command, err := parseText(n)
	if err != nil {
		return "", err
	}
	if !editorCommandPattern.MatchString(command) {
		return "", errors.New("only {file} and {line} are allowed in braces")
	}
	if !strings.Contains(command, "{file}") {
		return "", errors.New("expected a command with {file} in it, such as: myed --line {line} {file}")
	}
	return command, nil
}

// oneOfParser returns a parser that accepts one of words.
func oneOfParser(words ...string) func(*yaml.Node) (string, error) {
	return func(n *yaml.Node) (string, error) {
		if n.Kind != yaml.ScalarNode || !slices.Contains(words, n.Value) {
			return "", errors.New("expected one of " + strings.Join(words, ", "))
		}
		return n.Value, nil
	}
}

var upperCaseEnvNamePattern = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// parseEnvName returns the name of an environment variable. It refuses what looks like a key
// instead.
func parseEnvName(n *yaml.Node) (string, error) {
	name, err := parseText(n)
	if err == nil && !upperCaseEnvNamePattern.MatchString(name) {
		err = errors.New("expected the name of an environment variable in capitals, not the key itself")
	}
	return name, err
}

// parseBaseURL returns the base URL of a server.
func parseBaseURL(n *yaml.Node) (string, error) {
	s, err := parseText(n)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", errors.New("expected a URL such as http://localhost:11434/v1")
	case u.User != nil:
		return "", errors.New("a password is not allowed in a URL: remove it, and write key: NAME, where NAME is the environment variable that holds the API key")
	}
	return s, nil
}

// parseDuration returns a time above zero, such as 10s.
func parseDuration(n *yaml.Node) (time.Duration, error) {
	d, err := time.ParseDuration(n.Value)
	if err != nil || d <= 0 || n.Kind != yaml.ScalarNode {
		return 0, errors.New("expected a duration such as 10s or 2m")
	}
	return d, nil
}

// parseTimeLimit returns a time above zero, or 0 for no limit.
func parseTimeLimit(n *yaml.Node) (time.Duration, error) {
	if n.Kind == yaml.ScalarNode && n.Value == "0" {
		return 0, nil
	}
	d, err := parseDuration(n)
	if err != nil {
		err = errors.New("expected a duration such as 90s or 10m, or 0 for no limit")
	}
	return d, err
}

// parseNonNegative returns a number of 0 or more.
func parseNonNegative(n *yaml.Node) (float64, error) {
	f, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || !(f >= 0 && f <= math.MaxFloat32) {
		return 0, errors.New("expected a number of 0 or more")
	}
	return f, nil
}

func parseTemperature(n *yaml.Node) (float64, error) { return ParseTemperature(n.Value) }

// ParseTemperature parses a temperature from 0 to 2, the range that servers accept.
func ParseTemperature(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 2) {
		return 0, errors.New("expected a number from 0 to 2")
	}
	return f, nil
}

func parseCount(n *yaml.Node) (int, error) { return ParseCount(n.Value) }

// ParseCount parses a whole number above zero.
func ParseCount(s string) (int, error) {
	i, err := strconv.Atoi(s)
	if err != nil || i <= 0 {
		return 0, errors.New("expected a whole number above 0")
	}
	return i, nil
}

// ConversationLimits limit a conversation with a model that calls tools. A field that is zero sets no limit, so
// that of the document applies.
type ConversationLimits struct {
	MaxTurns       int           // replies of the model in one attempt of a step
	CallTimeout    time.Duration // the time limit of one call
	MaxResultChars int           // how many characters of a result the model gets
}

func (l *ConversationLimits) fieldReaders() readersByKey {
	return readersByKey{
		"turns":       readerInto(&l.MaxTurns, parseCount),
		"tool_call":   readerInto(&l.CallTimeout, parseDuration),
		"tool_result": readerInto(&l.MaxResultChars, parseCount),
	}
}

func (l *ConversationLimits) read(r *configReader, _ string, n *yaml.Node) {
	r.readMapping(n, l.fieldReaders())
}

// Set sets one of the limits from NAME=VALUE, with the names and values of the file.
func (l *ConversationLimits) Set(pair string) error {
	name, value, found := strings.Cut(pair, "=")
	all := l.fieldReaders()
	read, known := all[name]
	if !found || !known {
		return fmt.Errorf("write NAME=VALUE, where NAME is %s", machine.AlternativesText(slices.Sorted(maps.Keys(all))))
	}
	var r configReader
	read(&r, name, &yaml.Node{Kind: yaml.ScalarNode, Value: value})
	if len(r.problems) > 0 {
		return errors.New(r.problems[0].Message)
	}
	return nil
}

// String returns the limits that are set, with the names of the file: turns 20, tool_call 1m0s.
func (l ConversationLimits) String() string {
	var parts []string
	if l.MaxTurns > 0 {
		parts = append(parts, fmt.Sprintf("turns %d", l.MaxTurns))
	}
	if l.CallTimeout > 0 {
		parts = append(parts, fmt.Sprintf("tool_call %s", l.CallTimeout))
	}
	if l.MaxResultChars > 0 {
		parts = append(parts, fmt.Sprintf("tool_result %d", l.MaxResultChars))
	}
	return strings.Join(parts, ", ")
}
