package climpt

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is one of the two formats of registries.
type Dialect string

// The dialects. Their values are the names of their formats.
const (
	NoDialect Dialect = ""
	Registry  Dialect = "climpt-registry" // steps with structured gates
	Stepflow  Dialect = "climpt-stepflow" // steps with checks
)

// documentKind returns what a document of the dialect is, as a noun phrase without an article.
func (d Dialect) documentKind() string {
	if d == Stepflow {
		return "step flow"
	}
	return "registry with gates"
}

// topFieldDialect returns the dialect that a top-level field indicates, or NoDialect (spec §1).
func topFieldDialect(v *Value) Dialect {
	switch v.key {
	case "agentId", "c1":
		return Registry
	case "basePath":
		return Stepflow
	}
	return NoDialect
}

// stepFieldDialect returns the dialect that a field of a step indicates, or NoDialect.
func stepFieldDialect(v *Value) Dialect {
	switch v.key {
	case "stepId", "c2", "structuredGate", "transitions":
		return Registry
	case "check", "iterations":
		return Stepflow
	case "prompt":
		if v.Is(Object) {
			return Stepflow
		}
	}
	return NoDialect
}

// detectDialect returns the dialect of a registry (spec §1). If it is NoDialect, the problem says why.
func detectDialect(top *Value) (d Dialect, problem detectionProblem) {
	if newer := fieldOfNewerRelease(top); newer != nil {
		return NoDialect, detectionProblem{newer.Place(), "newer-dialect",
			fmt.Sprintf("%s is an object, as in newer Climpt releases, which Playhead does not support", newer.Key()), "write the file as a registry with gates or as a step flow, the dialects that Playhead reads"}
	}
	registryKeys, stepflowKeys := dialectSignalKeys(top)
	switch {
	case isPromptList(top):
		return NoDialect, detectionProblem{top.Place(), "prompt-map", "this is a list of prompts, not a registry with gates or a step flow",
			"open a file whose steps have transitions or checks"}
	case len(registryKeys) > 0 && len(stepflowKeys) > 0:
		return NoDialect, detectionProblem{top.Place(), "mixed-dialects",
			fmt.Sprintf("the file has keys of a registry with gates (%s) and keys of a step flow (%s)", strings.Join(registryKeys, ", "), strings.Join(stepflowKeys, ", ")), "keep to one dialect"}
	case len(stepflowKeys) > 0:
		return Stepflow, detectionProblem{}
	case len(registryKeys) > 0:
		return Registry, detectionProblem{}
	}
	return NoDialect, detectionProblem{top.Place(), "unrecognised", "this is neither a registry with gates nor a step flow",
		"a registry with gates has agentId and steps with stepId; a step flow has basePath and steps with prompt and check"}
}

// detectionProblem says why a registry has no dialect.
type detectionProblem struct {
	place                     Place
	code, message, suggestion string
}

// fieldOfNewerRelease returns a value that is an object only in newer releases of Climpt, or nil.
func fieldOfNewerRelease(top *Value) *Value {
	for _, s := range top.Get("steps").Members() {
		if v := s.Get("address"); v.Is(Object) {
			return v
		}
	}
	for _, e := range top.Get("entryStepMapping").Members() {
		if e.Is(Object) {
			return e
		}
	}
	return nil
}

// isPromptList reports whether the file is a list of prompts without a flow (spec §1).
func isPromptList(top *Value) bool {
	if !top.Has("basePath") {
		return false
	}
	found := false
	for _, s := range top.Get("steps").Members() {
		if s.Has("prompt", "check", "iterations", "stepId", "structuredGate", "transitions") {
			return false
		}
		found = found || s.Has("path", "c2")
	}
	return found
}

// dialectSignalKeys returns the keys that indicate each dialect, each once, in file order.
func dialectSignalKeys(top *Value) (registryKeys, stepflowKeys []string) {
	note := func(v *Value, signal func(*Value) Dialect) {
		for _, m := range v.Members() {
			switch signal(m) {
			case Registry:
				registryKeys = appendOnce(registryKeys, m.key)
			case Stepflow:
				stepflowKeys = appendOnce(stepflowKeys, m.key)
			}
		}
	}
	note(top, topFieldDialect)
	for _, s := range top.Get("steps").Members() {
		note(s, stepFieldDialect)
	}
	return registryKeys, stepflowKeys
}

// appendOnce appends a key unless the list contains it.
func appendOnce(list []string, key string) []string {
	if slices.Contains(list, key) {
		return list
	}
	return append(list, key)
}
