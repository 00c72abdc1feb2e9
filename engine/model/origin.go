package model

import "slices"

// Manual is the name of the source that is a person.
const Manual = "manual"

// Origin is a source that a person can choose by its name.
type Origin struct {
	Name  string                 // as --source takes it: openai, replay:7f3a
	About string                 // what there is to know of it, in a few words
	Open  func() (Source, error) // makes it ready

	Stored bool // no model is asked: its replies are there already
}

// Offered are sources to choose from, and last of all a person.
func Offered(sources []Origin) []Origin {
	return append(slices.Clip(sources), Origin{Name: Manual, About: "you reply"})
}
