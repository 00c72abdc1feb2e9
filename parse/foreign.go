package parse

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file tells the formats apart that this version cannot run, so that it can
// say so. Each function moves into its format's package when there is one.

var (
	workflowStep = regexp.MustCompile(`(?i)^ {0,3}#{3,6}[^a-z0-9#]*WORKFLOW\s+STEP[\s*_]*[:：]`)
	nearStep     = regexp.MustCompile(`^[\s>*+-]*#.*\bWORKFLOW STEP\b`)
	fenceLine    = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// claimWorkflow is the test of workflow.md §1: a step heading outside fences and
// comments; one inside, or something near it, is enough if nobody else claims it.
func claimWorkflow(name string, file []byte) claim {
	if !markdown(name) || !bytes.Contains(bytes.ToUpper(file), []byte("WORKFLOW")) {
		return never
	}
	fence, comment, best := "", false, never
	for line := range bytes.Lines(bytes.ReplaceAll(file, []byte("\r"), []byte("\n"))) {
		open := fenceLine.FindSubmatch(line)
		switch {
		case comment:
			comment = !bytes.Contains(line, []byte("-->"))
		case fence != "":
			if open != nil && strings.HasPrefix(string(open[1]), fence) && len(bytes.TrimSpace(line)) == len(open[1]) {
				fence = ""
			}
		case open != nil:
			fence = string(open[1])
		case bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("<!--")):
			comment = !bytes.Contains(line, []byte("-->"))
		case workflowStep.Match(line):
			return keyword
		}
		if best == never && (workflowStep.Match(line) || nearStep.Match(line)) {
			best = explains
		}
	}
	return best
}

func claimRegistry(name string, file []byte) claim {
	a, b := dialects(name, file)
	if a && !b {
		return keyword
	}
	return never
}

func claimStepflow(name string, file []byte) claim {
	if _, b := dialects(name, file); b {
		return keyword
	}
	return never
}

// dialects looks for the signals of climpt-registry.md §1.
func dialects(name string, file []byte) (registry, stepflow bool) {
	var top map[string]json.RawMessage
	if !strings.EqualFold(path.Ext(name), ".json") || json.Unmarshal(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), &top) != nil {
		return false, false
	}
	registry = has(top, "agentId", "c1", "runner")
	stepflow = has(top, "basePath", "behavior")
	var steps map[string]map[string]json.RawMessage
	if json.Unmarshal(top["steps"], &steps) != nil {
		return registry, stepflow
	}
	for _, s := range steps {
		registry = registry || has(s, "stepId", "c2", "structuredGate", "transitions")
		stepflow = stepflow || has(s, "check", "iterations") || bytes.HasPrefix(s["prompt"], []byte("{"))
	}
	return registry, stepflow
}

func has(object map[string]json.RawMessage, keys ...string) bool {
	for _, k := range keys {
		if _, ok := object[k]; ok {
			return true
		}
	}
	return false
}

// unreadable says why a file is no text, "" if it is.
func unreadable(file []byte) string {
	switch {
	case bytes.IndexByte(file, 0) >= 0:
		return "it holds a NUL byte: this is no text file"
	case !utf8.Valid(file):
		return "it is not valid UTF-8"
	}
	return ""
}
