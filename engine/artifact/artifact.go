// Package artifact is a run's final output: what there is of it, what is wrong with
// it, and saving it in a file.
package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"playhead/engine/outfile"
	"playhead/parse/objects"
	"playhead/parse/plan"
)

// Artifact is the final output of a run that completed.
type Artifact struct {
	Type string // one that plan.ArtifactSuffix knows, or plan.PlainText
	Step string // the label of the step that put it out
	Text string // as it was put out
}

// Content is what is shown and saved. A model asked for a language answers with one
// block of code, fenced: then the block is meant, not the fence. JSON is found as for a
// variable of that type, also between sentences.
func (a Artifact) Content() string {
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

// unfenced is what stands in a text that is one fenced block of code.
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

// fence is the run of three or more marks that a line begins a block of code with.
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

// Flaw says what is wrong with the content, "" if nothing is.
func (a Artifact) Flaw() string {
	if !a.isJSON() {
		return ""
	}
	var v any
	if err := json.Unmarshal([]byte(a.Content()), &v); err != nil {
		return fmt.Sprintf("the final output should be %s, but is not JSON: %v", a.Type, err)
	}
	return ""
}

func (a Artifact) isJSON() bool {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return suffix == ".json"
}

// Pretty is the content to look at: JSON is indented, all else as it is.
func (a Artifact) Pretty() string {
	var b bytes.Buffer
	if !a.isJSON() || json.Indent(&b, []byte(a.Content()), "", "  ") != nil {
		return a.Content()
	}
	return b.String()
}

// Name is a name for the file, from the document's title and the type.
func (a Artifact) Name(title string) string {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return plan.Slug(title) + suffix
}

// what names the final output in errors.
const what = "the final output"

// Save writes the content to the file, ending in a line end. Without over a file that
// exists stays as it is, and the error is fs.ErrExist.
func (a Artifact) Save(path string, over bool) error {
	return outfile.Write(path, a.bytes(), over, what)
}

func (a Artifact) bytes() []byte { return []byte(strings.TrimRight(a.Content(), "\n") + "\n") }

// SaveAt is Save for a path that may name a folder, where the file gets a name from
// the document's title. It says which file it is.
func (a Artifact) SaveAt(path, title string, over bool) (file string, err error) {
	if outfile.IsFolder(path) {
		return outfile.WriteIn(path, a.Name(title), a.bytes(), what)
	}
	return path, a.Save(path, over)
}
