// Package artifact handles a run's final output: its content, what is wrong with it, and saving it
// in a file.
package artifact

import (
	"encoding/json"
	"fmt"
	"strings"

	"playhead/engine/outfile"
	"playhead/engine/tools"
	"playhead/parse/objects"
	"playhead/parse/plan"
)

// Artifact is the final output of a completed run.
type Artifact struct {
	Type string // a type that plan.ArtifactSuffix knows, or plan.PlainText
	Step string // the label of the step that produced it
	Text string // as the step produced it
}

// Extract returns what is shown and saved. If a model answered with a single fenced block of code,
// this is the code without the fence. JSON is extracted as for a variable of that type, also from
// between sentences.
func (a Artifact) Extract() string {
	if a.isJSON() {
		if raw, ok := objects.JSON(a.Text); ok {
			return raw
		}
	}
	if a.Type != plan.PlainText && a.Type != "markdown" {
		if code, ok := unfenced(a.Text); ok {
			return code
		}
	}
	return a.Text
}

// unfenced returns the code in a text that is a single fenced block.
func unfenced(text string) (code string, ok bool) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	last := len(lines) - 1
	mark := fence(lines[0])
	if last < 1 || mark == "" || !closes(lines[last], mark) {
		return "", false
	}
	for _, line := range lines[1:last] {
		if closes(line, mark) {
			return "", false
		}
	}
	return strings.Join(lines[1:last], "\n"), true
}

// fence returns the run of three or more marks with which a line begins a block of code.
func fence(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

func closes(line, mark string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}

// Flaw returns what is wrong with the content, "" if nothing is.
func (a Artifact) Flaw() string {
	if !a.isJSON() {
		return ""
	}
	var v any
	if err := json.Unmarshal([]byte(a.Extract()), &v); err != nil {
		return fmt.Sprintf("the final output should be %s, but is not JSON: %v", a.Type, err)
	}
	return ""
}

func (a Artifact) isJSON() bool {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return suffix == ".json"
}

// Language returns what the content is written in: its type, or json for a plain text that is a JSON object or list.
func (a Artifact) Language() string {
	if a.Type == plan.PlainText && tools.HasParts(a.Text) {
		return "json"
	}
	return a.Type
}

// Pretty returns the content for reading: JSON is indented.
func (a Artifact) Pretty() string {
	if a.isJSON() || a.Language() == "json" {
		return tools.Pretty(a.Extract())
	}
	return a.Extract()
}

// Name returns a name for the file, from the document's title and the type.
func (a Artifact) Name(title string) string {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return plan.Slug(title) + suffix
}

// what describes the final output in errors.
const what = "the final output"

// Save writes the content to the file, with a line end at the end. Unless over is set, an existing
// file stays, and the error is fs.ErrExist.
func (a Artifact) Save(path string, over bool) error {
	return outfile.Write(path, a.bytes(), over, what)
}

func (a Artifact) bytes() []byte { return []byte(strings.TrimRight(a.Extract(), "\n") + "\n") }

// SaveAt is like Save, but path may name a folder, in which the file is named after the document's
// title. It returns the path of the file.
func (a Artifact) SaveAt(path, title string, over bool) (file string, err error) {
	if outfile.IsFolder(path) {
		return outfile.WriteIn(path, a.Name(title), a.bytes(), what)
	}
	return path, a.Save(path, over)
}
