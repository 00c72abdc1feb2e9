package plan

// Aliases are what a configuration says of models that a document can name.
type Aliases struct {
	Names []string // those that it maps
	Usual bool     // there is one to ask in the place of others
}
