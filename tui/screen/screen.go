// Package screen arranges what a person sees of a run: the panes and the dialogs, their places, which
// of them has the focus, what is searched in them and what the mouse does there. It knows the run as
// they do, through a runview.Run, and does what they request of the screen. Every other request
// leaves it through Fulfil.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/pane"
	"playhead/tui/pane/output"
	"playhead/tui/pane/steps"
	"playhead/tui/pane/text"
	"playhead/tui/pane/why"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Screen is the panes and the dialogs on the screen.
type Screen struct {
	Steps   *steps.Pane
	Text    *text.Pane
	Output  *output.Pane
	Why     *why.Pane
	Finder  *Finder
	Mouse   *Mouse
	Borders Borders

	Layout       panes.Layout
	Split        panes.Split
	Focus        panes.Pane
	Zoom         bool
	Presentation present.Presentation
	Dialogs      []dialog.Dialog // the last one is on top
	Notice       string          // to know before the run, as long as no dialog asks; empty: nothing

	OutputShown bool // the summary has the whole final output above it
	textCut     bool // while presenting: the last frame has a part of the text above a question

	look   *draw.Look
	want   panes.Needs // that the layout was made for
	backTo panes.Pane  // where the focus goes when the last dialog is closed
	run    func() *runview.Run
	fulfil func(tea.Msg) tea.Cmd
}

// Config is what a Screen needs of the program around it.
type Config struct {
	Look         *draw.Look
	Split        panes.Split
	Presentation present.Presentation
	Run          func() *runview.Run   // returns the run as it is
	Fulfil       func(tea.Msg) tea.Cmd // carries out a request that does not concern the screen
}

// New returns a screen without dialogs.
func New(c Config) *Screen {
	s := &Screen{
		Steps: steps.New(), Text: text.New(), Output: output.New(), Why: why.New(),
		Split: c.Split, Focus: c.Split.Home(), backTo: c.Split.Home(), Presentation: c.Presentation,
		look: c.Look, run: c.Run, fulfil: c.Fulfil,
	}
	s.Finder = &Finder{Search: search.New(), screen: s}
	s.Mouse, s.Borders = &Mouse{screen: s}, Borders{s}
	return s
}

// Pane returns a pane; nil: the place of dialogs.
func (s *Screen) Pane(p panes.Pane) pane.Pane {
	switch p {
	case panes.Steps:
		return s.Steps
	case panes.Text:
		return s.Text
	case panes.Output:
		return s.Output
	case panes.Why:
		return s.Why
	}
	return nil
}

// TellPane hands a message to a pane, and does what that requests.
func (s *Screen) TellPane(p panes.Pane, msg tea.Msg) tea.Cmd {
	shown := s.Pane(p)
	if shown == nil {
		return nil
	}
	requests, _ := shown.Update(s.run(), msg)
	return s.Do(requests...)
}

// Scroll moves the lines of a pane, or what is selected in it.
func (s *Screen) Scroll(p panes.Pane, by int) tea.Cmd { return s.TellPane(p, pane.Move{By: by}) }

// ToggleZoom gives the pane with focus the whole screen, or shows all panes again.
func (s *Screen) ToggleZoom() tea.Cmd {
	s.Zoom = !s.Zoom
	s.Reflow()
	return nil
}

// IsWriting reports whether keys go to the command or to a search: a dialog that opens must not
// take them.
func (s *Screen) IsWriting() bool { return s.Output.IsTyping() || s.Finder.Editing }

// IsPrompted reports whether a person may type into the pane's command, which waits for it.
func (s *Screen) IsPrompted() bool { return s.Output.Prompts(s.run()) }

// BeginTyping sends what is typed to the running command from now on.
func (s *Screen) BeginTyping() tea.Cmd {
	s.Output.BeginTyping()
	return s.FocusPane(panes.Output)
}
