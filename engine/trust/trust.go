// Package trust stores which documents a person allowed to run commands.
//
// ListCommands lists what a document would execute, for a person to read and allow once. Trust belongs
// to content, not to a name: a DocumentHash covers the document, all that it includes, and what would be
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

// DocumentHash identifies the content of a document and of all documents it includes, with the tool servers
// that it would start. It covers what is executed, because the same bytes may run other commands
// when read in another format.
func DocumentHash(p *plan.Plan, servers ...Item) string {
	h := documentHasher{hashByPlan: map[*plan.Plan]string{}}
	sum := sha256.New()
	writeHashField(sum, h.hashDocument(p))
	for _, item := range ListCommands(p) {
		writeHashField(sum, item.StepID, item.Language, item.Text)
	}
	for _, item := range servers {
		writeHashField(sum, "server", item.ServerName, item.Text, item.ExactText)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// documentHasher hashes each document once, however often it is included.
type documentHasher struct{ hashByPlan map[*plan.Plan]string }

// hashDocument hashes a document's bytes, and the path and hash of each child. A child that could not
// be loaded counts as missing, so that its appearance changes the hash.
func (h documentHasher) hashDocument(p *plan.Plan) string {
	if p == nil {
		return "missing"
	}
	if sum, ok := h.hashByPlan[p]; ok {
		return sum
	}
	h.hashByPlan[p] = "included by itself" // replaced when the hash is known
	sum := sha256.New()
	writeHashField(sum, string(p.Source))
	for _, f := range p.Files {
		if !f.IsFolder {
			writeHashField(sum, string(f.Source))
		}
	}
	for _, c := range p.IncludedDocuments {
		writeHashField(sum, c.WrittenPath, h.hashDocument(c.Plan))
	}
	h.hashByPlan[p] = hex.EncodeToString(sum.Sum(nil))
	return h.hashByPlan[p]
}

// writeHashField adds texts with their lengths, so that none can be taken for a part of another.
func writeHashField(sum hash.Hash, texts ...string) {
	for _, text := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		sum.Write(n[:])
		sum.Write([]byte(text))
	}
}

// Store stores trusted hashes in a file. Several processes may use it at once.
type Store struct{ path string }

// storeEntry is what is stored with a hash, for a person who reads the file.
type storeEntry struct {
	Path      string    `json:"path"`
	TrustedAt time.Time `json:"when"`
}

// DefaultStore returns the person's own store, $XDG_STATE_HOME/playhead/trust.json.
func DefaultStore() *Store { return NewStore(filepath.Join(xdg.StateHome, "playhead", "trust.json")) }

// NewStore returns a store in a file. The file is created with the first hash.
func NewStore(file string) *Store { return &Store{file} }

// IsTrusted reports whether the store contains the hash. If the file cannot be read, no hash is trusted,
// and the error says why.
func (s *Store) IsTrusted(hash string) (bool, error) {
	entries, err := s.load()
	_, ok := entries[hash]
	return ok, err
}

// TrustsVersionOf reports whether the store contains any version of the document at a path, which must be absolute:
// earlier versions of Playhead stored paths as they were given, which may name other documents by now.
func (s *Store) TrustsVersionOf(path string) bool {
	entries, _ := s.load() // IsTrusted returns the error
	for _, e := range entries {
		if filepath.IsAbs(path) && e.Path == path {
			return true
		}
	}
	return false
}

// RefusedText says that a person who was asked did not trust a document, on the screen and in plain mode.
const RefusedText = "nothing was run: this document is not trusted. Open it again and answer yes to trust it"

// NotRecordedError returns the error that a person's trust in a document could not be stored because of err.
func NotRecordedError(err error) error {
	return fmt.Errorf("cannot record that you trust the document: %w", err)
}

// StoreTrust adds the hash of the document at path, with the time. A damaged file is renamed, and a new one is
// created.
func (s *Store) StoreTrust(hash, path string, when time.Time) error {
	if err := s.addEntry(hash, storeEntry{path, when}); err != nil {
		return NotRecordedError(err)
	}
	return nil
}

func (s *Store) addEntry(hash string, e storeEntry) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	unlock, err := s.lockStore()
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := s.load()
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = os.Rename(s.path, s.path+".damaged")
		entries = map[string]storeEntry{}
	}
	if err != nil {
		return err
	}
	entries[hash] = e
	return s.save(entries)
}

// DamagedError says that the content of the file is not what Playhead writes.
type DamagedError struct {
	File string
	Err  error
}

// Error names the file and says that no document is trusted.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged (%v): you have to trust every document again", e.File, e.Err)
}

// Unwrap returns the reader's own error.
func (e *DamagedError) Unwrap() error { return e.Err }

func (s *Store) load() (map[string]storeEntry, error) {
	entries := map[string]storeEntry{}
	data, err := infile.Read(s.path, infile.MaxStateFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return entries, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, &DamagedError{s.path, err}
	}
	if entries == nil {
		return nil, &DamagedError{s.path, errors.New("its content is null")}
	}
	return entries, nil
}

// save replaces the file. The caller holds the lock.
func (s *Store) save(entries map[string]storeEntry) error {
	data, err := json.MarshalIndent(entries, "", "  ")
	if err != nil {
		return err
	}
	return outfile.ReplaceFile(s.path, append(data, '\n'), 0o600)
}

// lockStore waits until no other process changes the store, and keeps others from changing it until unlock. It
// locks a separate file, because each change replaces the store's file.
func (s *Store) lockStore() (unlock func(), err error) {
	file, err := os.OpenFile(s.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
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
