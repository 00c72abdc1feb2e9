// Package artifact handles a run's final output: its content, what is wrong with it, and saving it
// in a file.
package artifact

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/outfile"
	"playhead/engine/tools"
	"playhead/parse/objects"
	"playhead/parse/plan"
	"playhead/parse/source"
)

// Artifact is the final output of a completed run.
type Artifact struct {
	Type      string // a type that plan.ArtifactSuffix knows, or plain text
	StepLabel string // the label of the step that produced it; empty: the document no longer has it
	RawText   string // the text as the step produced it
}

// Content returns what is shown and saved. If a model answered with a single fenced block of code,
// this is the code without the fence. JSON is extracted as for a variable of that type, also from
// between sentences.
func (a Artifact) Content() string {
	if a.isJSON() {
		if raw, ok := objects.FindJSON(a.RawText); ok {
			return raw
		}
	}
	if a.Type != plan.PlainTextType && a.Type != "markdown" {
		if code, ok := codeInFence(a.RawText); ok {
			return code
		}
	}
	return a.RawText
}

// codeInFence returns the code in a text that is a single fenced block.
func codeInFence(text string) (code string, ok bool) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	opener, ok := source.ReadFence(lines[0])
	if !ok || !opener.CanOpen() || len(lines) < 2 {
		return "", false
	}
	closer := slices.IndexFunc(lines[1:], func(line string) bool {
		f, ok := source.ReadFence(line)
		return ok && f.Closes(opener)
	})
	if last := len(lines) - 2; closer != last {
		return "", false
	}
	return strings.Join(lines[1:len(lines)-1], "\n"), true
}

// Problem returns what is wrong with the content: JSON that cannot be parsed. It returns "" for valid
// content and for all other types.
func (a Artifact) Problem() string {
	if !a.isJSON() {
		return ""
	}
	var v any
	if err := json.Unmarshal([]byte(a.Content()), &v); err != nil {
		return fmt.Sprintf("the final output is not valid JSON, which its type (%s) requires: %v", a.Type, err)
	}
	return ""
}

func (a Artifact) isJSON() bool {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return suffix == ".json"
}

// ContentLanguage returns the language of the content, for highlighting: its type, or json for a plain text
// that is a JSON object or list.
func (a Artifact) ContentLanguage() string {
	if a.Type == plan.PlainTextType && tools.IsJSONContainer(a.RawText) {
		return "json"
	}
	return a.Type
}

// PrettyContent returns the content for reading: JSON is indented.
func (a Artifact) PrettyContent() string {
	if a.isJSON() || a.ContentLanguage() == "json" {
		return tools.PrettyJSON(a.Content())
	}
	return a.Content()
}

// FileName returns a name for the file of the content: the slug of the document's title, and the suffix of the type.
func (a Artifact) FileName(title string) string {
	suffix, _ := plan.ArtifactSuffix(a.Type)
	return plan.Slug(title) + suffix
}

// errorSubject is how errors refer to the final output.
const errorSubject = "the final output"

// Save writes the content to the file, with one line end at the end. Unless overwrite is set, an existing
// file stays, and the error is fs.ErrExist.
func (a Artifact) Save(path string, overwrite bool) error {
	return outfile.Write(path, a.fileContent(), overwrite, errorSubject)
}

func (a Artifact) fileContent() []byte { return []byte(strings.TrimRight(a.Content(), "\n") + "\n") }

// SaveToFileOrFolder is like Save, but path may name a folder, in which the file is named after the document's
// title and never replaces another one. It returns the path of the file.
func (a Artifact) SaveToFileOrFolder(path, title string, overwrite bool) (file string, err error) {
	if outfile.IsFolderPath(path) {
		return outfile.WriteInFolder(path, a.FileName(title), a.fileContent(), errorSubject)
	}
	return path, a.Save(path, overwrite)
}
