// Package tui is Playhead's screen: one Bubble Tea program that shows a run and
// lets a person drive it.
//
// The screen answers four questions, each in its place: where the run is (the
// tree, left), what happens (the step's text above its output, right), why it
// went there (the routes, bottom right) and what can be done now (the last line).
// Questions to a person open as a dialog over the lower right, never over the tree.
//
// There is one tea.Model. Panes are plain structs with methods that return lines;
// a pane's lines are kept until something it shows has changed. Update does no
// I/O: the pump brings what the session did, the reader brings the visible part
// of a log, and calls to the session go out through a queue, in order. Whatever
// comes from a document, a command or a journal is sanitised on its way to a pane.
//
// What knows nothing of a run stands below, in packages that are tried by themselves:
// cells and draw, what everything is drawn with; panes, list and form, what it is put
// in; front, the screen before a run.
//
// Start reading at model.go; actions.go is the one table of keys.
package tui
