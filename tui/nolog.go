package tui

import (
	"context"

	"playhead/engine/logs"
)

// noLog is a log with nothing in it, of what never got as far as to have one. It is no
// empty struct, so that two of them differ.
type noLog struct{ _ byte }

func (*noLog) Size() (int64, int)               { return 0, 0 }
func (*noLog) Lines(int, int) ([]string, error) { return nil, nil }
func (*noLog) Text(int) string                  { return "" }
func (*noLog) Watch() <-chan struct{}           { return nil }
func (*noLog) Unwatch(<-chan struct{})          {}
func (*noLog) Count(context.Context, logs.Matcher, int) (before, all int, err error) {
	return 0, 0, nil
}
func (*noLog) Search(context.Context, logs.Matcher, int, logs.Direction) (int, bool, error) {
	return 0, false, nil
}
