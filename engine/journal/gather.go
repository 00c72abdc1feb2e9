package journal

import (
	"fmt"
	"os"
	"path/filepath"

	"playhead/parse/plan"
)

// sources are the documents of a new run: a manifest and each file's bytes. The
// bytes are those that the Plan was made from, whatever the files hold by now.
type sources struct {
	manifest
	data [][]byte
}

// gather collects a document and all that it includes.
func gather(p *plan.Plan, startDir string) (sources, error) {
	document, err := filepath.Abs(p.Path)
	if err != nil {
		return sources{}, fmt.Errorf("cannot tell where %s is: %w", p.Path, err)
	}
	start, err := filepath.Abs(startDir)
	if err != nil {
		return sources{}, fmt.Errorf("cannot tell where %s is: %w", startDir, err)
	}
	g := gatherer{root: filepath.Dir(document), start: start, seen: map[string]bool{}}
	g.out.Base, g.out.Document, g.out.Start = pathname(start), pathname(document), pathname(start)
	g.add(p, document)
	return g.out, nil
}

type gatherer struct {
	root, start string
	seen        map[string]bool
	out         sources
}

// add takes a document that was found at path, and its children.
func (g *gatherer) add(p *plan.Plan, path string) {
	if g.seen[path] {
		return
	}
	g.seen[path] = true
	for !inside(path, string(g.out.Base)) {
		g.out.Base = pathname(filepath.Dir(string(g.out.Base)))
	}
	g.out.Files = append(g.out.Files, original{pathname(path), hash(p.Source)})
	g.out.data = append(g.out.data, p.Source)
	for _, c := range p.Children {
		if c.Plan != nil {
			g.add(c.Plan, g.locate(c, filepath.Dir(path)))
		}
	}
}

// locate is the place where a copy of a child will be looked for: beside the
// document that lists it, or in the start directory, whichever it was found at.
// Only a link may have led from there to the file's own place.
func (g *gatherer) locate(c plan.Child, beside string) string {
	places := []string{filepath.Join(beside, c.Path), filepath.Join(g.start, c.Path)}
	if c.File == "" {
		return places[0]
	}
	found := c.File
	if !filepath.IsAbs(found) {
		found = filepath.Join(g.root, found)
	}
	for _, at := range places {
		if at == filepath.Clean(found) {
			return at
		}
	}
	for _, at := range places {
		if sameFile(at, found) {
			return at
		}
	}
	return found
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
