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
	data    [][]byte
	folders []string // also created in the copy, even if they are empty

	copies map[string]string // the copies that exist already, by path and hash
}

// gather collects a document and all that it includes.
func gather(p *plan.Plan, startDir string) (Sources, error) {
	document, err := filepath.Abs(p.Path)
	if err != nil {
		return Sources{}, fmt.Errorf("cannot tell where %s is: %w", p.Path, err)
	}
	start, err := filepath.Abs(startDir)
	if err != nil {
		return Sources{}, fmt.Errorf("cannot tell where %s is: %w", startDir, err)
	}
	g := gatherer{start: start, placed: map[string]bool{}}
	g.out.Base, g.out.Document, g.out.Start = pathname(start), pathname(document), pathname(start)
	g.add(p, document, document)
	return g.out, nil
}

type gatherer struct {
	start  string
	placed map[string]bool
	out    Sources
}

// add adds the document at path and its children. Its copy goes to place.
func (g *gatherer) add(p *plan.Plan, path, place string) {
	if g.placed[place] {
		return
	}
	g.placed[place] = true
	if len(p.Files) == 0 {
		g.file(path, place, p.Source)
	}
	for _, f := range p.Files {
		g.part(f)
	}
	for _, c := range p.Children {
		if c.Plan != nil {
			child, childPlace := g.locate(c, filepath.Dir(place))
			g.add(c.Plan, child, childPlace)
		}
	}
}

// part adds one of the files of which a document consists.
func (g *gatherer) part(f plan.File) {
	path, err := filepath.Abs(f.Path)
	switch {
	case err != nil || g.placed[path]:
	case f.Folder:
		g.widenBase(path)
		g.out.folders = append(g.out.folders, path)
	default:
		g.placed[path] = true
		g.file(path, path, f.Source)
	}
}

// file adds the file at path. Its copy goes to place.
func (g *gatherer) file(path, place string, data []byte) {
	g.widenBase(place)
	file := original{Path: pathname(path), SHA256: hash(data)}
	if place != path {
		file.Place = pathname(place)
	}
	g.out.Files = append(g.out.Files, file)
	g.out.data = append(g.out.data, data)
}

// widenBase moves the base up until place is below it.
func (g *gatherer) widenBase(place string) {
	for !inside(place, string(g.out.Base)) {
		g.out.Base = pathname(filepath.Dir(string(g.out.Base)))
	}
}

// locate returns the path of a child, and the place where its copy will be looked for: beside the
// document that lists it or in the start directory, wherever the child was found.
func (g *gatherer) locate(c plan.Child, beside string) (path, place string) {
	places := []string{filepath.Join(beside, c.Path), filepath.Join(g.start, c.Path)}
	if filepath.IsAbs(c.Path) {
		places = []string{filepath.Clean(c.Path)}
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
