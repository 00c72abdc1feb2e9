package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"playhead/parse/infile"
)

// Source says where the copies of a run's documents are, and where the originals were.
type Source struct {
	Document, Start                 string // the copy of the root document, and the start directory with which to load it
	OriginalDocument, OriginalStart string // absolute
}

// manifest is the content of source.json. source/ mirrors the folder Base but contains only the
// documents. They keep their positions relative to each other and to the start directory, so that a
// copy finds the same children as its original.
type manifest struct {
	Base     pathname   `json:"base"`
	Document pathname   `json:"document"`
	Start    pathname   `json:"start"`
	Files    []original `json:"files"`
	Fork     string     `json:"fork_of,omitempty"` // the run that this one is a fork of
	ForkedAt time.Time  `json:"forked,omitzero"`
}

type original struct {
	Path   pathname `json:"path"`
	Place  pathname `json:"place,omitempty"` // the path that the copy stands for, if it is not Path
	SHA256 string   `json:"sha256"`
}

// place returns the path that the file's copy stands for.
func (o original) place() pathname { return cmp.Or(o.Place, o.Path) }

// Source returns where the copies of the run's documents are.
func (f Folder) Source() (Source, error) {
	m, err := f.manifest()
	if err != nil {
		return Source{}, err
	}
	document, err := f.copyOf(m, m.Document)
	if err != nil {
		return Source{}, err
	}
	start, err := f.copyOf(m, m.Start)
	return Source{document, start, string(m.Document), string(m.Start)}, err
}

// Copy returns the path of the copy of a file or folder that the document was made from. The path
// is absolute.
func (f Folder) Copy(path string) (string, error) {
	m, err := f.manifest()
	if err != nil {
		return "", err
	}
	return f.copyOf(m, pathname(filepath.Clean(path)))
}

// Original returns the path of the file from which a copy in the run's folder was made. Both paths
// are absolute. A path outside the folder is returned unchanged.
func (f Folder) Original(path string) (string, error) {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path, nil
	}
	source, below, _ := strings.Cut(filepath.ToSlash(rel), "/")
	if source != firstSource {
		f = f.Snapshot(source)
	}
	m, err := f.manifest()
	return filepath.Join(string(m.Base), filepath.FromSlash(below)), err
}

func (f Folder) manifest() (manifest, error) {
	var m manifest
	if f.snapshot != "" && !snapshotShape.MatchString(f.snapshot) {
		return m, fmt.Errorf("run %s: its document has no version %q", f.ID(), f.snapshot)
	}
	path := filepath.Join(f.dir, f.manifestFile())
	data, err := infile.ReadIn(f.dir, f.manifestFile(), infile.State)
	if err != nil {
		return m, fmt.Errorf("run %s: cannot read which document it ran: %w", f.ID(), err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("run %s: cannot read which document it ran: %s: %w", f.ID(), path, err)
	}
	return m, nil
}

// copyOf returns the path of an original's copy below source/.
func (f Folder) copyOf(m manifest, path pathname) (string, error) {
	rel, err := filepath.Rel(string(m.Base), string(path))
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("run %s: %s is damaged: %s is not below %s", f.ID(), filepath.Join(f.dir, f.manifestFile()), path, m.Base)
	}
	return filepath.Join(f.dir, f.sourceDir(), rel), nil
}

// write copies the documents into the run's folder.
func (s Sources) write(f Folder, sync bool) error {
	for _, folder := range append(s.folders, string(s.Start)) {
		to, err := f.copyOf(s.manifest, pathname(folder))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
	}
	for i, file := range s.Files {
		to, err := f.copyOf(s.manifest, file.place())
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if same := s.copies[string(file.Path)+"\x00"+file.SHA256]; same != "" && os.Link(same, to) == nil {
			continue
		}
		if err := writeFile(to, s.data[i], sync); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(s.manifest, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(f.dir, f.manifestFile()), append(data, '\n'), sync)
}

func writeFile(path string, data []byte, sync bool) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && sync {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// Hashes returns the hashes of the run's documents by their original paths.
func (f Folder) Hashes() (map[string]string, error) {
	m, err := f.manifest()
	if err != nil {
		return nil, err
	}
	sums := make(map[string]string, len(m.Files))
	for _, file := range m.Files {
		sums[string(file.Path)] = file.SHA256
	}
	return sums, nil
}

// Change is a document that differs from the run's copy.
type Change struct {
	Path string // of the original
	Gone bool   // the file cannot be read any more
}

// String returns a sentence about what happened to the file.
func (c Change) String() string {
	if c.Gone {
		return c.Path + " cannot be read any more"
	}
	return c.Path + " has changed"
}

// Changed lists the documents that differ from the run's copies.
func (f Folder) Changed() ([]Change, error) {
	m, err := f.manifest()
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, file := range m.Files {
		sum, err := hashFile(string(file.Path))
		if err != nil || sum != file.SHA256 {
			changes = append(changes, Change{string(file.Path), err != nil})
		}
	}
	return changes, nil
}

func hashFile(path string) (string, error) {
	file, err := infile.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// inside reports whether path is dir or below it.
func inside(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
