package journal

import (
	"fmt"
	"os"
	"path/filepath"

	"playhead/engine/logs"
	"playhead/parse/infile"
)

// What a run's folder holds.
const (
	eventsFile   = "events.jsonl"
	tornFile     = "events.torn" // what was dropped from the journal's end
	lockFile     = "lock"
	logsDir      = "logs"
	textsDir     = "texts"
	sourceDir    = "source"
	manifestFile = "source.json"
)

// Folder is a run's folder, looked at without a lock.
type Folder struct{ dir string }

// ID is the run's short name.
func (f Folder) ID() string { return filepath.Base(f.dir) }

// Dir is the folder's path.
func (f Folder) Dir() string { return f.dir }

// LogName names the log of an action, below the run's folder, by the seq of the
// event that started it.
func LogName(seq int) string { return fmt.Sprintf("%s/%06d.log", logsDir, seq) }

// NthLogName names the n-th log of an action of which there are several.
func NthLogName(seq, n int) string { return fmt.Sprintf("%s/%06d-%d.log", logsDir, seq, n) }

// logSeq is the number of the event that a log is named by, 0 for a file that is none.
func logSeq(name string) (seq int) {
	if filepath.Dir(name) == logsDir {
		_, _ = fmt.Sscanf(filepath.Base(name), "%d", &seq) // a tool server's has no number
	}
	return seq
}

// LogFile is where the log is that an event names.
func (f Folder) LogFile(name string) logs.File { return logs.File{Dir: f.dir, Name: name} }

func (f Folder) events() string { return filepath.Join(f.dir, eventsFile) }

// open opens a file of the folder. What is elsewhere, or is no regular file, is refused.
func (f Folder) open(name string, flags int) (*os.File, error) {
	return infile.OpenIn(f.dir, name, flags)
}
