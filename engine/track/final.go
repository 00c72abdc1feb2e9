package track

import (
	"playhead/engine/artifact"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// said keeps the text that a unit put out, for the end of the run.
func (t *Track) said(e machine.Event, o *plan.Outcome) {
	if o != nil && o.Result == plan.Passed && o.Text != "" {
		t.texts[e.Step] = o.Text
	}
}

// Final is the final output of a run that completed, if there is one.
func (t *Track) Final() (a artifact.Artifact, ok bool) {
	if t.Finished == nil || t.Finished.Artifact == nil {
		return a, false
	}
	end := t.Finished.Artifact
	return artifact.Artifact{Type: end.Type, Step: end.Step, Text: t.texts[end.Step]}, true
}
