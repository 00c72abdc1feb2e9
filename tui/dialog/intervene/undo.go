package intervene

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Undo is what an undo is about, or a redo.
type Undo struct {
	Redo bool
	Of   machine.Event
}

// Requests undoes or redoes, and says what. Where something has run since that stays done, it asks.
func (u Undo) Requests(run *runview.Run) []tea.Msg {
	action, did := "undo", draw.Clean(track.Intervention(u.Of))
	say := "Undone: " + did + ". {redo} to redo it."
	if u.Redo {
		action, say = "redo", "Redone: "+did+". {undo} to undo it."
		if n := len(run.Events); n > 0 && run.Events[n-1].Seq == u.Of.Seq { // a rewind, and nothing since
			say = "The run is back where it was before " + did + ". {undo} to return."
		}
	}
	do := request.Do{Action: action, Args: control.Args{Event: u.Of.Seq}}
	requests := []tea.Msg{request.SayNext{Text: say}, do}
	if e := control.Find(action).Effect(run.Run, do.Args); e.Confirm {
		return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{Name: draw.Clean(e.Title), StaysDone: e.StaysDone, Yes: requests}}}
	}
	return requests
}
