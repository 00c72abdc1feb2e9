// Package parse turns files into Plans: it reads a file, detects its format, and has that format's
// parser compile it.
//
// Each format is a package below this one. This package knows the formats through one table
// (formats.go): a new format is a new package and a row there.
//
// Load always returns a Plan. Whatever is wrong with the file, even if it does not exist, is one of
// the Plan's diagnostics, with the codes and terms of its format.
package parse

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"playhead/parse/files"
	"playhead/parse/plan"
)

// Options say how a document is loaded.
type Options struct {
	Format      string // one of FormatNames; "": detected
	StartFolder string // the start directory, where included documents are also looked for; "" is the working directory
	FS          fs.FS  // where the documents are; nil: the file system of the computer

	// Overlay replaces the contents of files, by absolute path.
	Overlay map[string][]byte

	// Flags are the values of format options (see Flags), by name. A format ignores the options of
	// others.
	Flags map[string][]string

	ModelAliases *plan.ModelAliases // the models that documents can name; nil if unknown
}

// Load reads and compiles the document at a path. It always returns a Plan; what is wrong is among its
// diagnostics.
func Load(name string, o Options) *plan.Plan {
	l := newLoader(name, o)
	file, problem := files.Read(l.files, l.readPath, l.recognitionReadLimit())
	if problem != nil {
		return l.planOfUnreadableFile(problem)
	}
	return l.detectAndParse(file)
}

// planOfUnreadableFile returns the Plan of a file that cannot be read. A file that is too large gets the
// format of its first lines.
func (l *loader) planOfUnreadableFile(problem *files.Problem) *plan.Plan {
	if !problem.IsTooLarge() || l.formatWithoutReading() != nil {
		return l.planWithProblem(nil, problem)
	}
	f, _, _ := l.chooseFormat(files.ReadFirstLines(l.files, l.readPath, l.recognitionReadLimit()))
	if f != nil {
		problem = files.TooLargeProblem(f.maxSize)
	}
	return l.planWithProblem(f, problem)
}

// mainFileOfAgentFolder returns the main file of an agent folder, and any other path unchanged.
func (l *loader) mainFileOfAgentFolder(name string) string {
	for _, file := range []string{"agent.json", "steps_registry.json"} {
		if real, err := l.files.RealPath(l.files.Join(name, file)); err == nil && real != "" {
			return l.files.Join(name, file)
		}
	}
	return name
}

// loader loads one document.
type loader struct {
	Options
	files     files.System
	givenPath string // the document, as the person named it
	readPath  string // the file to read, which may be inside a folder

	promptFiles []plan.File // the prompt files of a playbook
}

func newLoader(name string, o Options) *loader {
	l := &loader{Options: o, files: files.OS, givenPath: name}
	switch {
	case o.FS != nil:
		l.files = files.FromFS(o.FS)
	case len(o.Overlay) > 0:
		l.files = files.Overlay(l.files, o.Overlay)
	}
	l.readPath = l.mainFileOfAgentFolder(name)
	return l
}

// detectAndParse finds the format of a file by its path and content, and parses it.
func (l *loader) detectAndParse(file []byte) *plan.Plan {
	f, others, problem := l.chooseFormat(file)
	switch {
	case problem != nil:
		return l.planWithProblem(f, problem)
	case int64(len(file)) > f.maxSize:
		return l.planWithProblem(f, files.TooLargeProblem(f.maxSize))
	}
	p := f.parse(l, file)
	if kind := formatByName(p.Format); kind != nil {
		p.FormatTitle = kind.title
	}
	for _, other := range others {
		p.Diagnostics = append(p.Diagnostics, f.adaptedDiagnostic(plan.Diagnostic{
			File: l.givenPath, Line: 1, Column: 1, Severity: plan.Warning, Code: f.name + "/ambiguous-format",
			Message:    fmt.Sprintf("the document is read as a %s, but it could be a %s too", f.title, other.title),
			Suggestion: fmt.Sprintf("use --format %s to read it as a %s", other.name, other.title),
		}, false))
	}
	for _, d := range hiddenCharacterWarnings(p, l.promptFiles) {
		p.Diagnostics = append(p.Diagnostics, f.adaptedDiagnostic(d, false))
	}
	plan.SortDiagnostics(p.Diagnostics)
	return p
}

// planWithProblem returns the Plan of a file that is not compiled. f is its format; nil: unknown. The prefix
// of the code is the format, if it is known.
func (l *loader) planWithProblem(f *format, problem *files.Problem) *plan.Plan {
	owner := "parse"
	if f == nil && (problem.Code == "unreadable" || problem.IsTooLarge()) {
		f = l.formatWithoutReading()
	}
	p := &plan.Plan{Path: l.givenPath, Title: path.Base(filepath.ToSlash(l.givenPath))}
	if f != nil {
		owner, p.Format, p.FormatTitle = f.name, f.name, f.title
	}
	p.Diagnostics = []plan.Diagnostic{f.adaptedDiagnostic(plan.Diagnostic{
		File: l.givenPath, Line: 1, Column: 1, Severity: plan.Error,
		Code: owner + "/" + problem.Code, Message: problem.Message, Suggestion: problem.Suggestion,
	}, errors.Is(problem.Cause, fs.ErrNotExist))}
	return p
}
