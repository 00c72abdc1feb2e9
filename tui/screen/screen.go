// Package screen arranges the panes and dialogs on the screen. It knows their places, which one has the
// focus, what is searched in them and what the mouse does. Like them it reads the run through a
// runview.Run. It carries out their requests that concern the screen, and passes all others to
// Config.HandleRequest.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/pane/output"
	"playhead/tui/pane/steps"
	"playhead/tui/pane/text"
	"playhead/tui/pane/why"
	"playhead/tui/present"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Screen has the panes and dialogs of one screen, their layout and the focus.
type Screen struct {
	Steps    *steps.Pane
	Text     *text.Pane
	Output   *output.Pane
	Why      *why.Pane
	Searcher *Searcher
	Mouse    *Mouse
	Borders  Borders

	Layout    layout.Layout
	Split     layout.Split
	Focus     layout.PaneID
	IsZoomed  bool
	Presenter *Presenter
	Dialogs   dialog.Stack
	Notice    string // shown before the run as long as no dialog asks; "": none

	ShowsWholeFinalOutput bool // a pane shows the whole final output above the summary

	panes              [layout.DialogPlace + 1]pane.Pane // Steps, Text, Output and Why by their IDs
	drawContext        *draw.Context
	layoutNeeds        layout.Needs     // the needs that the layout was made for
	focusBehindDialogs layout.PaneID    // gets the focus when the last dialog is closed
	focusedQuestion    *question.Dialog // the question that had the focus after the last message; nil: none
	currentRun         func() *runview.Run
	handleRequest      func(tea.Msg) tea.Cmd
}

// Config holds what a Screen needs from the program.
type Config struct {
	DrawContext   *draw.Context
	Split         layout.Split
	Presentation  present.Presentation
	CurrentRun    func() *runview.Run   // returns the current state of the run
	HandleRequest func(tea.Msg) tea.Cmd // carries out a request that does not concern the screen
}

// New returns a screen without dialogs.
func New(c Config) *Screen {
	s := &Screen{
		Steps: steps.New(), Text: text.New(), Output: output.New(), Why: why.New(),
		Split: c.Split, Focus: c.Split.HomePane(), focusBehindDialogs: c.Split.HomePane(),
		drawContext: c.DrawContext, currentRun: c.CurrentRun, handleRequest: c.HandleRequest,
	}
	s.panes = [...]pane.Pane{layout.StepsPane: s.Steps, layout.TextPane: s.Text, layout.OutputPane: s.Output, layout.WhyPane: s.Why, layout.DialogPlace: nil}
	s.Searcher = &Searcher{Search: search.New(), screen: s}
	s.Mouse, s.Borders, s.Presenter = &Mouse{screen: s}, Borders{s}, &Presenter{Presentation: c.Presentation, screen: s}
	return s
}

// Pane returns a pane, nil for layout.DialogPlace.
func (s *Screen) Pane(p layout.PaneID) pane.Pane { return s.panes[p] }

// SendToPane sends a message to a pane, and carries out what it requests.
func (s *Screen) SendToPane(p layout.PaneID, msg tea.Msg) tea.Cmd {
	shown := s.Pane(p)
	if shown == nil {
		return nil
	}
	requests, _ := shown.Update(s.currentRun(), msg)
	return s.DoRequests(requests...)
}

// ToggleZoom gives the pane with focus the whole screen, or shows all panes again.
func (s *Screen) ToggleZoom() tea.Cmd {
	s.IsZoomed = !s.IsZoomed
	s.Reflow()
	return nil
}

// TakesKeysAsText reports whether keys go to a running command or to a search. A dialog that opens now must not
// receive them.
func (s *Screen) TakesKeysAsText() bool { return s.Output.IsTyping() || s.Searcher.IsEditing }

// IsCommandWaitingForInput reports whether the command in the output pane waits for input.
func (s *Screen) IsCommandWaitingForInput() bool { return s.Output.SeemsToPrompt(s.currentRun()) }

// BeginTyping sends the keys that follow to the running command.
func (s *Screen) BeginTyping() tea.Cmd {
	s.Output.BeginTyping()
	return s.FocusPane(layout.OutputPane)
}
