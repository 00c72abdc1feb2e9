package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// marks are the breakpoints of a document, kept between its runs. A step is known by
// its key, which survives edits of the document; of one that is gone they are lost, and
// found again when it comes back.
type marks struct {
	file string
	plan *plan.Plan
}

// mark is a breakpoint as it is kept.
type mark struct {
	Key   string `json:"key"`
	To    string `json:"to,omitempty"` // the key of the step that it has to lead to, or end
	Terms string `json:"terms,omitempty"`
}

// marksOf are those of a document, by where it is.
func marksOf(p *plan.Plan) (marks, error) {
	path, err := fileOf(p.Path)
	if err != nil {
		return marks{}, err
	}
	file, err := remembered("breakpoints", path)
	return marks{file, p}, err
}

// remembered is the file in which something about the document at path is kept.
func remembered(what, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	name := fmt.Sprintf("%s-%x.json", plan.Slug(filepath.Base(abs)), sum[:6])
	return filepath.Join(xdg.StateHome, "playhead", what, name), nil
}

// keepIn writes such a file.
func keepIn(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return outfile.Replace(file, append(data, '\n'), 0o600)
}

// load reads them. Without a file there are none.
func (m marks) load() ([]engine.Breakpoint, error) {
	data, err := infile.Read(m.file, infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var kept []mark
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil {
		return nil, usage("the breakpoints of this document cannot be read: %w; remove %s to do without", err, m.file)
	}
	ids := map[string]string{}
	m.plan.Walk(func(s, _ *plan.Step) bool {
		ids[s.Key] = s.ID
		return true
	})
	var out []engine.Breakpoint
	for _, k := range kept {
		if b, err := k.breakpoint(ids); err == nil {
			out = append(out, b)
		}
	}
	return out, nil
}

// breakpoint is a mark in a document whose steps have these ids, by their keys.
func (k mark) breakpoint(ids map[string]string) (engine.Breakpoint, error) {
	b, err := engine.ParseBreakpoint("x" + k.Terms)
	b.Step, b.To = ids[k.Key], cmp.Or(ids[k.To], k.To)
	if b.Step == "" {
		b.Step, b.Lost = k.Key, true
	}
	return b, err
}

// keep writes them. Those of included documents belong to the run alone.
func (m marks) keep(all []engine.Breakpoint) error {
	keys := map[string]string{}
	m.plan.Walk(func(s, _ *plan.Step) bool {
		keys[s.ID] = s.Key
		return true
	})
	kept := []mark{}
	for _, b := range all {
		key, to := keys[b.Step], cmp.Or(keys[b.To], b.To)
		if b.Lost {
			key = b.Step
		}
		if key != "" {
			b.To = ""
			kept = append(kept, mark{key, to, b.Terms()})
		}
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return keepIn(m.file, data)
}
