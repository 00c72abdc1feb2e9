package wording

import (
	"playhead/engine/match"
	"playhead/engine/sanitize"
)

// Change returns a change of a document on one line, such as "3 Deploy: text, 1 route".
func Change(c match.Change) string {
	s := c.Step()
	if s == nil {
		return sanitize.Plain(c.Describe())
	}
	name := s.ID
	if s.Title != "" && s.Title != s.ID {
		name += " " + s.Title
	}
	return sanitize.Plain(name + ": " + c.Describe())
}
