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
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"playhead/parse/plan"
)

// Options say how a document is loaded.
type Options struct {
	Format string // overrules detection; see Formats
	Start  string // the start directory, where included documents are also looked for; "" is the working directory
	FS     fs.FS  // where the names are; nil: the file system

	// Overlay replaces the contents of files, by absolute path.
	Overlay map[string][]byte

	// Flags are the values of format options (see Flags), by name. A format ignores the options of
	// others.
	Flags map[string][]string

	Aliases *plan.Aliases // the models that documents can name; nil if unknown
}

// Load reads and compiles the document at a path.
func Load(name string, o Options) *plan.Plan {
	l := newLoader(o)
	l.name = name
	l.file = l.inFolder(name)
	file, problem := readFile(l.disk, l.file, l.limit(l.file))
	if problem != nil {
		return l.unreadable(*problem)
	}
	return l.compile(file)
}

// unreadable returns the Plan of a file that cannot be read. A file that is too large gets the
// format of its first lines.
func (l *loader) unreadable(t trouble) *plan.Plan {
	if t.code != "too-large" || l.byName(l.name) != nil {
		return l.refused(nil, t)
	}
	f, _, _ := l.choose(l.file, readHead(l.disk, l.file, l.limit(l.file)))
	if f != nil {
		t = tooLarge(f.limit)
	}
	return l.refused(f, t)
}

// inFolder returns the file that represents an agent folder, or the name itself.
func (l *loader) inFolder(name string) string {
	for _, file := range []string{"agent.json", "steps_registry.json"} {
		if real, err := l.disk.real(l.disk.join(name, file)); err == nil && real != "" {
			return l.disk.join(name, file)
		}
	}
	return name
}

// loader loads one document.
type loader struct {
	Options
	disk disk
	name string // as the person gave it
	file string // the file to read, which may be inside a folder

	prompts []plan.File // the prompt files of a playbook
}

func newLoader(o Options) *loader {
	if o.FS != nil {
		return &loader{Options: o, disk: fsDisk{o.FS}}
	}
	if len(o.Overlay) > 0 {
		return &loader{Options: o, disk: newOverlay(osDisk{}, o.Overlay)}
	}
	return &loader{Options: o, disk: osDisk{}}
}

// compile finds the format of a text and parses it.
func (l *loader) compile(file []byte) *plan.Plan {
	f, others, problem := l.choose(l.file, file)
	switch {
	case problem != nil:
		return l.refused(f, *problem)
	case int64(len(file)) > f.limit:
		return l.refused(f, tooLarge(f.limit))
	}
	p := f.parse(l, file)
	if kind := byFormat(p.Format); kind != nil {
		p.Kind = kind.title
	}
	for _, other := range others {
		p.Diagnostics = append(p.Diagnostics, f.owned(plan.Diagnostic{
			File: l.name, Line: 1, Column: 1, Severity: plan.Warning, Code: f.name + "/ambiguous-format",
			Message:    fmt.Sprintf("the document is read as a %s, but it could be a %s too", f.title, other.title),
			Suggestion: fmt.Sprintf("use --format %s if that is what it is", other.name),
		}, false))
	}
	for _, d := range hiddenWarnings(p, l.prompts) {
		p.Diagnostics = append(p.Diagnostics, f.owned(d, false))
	}
	plan.SortDiagnostics(p.Diagnostics)
	return p
}

// trouble says why a file is not compiled.
type trouble struct{ code, message, suggestion string }

// refused returns the Plan of a file that cannot be read or that no format claims. The code has the
// format's prefix if the format is known.
func (l *loader) refused(f *format, t trouble) *plan.Plan {
	owner := "parse"
	if f == nil && (t.code == "unreadable" || t.code == "too-large") {
		f = l.byName(l.name)
	}
	p := &plan.Plan{Path: l.name, Title: path.Base(filepath.ToSlash(l.name))}
	if f != nil {
		owner, p.Format, p.Kind = f.name, f.name, f.title
	}
	p.Diagnostics = []plan.Diagnostic{f.owned(plan.Diagnostic{
		File: l.name, Line: 1, Column: 1, Severity: plan.Error,
		Code: owner + "/" + t.code, Message: t.message, Suggestion: t.suggestion,
	}, t.message == noSuchFile)}
	return p
}
