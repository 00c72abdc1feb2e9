package setup

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"playhead/parse"
	"playhead/parse/plan"
)

// How much of a folder is looked through for documents.
const (
	maxDepth     = 4    // folders below each other
	maxEntries   = 5000 // files and folders
	maxDocuments = 200
)

// Document is a file, or an agent's folder, that a format reads.
type Document struct {
	Path, Format string
	isDoubtful   bool // only its numbered headings say that it is one
}

// FindDocuments finds documents in a folder and below it, except in hidden folders and those of
// other people's code. What may be a text with numbered headings comes last.
func FindDocuments(root string) []Document {
	var found []Document
	seen := 0
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxEntries || len(found) >= maxDocuments:
			return filepath.SkipAll
		case err != nil:
			return nil // what cannot be read is no document of ours
		case e.IsDir():
			return enterFolder(root, path, e)
		case !canBeDocument(path):
			return nil
		}
		if format, ok := parse.Detect(path); ok {
			found = append(found, Document{openedBy(path), format, isDoubtful(path)})
		}
		return nil
	})
	slices.SortStableFunc(found, func(a, b Document) int {
		if a.isDoubtful != b.isDoubtful {
			return map[bool]int{false: -1, true: 1}[a.isDoubtful]
		}
		return strings.Count(a.Path, "/") - strings.Count(b.Path, "/")
	})
	return slices.Compact(found)
}

// isDoubtful reports whether a document has no name of its format, and neither does anything nor says
// where a step leads.
func isDoubtful(path string) bool {
	if parse.HasFormatName(path) {
		return false
	}
	p, err := Load(path, parse.Options{})
	if err != nil {
		return true
	}
	acts := false
	p.Walk(func(s, _ *plan.Step) bool {
		acts = acts || slices.ContainsFunc(s.Routes, func(r plan.Route) bool { return !r.Do.Implicit }) ||
			slices.ContainsFunc(s.Actions, func(a plan.Action) bool { _, asks := a.Work.(plan.Decide); return !asks })
		return !acts
	})
	return !acts
}

// enterFolder decides whether to look into a folder.
func enterFolder(root, path string, e fs.DirEntry) error {
	below, err := filepath.Rel(root, path)
	switch name := e.Name(); {
	case path == root:
		return nil
	case err != nil, strings.Count(below, string(filepath.Separator)) >= maxDepth:
		return filepath.SkipDir
	case name == ".agent":
		return nil
	case strings.HasPrefix(name, "."), name == "node_modules", name == "vendor", name == "testdata":
		return filepath.SkipDir
	}
	return nil
}

// canBeDocument tells by its name whether a file can be a document.
func canBeDocument(path string) bool {
	switch name := strings.ToLower(filepath.Base(path)); {
	case name == "steps_registry.json", name == "agent.json":
		return true
	default:
		return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown")
	}
}

// openedBy is what a document is opened by: an agent by its folder.
func openedBy(path string) string {
	if base := filepath.Base(path); base == "agent.json" || base == "steps_registry.json" {
		return filepath.Dir(path)
	}
	return path
}
