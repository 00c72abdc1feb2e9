package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"playhead/parse/plan"
)

// Sources are the documents of a new run: a manifest, and the bytes of each file. The bytes are
// those that the Plan was made from, even if the files have changed since.
type Sources struct {
	manifest
	contents     [][]byte
	emptyFolders []string // also created in the copy, even if they are empty

	copyByPathAndHash map[string]string // the copies that exist already, by path and hash
}

// GatherSources collects a document and all that it includes. startDir is the working folder in which p was loaded.
func GatherSources(p *plan.Plan, startDir string) (Sources, error) {
	document, err := filepath.Abs(p.Path)
	if err != nil {
		return Sources{}, fmt.Errorf("cannot find the absolute path of %s: %w", p.Path, err)
	}
	start, err := filepath.Abs(startDir)
	if err != nil {
		return Sources{}, fmt.Errorf("cannot find the absolute path of %s: %w", startDir, err)
	}
	g := sourceGatherer{startDir: start, hasDocument: map[string]bool{}, isPlaced: map[string]bool{}}
	g.sources.BaseFolder, g.sources.Document, g.sources.StartFolder = jsonPath(start), jsonPath(document), jsonPath(start)
	g.addDocument(p, document, document)
	return g.sources, nil
}

type sourceGatherer struct {
	startDir    string
	hasDocument map[string]bool // the places of documents, which may be folders
	isPlaced    map[string]bool // the places of files
	sources     Sources
}

// addDocument adds the document at path and its children. Its copy goes to place.
func (g *sourceGatherer) addDocument(p *plan.Plan, path, place string) {
	if g.hasDocument[place] {
		return
	}
	g.hasDocument[place] = true
	if len(p.Files) == 0 {
		g.addFile(path, place, p.Source)
	}
	for _, f := range p.Files {
		g.addDocumentFile(f)
	}
	for _, c := range p.IncludedDocuments {
		if c.Plan != nil {
			child, childPlace := g.locateChild(c, filepath.Dir(place))
			g.addDocument(c.Plan, child, childPlace)
		}
	}
}

// addDocumentFile adds one of the files of which a document consists.
func (g *sourceGatherer) addDocumentFile(f plan.File) {
	path, err := filepath.Abs(f.Path)
	switch {
	case err != nil:
	case f.IsFolder:
		g.widenBase(path)
		g.sources.emptyFolders = append(g.sources.emptyFolders, path)
	default:
		g.addFile(path, path, f.Source)
	}
}

// addFile adds the file at path, once. Its copy goes to place.
func (g *sourceGatherer) addFile(path, place string, data []byte) {
	if g.isPlaced[place] {
		return
	}
	g.isPlaced[place] = true
	g.widenBase(place)
	file := originalFile{Path: jsonPath(path), SHA256: sha256Hex(data)}
	if place != path {
		file.Place = jsonPath(place)
	}
	g.sources.Files = append(g.sources.Files, file)
	g.sources.contents = append(g.sources.contents, data)
}

// widenBase moves the base up until place is below it.
func (g *sourceGatherer) widenBase(place string) {
	for !isInside(place, string(g.sources.BaseFolder)) {
		g.sources.BaseFolder = jsonPath(filepath.Dir(string(g.sources.BaseFolder)))
	}
}

// locateChild returns the path of a child, and the place where its copy will be looked for: beside the
// document that lists it or in the start directory, wherever the child was found.
func (g *sourceGatherer) locateChild(c plan.IncludedDocument, beside string) (path, place string) {
	places := []string{filepath.Join(beside, c.WrittenPath), filepath.Join(g.startDir, c.WrittenPath)}
	if filepath.IsAbs(c.WrittenPath) {
		places = []string{filepath.Clean(c.WrittenPath)}
	}
	path, err := filepath.Abs(c.Plan.Path)
	if c.Plan.Path == "" || err != nil {
		return places[0], places[0]
	}
	if slices.Contains(places, path) {
		return path, path
	}
	// The child was read under another name: through a link, or because another document refers to
	// it differently.
	for _, at := range places {
		if sameFile(at, path) {
			return path, at
		}
	}
	// The document that lists the child was read under another name, so the child was found beside
	// that name.
	return path, places[0]
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
