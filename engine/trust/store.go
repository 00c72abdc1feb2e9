package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Store remembers trusted hashes in a file. It may be used by several processes
// at once.
type Store struct{ file string }

// entry is what is kept with a hash, for the person who looks into the file.
type entry struct {
	Path string    `json:"path"`
	When time.Time `json:"when"`
}

// Default is the person's own store, $XDG_STATE_HOME/playhead/trust.json.
func Default() *Store { return NewStore(filepath.Join(xdg.StateHome, "playhead", "trust.json")) }

// NewStore remembers in file, which is made when there is something to remember.
func NewStore(file string) *Store { return &Store{file} }

// Trusted reports whether the hash is remembered. A file that cannot be read
// trusts nothing; the error says why, for a note to the person.
func (s *Store) Trusted(hash string) (bool, error) {
	entries, err := s.load()
	_, ok := entries[hash]
	return ok, err
}

// Remember adds the hash of the document at path. A damaged file is put aside and
// a new one begun.
func (s *Store) Remember(hash, path string, when time.Time) error {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	unlock, err := s.lock()
	if err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	defer unlock()
	entries, err := s.load()
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = os.Rename(s.file, s.file+".damaged")
		entries = map[string]entry{}
	}
	if err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	entries[hash] = entry{path, when}
	if err := s.save(entries); err != nil {
		return fmt.Errorf("cannot remember the trust: %w", err)
	}
	return nil
}

// DamagedError says that the file is not one that Playhead wrote.
type DamagedError struct {
	File string
	Err  error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged (%v): no document is trusted until you say so again", e.File, e.Err)
}

// Unwrap is the reader's own error.
func (e *DamagedError) Unwrap() error { return e.Err }

func (s *Store) load() (map[string]entry, error) {
	entries := map[string]entry{}
	data, err := infile.Read(s.file, infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, &DamagedError{s.file, err}
	}
	if entries == nil {
		return nil, &DamagedError{s.file, errors.New("it holds null")}
	}
	return entries, nil
}

// save replaces the file.
func (s *Store) save(entries map[string]entry) error {
	data, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return err
	}
	return outfile.Replace(s.file, append(data, '\n'), 0o600)
}

// lock keeps other processes from reading what is about to be replaced. The lock
// is a file of its own, since the store's file is another one after each change.
func (s *Store) lock() (unlock func(), err error) {
	file, err := os.OpenFile(s.file+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}
