package main

import (
	"io"

	"playhead/engine/sanitize"
)

// json is where JSON is printed: on a terminal too it is nothing but text.
func (a *app) json() io.Writer { return inert{a.out} }

// inert escapes in JSON what would steer a terminal. It takes whole values.
type inert struct{ io.Writer }

func (w inert) Write(p []byte) (int, error) {
	_, err := w.Writer.Write(sanitize.JSON(p))
	return len(p), err
}
