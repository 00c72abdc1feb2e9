package model

// Manual is the name of the source that is a person.
const Manual = "manual"

// Origin is a source that a person can choose by its name.
type Origin struct {
	Name  string                 // as --source takes it: openai, replay:7f3a
	About string                 // what there is to know of it, in a few words
	Open  func() (Source, error) // makes it ready
}
