package layout

import "playhead/tui/keymap"

// PaneID identifies a pane. Its number is its key.
type PaneID int

// The panes. DialogPlace is that of dialogs, over the lower right; NoPane is none of them.
const (
	NoPane PaneID = iota
	StepsPane
	TextPane
	OutputPane
	WhyPane
	DialogPlace
)

// PaneKind describes a pane where all panes are treated alike.
type PaneKind struct {
	Name  string       // in the configuration and on tabs; also the action that shows the pane
	Noun  string       // in a sentence
	Scope keymap.Scope // the scope of its keys
}

// PaneKinds describes each pane, and the place of dialogs.
var PaneKinds = [DialogPlace + 1]PaneKind{
	StepsPane:   {"steps", "the steps", keymap.StepsScope},
	TextPane:    {"text", "the text", keymap.TextScope},
	OutputPane:  {"output", "the output", keymap.OutputScope},
	WhyPane:     {"why", "the why pane", keymap.WhyScope},
	DialogPlace: {Name: "dialog", Noun: "the dialog"},
}

// AllPanes lists the panes in the order of their keys.
var AllPanes = []PaneID{StepsPane, TextPane, OutputPane, WhyPane}
