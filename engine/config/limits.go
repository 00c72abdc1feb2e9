package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Limits are how far a conversation with a model that calls tools may go. The zero
// value of a field is the document's own.
type Limits struct {
	Turns      int           // replies of the model in one attempt of a step
	ToolCall   time.Duration // that one call may take
	ToolResult int           // characters of a result that the model is told
}

func (l *Limits) fields() table {
	return table{
		"turns":       set(&l.Turns, count),
		"tool_call":   set(&l.ToolCall, duration),
		"tool_result": set(&l.ToolResult, count),
	}
}

func (l *Limits) read(r *reader, _ string, n *yaml.Node) { r.mapping(n, l.fields()) }

// Set sets one of the limits as the file would, from NAME=VALUE.
func (l *Limits) Set(pair string) error {
	name, value, found := strings.Cut(pair, "=")
	all := l.fields()
	read, known := all[name]
	if !found || !known {
		return fmt.Errorf("there are %s, each as NAME=VALUE", strings.Join(slices.Sorted(maps.Keys(all)), ", "))
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
