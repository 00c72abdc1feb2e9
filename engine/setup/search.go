package setup

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/parse"
	"playhead/parse/plan"
)

// Limits on searching a folder for documents.
const (
	maxSearchDepth     = 4    // nested folders
	maxSearchedEntries = 5000 // files and folders
	maxDocuments       = 200
)

// FoundDocument is a file, or the folder of an agent, in a format that Playhead reads.
type FoundDocument struct {
	Path, Format string
	formatDoubt  formatDoubt
}

// formatDoubt is how likely it is that a file is an ordinary text that only looks like a document.
type formatDoubt int

const (
	noFormatDoubt     formatDoubt = iota
	doubtHasCommands              // numbered headings with commands below them, as in many instructions
	doubtOnlyHeadings             // nothing but numbered headings
)

// FindDocuments finds documents in a folder and below it, except in hidden folders and in those of
// third-party code. It searches outer folders first, so that the limits leave out what is farthest
// away. Files that may be ordinary texts with numbered headings come last.
func FindDocuments(root string) []FoundDocument {
	type folder struct {
		path  string
		depth int
	}
	var found []FoundDocument
	searchedCount := 0
	for queue := []folder{{root, 0}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		entries, _ := os.ReadDir(at.path) // what cannot be read is skipped
		for _, e := range entries {
			path := filepath.Join(at.path, e.Name())
			if searchedCount++; searchedCount > maxSearchedEntries || len(found) >= maxDocuments {
				return sortDocuments(found)
			}
			if e.IsDir() {
				if at.depth < maxSearchDepth && isSearchedFolder(e.Name()) {
					queue = append(queue, folder{path, at.depth + 1})
				}
			} else if canBeDocument(path) {
				if format, ok := parse.DetectFormatTitle(path); ok {
					found = append(found, FoundDocument{pathToOpen(path), format, formatDoubtAbout(path)})
				}
			}
		}
	}
	return sortDocuments(found)
}

// sortDocuments sorts documents: first by doubt, then by depth, then by folder and name. It leaves out duplicates,
// because the folder of an agent is found by each of its files.
func sortDocuments(found []FoundDocument) []FoundDocument {
	slices.SortStableFunc(found, func(a, b FoundDocument) int {
		one, other := strings.Split(a.Path, "/"), strings.Split(b.Path, "/")
		return cmp.Or(cmp.Compare(a.formatDoubt, b.formatDoubt), len(one)-len(other), slices.CompareFunc(one, other, compareNames))
	})
	return slices.Compact(found)
}

// compareNames compares names, and the numbers in them as numbers: 2 comes before 10.
func compareNames(a, b string) int {
	for a != "" && b != "" {
		one, other := leadingDigits(a), leadingDigits(b)
		if one == "" || other == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		a, b = a[len(one):], b[len(other):]
		one, other = strings.TrimLeft(one, "0"), strings.TrimLeft(other, "0")
		if c := cmp.Or(len(one)-len(other), strings.Compare(one, other)); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// leadingDigits returns the digits at the start of a text.
func leadingDigits(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }

// formatDoubtAbout returns the doubt about a file. There is none if it has the name of a format, says where
// a step leads, or has steps that are more than commands and questions.
func formatDoubtAbout(path string) formatDoubt {
	if parse.IsDocumentName(path) {
		return noFormatDoubt
	}
	p, err := Load(path, parse.Options{})
	if err != nil {
		return doubtOnlyHeadings
	}
	least := doubtOnlyHeadings
	p.Walk(func(s, _ *plan.Step) bool {
		if s.HasExplicitRoutes() {
			least = noFormatDoubt
		}
		for _, a := range s.Actions {
			switch a.Work.(type) {
			case plan.Decide:
			case plan.Command:
				least = min(least, doubtHasCommands)
			default:
				least = noFormatDoubt
			}
		}
		return least != noFormatDoubt
	})
	return least
}

// isSearchedFolder reports whether documents are looked for in a folder with this name.
func isSearchedFolder(name string) bool {
	return name == ".agent" || !strings.HasPrefix(name, ".") && name != "node_modules" && name != "vendor" && name != "testdata"
}

// canBeDocument reports whether a file can be a document, by its name.
func canBeDocument(path string) bool {
	switch name := strings.ToLower(filepath.Base(path)); {
	case name == "steps_registry.json", name == "agent.json":
		return true
	default:
		return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown")
	}
}

// pathToOpen returns the path by which a document is opened: for an agent this is its folder.
func pathToOpen(path string) string {
	if base := filepath.Base(path); base == "agent.json" || base == "steps_registry.json" {
		return filepath.Dir(path)
	}
	return path
}
