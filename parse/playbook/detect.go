package playbook

import (
	"path"
	"path/filepath"
	"playhead/parse/source"
	"regexp"
	"strings"
)

const suffix = ".playbook.md"

// HasName reports whether a file's name makes it a playbook (spec, Detection).
func HasName(name string) bool {
	return strings.HasSuffix(strings.ToLower(path.Base(filepath.ToSlash(name))), suffix)
}

var stepLike = regexp.MustCompile(`^##\s+STEP\s+\d+:`)

// Claims reports whether a text reads as a playbook: it has a title and a line
// that starts as a step's heading does (spec, Detection). Fenced code does not
// count, or every text about playbooks would be one.
func Claims(file []byte) bool {
	text := source.Normalize(file)
	if _, problem := source.Invalid(text); problem != "" || !strings.Contains(text, "STEP") {
		return false
	}
	lines := strings.Split(text, "\n")
	code, _ := findCode(lines)
	title, step := false, false
	for i, l := range lines {
		if code[i] || !strings.HasPrefix(l, "#") {
			continue
		}
		_, isTitle := titleOf(l)
		title = title || isTitle
		step = step || stepLike.MatchString(l)
	}
	return title && step
}
