package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// File is a file that a Plan was compiled from.
type File struct {
	Path     string // as it was opened
	Source   []byte
	IsFolder bool // a folder that matters even if nothing was read from it
}

// IncludedDocument is a document that a step includes. Plan is nil if the document could not be loaded.
type IncludedDocument struct {
	WrittenPath string // as the including document writes it
	Name        string // how labels name it: the file's name without its format's suffix
	File        string // where it was found, relative to the root document's folder when below it
	Plan        *Plan
	LoadProblem string
}

// IncludedDocument returns the included document with this WrittenPath.
func (p *Plan) IncludedDocument(path string) (IncludedDocument, bool) {
	for _, c := range p.IncludedDocuments {
		if c.WrittenPath == path {
			return c, true
		}
	}
	return IncludedDocument{}, false
}

// IncludedLabels returns how labels name the documents that a step includes, in their order. The second one named
// lint is lint~2.
func (p *Plan) IncludedLabels(inc Include) []string {
	labels, countByName := make([]string, len(inc.DocumentPaths)), map[string]int{}
	for i, path := range inc.DocumentPaths {
		c, _ := p.IncludedDocument(path)
		name := cmp.Or(c.Name, path)
		labels[i] = name
		if countByName[name]++; countByName[name] > 1 {
			labels[i] = fmt.Sprintf("%s~%d", name, countByName[name])
		}
	}
	return labels
}

// SourcePath returns the path of the file whose content is Source. It differs from Path if the document is a folder.
func (p *Plan) SourcePath() string {
	for _, f := range p.SourceFiles() {
		if bytes.Equal(f.Source, p.Source) {
			return f.Path
		}
	}
	return p.Path
}

// SourceFiles returns the files that the Plan was made from, without folders. Unlike Files, it also has the only file of
// a document.
func (p *Plan) SourceFiles() (out []File) {
	for _, f := range p.Files {
		if !f.IsFolder {
			out = append(out, f)
		}
	}
	if len(out) == 0 && p.Source != nil {
		return []File{{Path: p.Path, Source: p.Source}}
	}
	return out
}

var drivePrefix = regexp.MustCompile(`^[A-Za-z]:`)

// PathProblem returns why a name cannot be the path of a file below the document's folder, or "" if it can. It judges
// the name alone and opens no file.
func PathProblem(name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return "the path is empty"
	case path.IsAbs(slashed) || drivePrefix.MatchString(name):
		return "the path " + name + " is absolute"
	case strings.Contains("/"+slashed+"/", "/../"):
		return "the path " + name + " contains .. and could lead out of the document's folder"
	}
	return ""
}
