// Package tui is Playhead's screen: one Bubble Tea program that shows a run and
// lets a person drive it.
//
// The screen answers four questions, each in its place: where the run is (the
// tree, left), what happens (the step's text above its output, right), why it
// went there (the routes, bottom right) and what can be done now (the last line).
// Questions to a person open as a dialog over the lower right, never over the tree.
//
// There is one tea.Model. It routes messages, and connects the session with the screen (tui/screen),
// which has the panes, the dialogs, the focus and the layout. Panes (tui/pane) and dialogs
// (tui/dialog) are components: they read the run, keep their own state and lines, and return what
// they want done. Update does no I/O: session.Pump brings what the session did, output.Reader brings
// the visible part of a log, and calls to the session go out through a queue, in order. Whatever
// comes from a document, a command or a journal is sanitised on its way to a pane.
//
// Start reading at model.go; actions.go says what each action of the key map does.
package tui
