package parse

import (
	"bytes"
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
