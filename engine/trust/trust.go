// Package trust remembers which documents a person allowed to run commands.
//
// Trust is given to content, not to a name: a Hash covers the document and all
// that it includes, so an edit anywhere asks again.
package trust

import (
	"time"

	"playhead/parse/plan"
)

// Hash names the content of a document and of all documents it includes.
func Hash(p *plan.Plan) string { panic("todo") }

// Item is one thing that a document would execute. Its text is raw.
type Item struct {
	Document string
	Step     string
	Line     int
	Language string
	Text     string
}

// Commands lists what a document and those it includes would execute, in order.
func Commands(p *plan.Plan) []Item { panic("todo") }

// Store remembers trusted hashes in a file.
type Store struct{ file string }

// Default is the person's own store, in $XDG_STATE_HOME/playhead.
func Default() *Store { panic("todo") }

// NewStore remembers in file.
func NewStore(file string) *Store { return &Store{file} }

// Trusted reports whether the hash is remembered. An error says why nothing is.
func (s *Store) Trusted(hash string) (bool, error) { panic("todo") }

// Remember adds a hash.
func (s *Store) Remember(hash, path string, when time.Time) error { panic("todo") }
