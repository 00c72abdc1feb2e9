// Package trust stores which documents a person allowed to run commands.
//
// Commands lists what a document would execute, for a person to read and allow once. Trust belongs
// to content, not to a name: a Hash covers the document, all that it includes, and what would be
// executed, so the person is asked again after any edit. A document that executes nothing needs no
// trust.
package trust

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/sys/unix"

	"playhead/engine/outfile"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Hash identifies the content of a document and of all documents it includes, with the tool servers
// that it would start. It covers what is executed, because the same bytes may run other commands
// when read in another format.
func Hash(p *plan.Plan, servers ...Item) string {
	h := hasher{sums: map[*plan.Plan]string{}}
	sum := sha256.New()
	field(sum, h.document(p))
	for _, item := range Commands(p) {
		field(sum, item.StepID, item.Language, item.Text)
	}
	for _, item := range servers {
		field(sum, "server", item.Server, item.Text, item.Exact)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// hasher hashes each document once, however often it is included.
type hasher struct{ sums map[*plan.Plan]string }

// document hashes a document's bytes, and the path and hash of each child. A child that could not
// be loaded counts as missing, so that its appearance changes the hash.
func (h hasher) document(p *plan.Plan) string {
	if p == nil {
		return "missing"
	}
	if sum, ok := h.sums[p]; ok {
		return sum
	}
	h.sums[p] = "included by itself" // replaced when the hash is known
	sum := sha256.New()
	field(sum, string(p.Source))
	for _, f := range p.Files {
		if !f.Folder {
			field(sum, string(f.Source))
		}
	}
	for _, c := range p.Children {
		field(sum, c.Path, h.document(c.Plan))
	}
	h.sums[p] = hex.EncodeToString(sum.Sum(nil))
	return h.sums[p]
}

// field adds texts with their lengths, so that none can be taken for a part of another.
func field(sum hash.Hash, texts ...string) {
	for _, text := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		sum.Write(n[:])
		sum.Write([]byte(text))
	}
}

// Store stores trusted hashes in a file. Several processes may use it at once.
type Store struct{ file string }

// entry is what is stored with a hash, for a person who reads the file.
type entry struct {
	Path string    `json:"path"`
	When time.Time `json:"when"`
}

// Default returns the person's own store, $XDG_STATE_HOME/playhead/trust.json.
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

// Remember adds the hash of the document at path. A damaged file is put aside and a new one begun.
func (s *Store) Remember(hash, path string, when time.Time) error {
	if err := s.remember(hash, entry{path, when}); err != nil {
		return fmt.Errorf("cannot store the trust: %w", err)
	}
	return nil
}

func (s *Store) remember(hash string, e entry) error {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := s.load()
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = os.Rename(s.file, s.file+".damaged")
		entries = map[string]entry{}
	}
	if err != nil {
		return err
	}
	entries[hash] = e
	return s.save(entries)
}

// DamagedError says that the file is not one that Playhead wrote.
type DamagedError struct {
	File string
	Err  error
}

// Error names the file and says that no document is trusted.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged (%v): no document is trusted until you trust it again", e.File, e.Err)
}

// Unwrap returns the reader's own error.
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
		return nil, &DamagedError{s.file, errors.New("it contains null")}
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
