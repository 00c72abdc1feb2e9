package plan

// Flag is an option with which a format loads a document differently. The command
// line offers it, and keeps what was said for a run that is resumed.
type Flag struct {
	Name string
	Help string
	Kind FlagKind
	Path bool // the value names a file or folder, which the run keeps a copy of

	// Pair, if set, says that the value is NAME=VALUE, and which names there can be.
	Pair func(name string) bool

	// Stdin, if set, is the flag that holds the text of standard input where the
	// value is -.
	Stdin string
}

// FlagKind says how a Flag is given.
type FlagKind int

const (
	// Once takes a value; the last one counts.
	Once FlagKind = iota
	// Many takes a value each time.
	Many
	// Switch takes none.
	Switch
)
