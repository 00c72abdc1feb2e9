package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"playhead/engine/logs"
	"playhead/parse/infile"
)

// The files and folders in a run's folder.
const (
	eventsFile  = "events.jsonl"
	tornFile    = "events.torn" // the incomplete end that was cut off the journal
	lockFile    = "lock"
	logsDir     = "logs"
	textsDir    = "texts"
	contentsDir = "contents" // the contents of files that the run changed
)

// Folder is a run's folder, for reading without the lock.
type Folder struct {
	dir      string
	snapshot string // the version of the documents; empty: the one that the run began with
}

// ID returns the run's ID.
func (f Folder) ID() string { return filepath.Base(f.dir) }

// Dir returns the folder's path.
func (f Folder) Dir() string { return f.dir }

// LogName returns the path of an action's log below the run's folder. The log is named after the
// number of the event that started the action.
func LogName(seq int) string { return fmt.Sprintf("%s/%06d.log", logsDir, seq) }

// NthLogName is like LogName, for the nth of several logs.
func NthLogName(seq, n int) string { return fmt.Sprintf("%s/%06d-%d.log", logsDir, seq, n) }

// seqOfLog returns the number of the event that a log is named after, 0 if the file is not named
// after one.
func seqOfLog(name string) (seq int) {
	if filepath.Dir(name) == logsDir {
		_, _ = fmt.Sscanf(filepath.Base(name), "%d", &seq) // the log of a tool server has no number
	}
	return seq
}

// LogFile returns the location of the log that an event names.
func (f Folder) LogFile(name string) logs.FileLocation {
	return logs.FileLocation{RunDir: f.dir, Name: name}
}

func (f Folder) eventsPath() string { return filepath.Join(f.dir, eventsFile) }

// openFile opens a file of the folder. It refuses a file outside the folder, and one that is not
// regular.
func (f Folder) openFile(name string, flags int) (*os.File, error) {
	return infile.OpenIn(f.dir, name, flags)
}

func isDiskFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// describeFullDisk adds to an error about a full disk how much space is left on the disk of path, and what to
// do. It returns other errors unchanged.
func describeFullDisk(path string, err error) error {
	if !isDiskFull(err) {
		return err
	}
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return err
	}
	block := uint64(st.Bsize)
	return fmt.Errorf("%w: free some space on the disk that holds %s (%d KiB of %d MiB free)",
		err, path, uint64(st.Bavail)*block>>10, uint64(st.Blocks)*block>>20)
}

// syncDir makes the names in a folder survive a power failure.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// jsonPath is an absolute path in JSON. Unix paths are bytes. A path that is not valid UTF-8, which
// JSON cannot represent, is quoted. An absolute path cannot begin with a quote, so the two are not
// confused.
type jsonPath string

// MarshalText returns the path as text for JSON.
func (p jsonPath) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return []byte(p), nil
	}
	return []byte(strconv.QuoteToASCII(string(p))), nil
}

// UnmarshalText reads what MarshalText wrote.
func (p *jsonPath) UnmarshalText(text []byte) error {
	s := string(text)
	if strings.HasPrefix(s, `"`) {
		var err error
		if s, err = strconv.Unquote(s); err != nil {
			return err
		}
	}
	*p = jsonPath(s)
	return nil
}

// IDs are short because people type them: four digits as long as that is enough.
const (
	shortestID       = 4
	longestID        = 16
	idTriesPerLength = 16 // with IDs of one length, before a longer one is tried
)

var idPattern = regexp.MustCompile(`^[0-9a-f]{4,16}$`)

// randomID returns random hexadecimal digits.
func randomID(digits int) string {
	b := make([]byte, longestID/2)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)[:digits]
}

// createFolder creates a folder with an ID that no run has yet. Creating the folder claims the ID, so
// two processes never share one.
func createFolder(dir string, random func(digits int) string) (string, error) {
	for digits := shortestID; digits <= longestID; digits++ {
		for range idTriesPerLength {
			path := filepath.Join(dir, random(digits))
			err := os.Mkdir(path, 0o700)
			if err == nil {
				return path, nil
			}
			if !errors.Is(err, fs.ErrExist) {
				return "", explainStoreError(dir, err)
			}
		}
	}
	return "", fmt.Errorf("no free run id is left in %s: remove old runs", dir)
}

func (s *Store) runIDs() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list the runs: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && idPattern.MatchString(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// findFolder resolves an ID, or the beginning of an ID if only one run has it.
func (s *Store) findFolder(id string) (Folder, error) {
	prefix := strings.ToLower(id)
	if idPattern.MatchString(prefix) {
		if info, err := os.Stat(filepath.Join(s.dir, prefix)); err == nil && info.IsDir() {
			return Folder{dir: filepath.Join(s.dir, prefix)}, nil
		}
	}
	ids, err := s.runIDs()
	if err != nil {
		return Folder{}, err
	}
	var found []string
	for _, known := range ids {
		if prefix != "" && strings.HasPrefix(known, prefix) {
			found = append(found, known)
		}
	}
	switch len(found) {
	case 1:
		return Folder{dir: filepath.Join(s.dir, found[0])}, nil
	case 0:
		return Folder{}, fmt.Errorf("there is no run %q: use playhead runs to list all runs", id)
	}
	return Folder{}, fmt.Errorf("several run ids begin with %q: %s", id, strings.Join(found, ", "))
}
