package setup

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"

	"playhead/engine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// PauseOptions are the flags that say where to pause.
type PauseOptions struct {
	UntilStep   string
	Breakpoints []string
	PauseFirst  bool // before the next step
}

// apply sets where the session pauses.
func (o *PauseOptions) apply(c *engine.Config) error {
	c.UntilStep = o.UntilStep
	if o.PauseFirst {
		c.Mode = engine.PauseNext
	}
	for _, text := range o.Breakpoints {
		b, err := engine.ParseBreakpoint(text)
		if err != nil {
			return Errorf("--break: %w", err)
		}
		b.IsFromFlag = true
		c.Breakpoints = append(c.Breakpoints, b)
	}
	return nil
}

// breakpointFile is the file with the breakpoints of a document, which are kept between its runs. A
// step is identified by its key, which stays the same when the document is edited. The breakpoint
// of a step that is gone has no effect, and has one again when the step comes back.
type breakpointFile struct{ path string }

type savedBreakpoint struct {
	Key     string `json:"key"`
	LeadsTo string `json:"to,omitempty"` // the key of the step that the decision must lead to, or end
	Clauses string `json:"terms,omitempty"`
}

// breakpointFileOf returns the file for the document at path.
func breakpointFileOf(path string) (breakpointFile, error) {
	file, err := StateFilePath("breakpoints", path)
	return breakpointFile{file}, err
}

// load reads the breakpoints, for a version of the document. If there is no file, there are none.
func (f breakpointFile) load(version *plan.Plan) ([]engine.Breakpoint, error) {
	data, err := infile.Read(f.path, infile.MaxStateFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var saved []savedBreakpoint
	if err == nil {
		err = json.Unmarshal(data, &saved)
	}
	if err != nil {
		return nil, Errorf("the breakpoints of this document cannot be read: %w; remove %s to continue without them", err, f.path)
	}
	ids := map[string]string{}
	version.Walk(func(s, _ *plan.Step) bool {
		ids[s.StableKey] = s.ID
		return true
	})
	var out []engine.Breakpoint
	for _, k := range saved {
		if b, err := k.breakpoint(ids); err == nil {
			out = append(out, b)
		}
	}
	return out, nil
}

// breakpoint returns the breakpoint for a document whose step IDs are given by key.
func (s savedBreakpoint) breakpoint(ids map[string]string) (engine.Breakpoint, error) {
	b, err := engine.ParseBreakpoint("x" + s.Clauses)
	b.Step, b.LeadsTo = ids[s.Key], cmp.Or(ids[s.LeadsTo], s.LeadsTo)
	if b.Step == "" {
		b.Step, b.HasNoStep = s.Key, true
	}
	if s.Key == engine.AnyFailureText {
		b.Step, b.HasNoStep = engine.AnyFailureStep, false
	}
	return b, err
}

// save writes the breakpoints of steps of a version of the document, except those of flags and of included documents,
// which belong to the run alone.
func (f breakpointFile) save(version *plan.Plan, all []engine.Breakpoint) error {
	keys := map[string]string{}
	version.Walk(func(s, _ *plan.Step) bool {
		keys[s.ID] = s.StableKey
		return true
	})
	list := []savedBreakpoint{}
	for _, b := range all {
		key, to := keys[b.Step], cmp.Or(keys[b.LeadsTo], b.LeadsTo)
		switch {
		case b.IsFromFlag:
			continue
		case b.HasNoStep:
			key = b.Step
		case b.IsAnyFailure():
			key = engine.AnyFailureText
		}
		if key != "" {
			b.LeadsTo = ""
			list = append(list, savedBreakpoint{key, to, b.ClauseText()})
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return outfile.WriteStateFile(f.path, data)
}
