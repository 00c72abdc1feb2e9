// Package journal keeps runs on disk, one folder a run.
//
//	runs/ab12/
//	  events.jsonl   what happened: one event a line, appended and never rewritten
//	  source/        the documents as they were when the run started
//	  source.json    where they came from, with their hashes
//	  logs/          what each command printed, raw; events point into them
//	  lock           held by the process that drives the run
//
// A Store is the folder of all runs. Create makes a new one and Open goes on with
// one after a crash: what a torn last line still said is put aside, and every
// event before it is there. A Folder only looks, and needs no lock.
package journal

import (
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Store is a folder of runs.
type Store struct {
	dir      string
	volatile bool
}

// Default is the person's own store, $XDG_STATE_HOME/playhead/runs.
func Default() *Store { panic("todo") }

// NewStore is the store in dir, which is made when the first run is.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// NewVolatile is a store whose runs need not survive a power failure: nothing
// waits for the disk.
func NewVolatile(dir string) *Store { return &Store{dir: dir, volatile: true} }

// Create makes the folder of a new run of p, which was loaded from startDir, and
// copies the documents into it.
func (s *Store) Create(p *plan.Plan, startDir string) (*Run, error) { panic("todo") }

// Open goes on with the run whose id is id, or begins with it.
func (s *Store) Open(id string) (*Run, History, error) { panic("todo") }

// Read looks at a run that may be in use.
func (s *Store) Read(id string) (History, error) { panic("todo") }

// Remove deletes a run that is not in use.
func (s *Store) Remove(id string) error { panic("todo") }

// List summarises all runs, newest first.
func (s *Store) List() ([]Summary, error) { panic("todo") }

// Summary is a run as `playhead runs` lists it (contract.md).
type Summary struct {
	Run     string    `json:"run"`
	Path    string    `json:"path,omitempty"`
	Format  string    `json:"format,omitempty"`
	Title   string    `json:"title,omitempty"`
	Result  string    `json:"result,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	Step    string    `json:"step,omitempty"`
}

// History is what a run's journal says.
type History struct {
	Folder
	Events []machine.Event
	Notes  []string // what a person should know: a torn last line
}

// Folder is a run's folder, looked at without a lock.
type Folder struct{ dir string }

// ID is the run's short name.
func (f Folder) ID() string { panic("todo") }

// Dir is the folder's path.
func (f Folder) Dir() string { return f.dir }

// LogName is the name, below the run's folder, of the log of the action that the
// event of that number started.
func LogName(seq int) string { panic("todo") }

// LogPath is where the log is that an event names.
func (f Folder) LogPath(file string) (string, error) { panic("todo") }

// Source says where the copies of the run's documents are.
func (f Folder) Source() (Source, error) { panic("todo") }

// Changed lists the documents that are no longer as the run has them.
func (f Folder) Changed() ([]Change, error) { panic("todo") }

// Source is where a run's documents are: the copies to load, and the originals.
type Source struct {
	Document, Start                 string // the copied root document, and the start directory to load it with
	OriginalDocument, OriginalStart string // absolute
}

// Change is a document that is no longer as the run has it.
type Change struct {
	Path string // the original
	Gone bool   // it cannot be read any more
}

// Run is a run that this process drives: its folder, locked.
type Run struct{ Folder }

// Append writes one event. After an error it only repeats the error.
func (r *Run) Append(e machine.Event) error { panic("todo") }

// Sync waits until all events are on the disk.
func (r *Run) Sync() error { panic("todo") }

// Mask keeps values out of the journal from here on.
func (r *Run) Mask(values ...string) { panic("todo") }

// Close gives the run free.
func (r *Run) Close() error { panic("todo") }
