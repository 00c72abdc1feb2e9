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

// SourcePaths says where the copies of a run's documents are, and where the originals were.
type SourcePaths struct {
	DocumentCopy, StartFolderCopy         string // the copy of the root document, and the start directory with which to load it
	OriginalDocument, OriginalStartFolder string // absolute
}

// manifest is the content of source.json. source/ mirrors the folder BaseFolder but contains only the
// documents. They keep their positions relative to each other and to the start directory, so that a
// copy finds the same children as its original.
type manifest struct {
	BaseFolder    jsonPath       `json:"base"`
	Document      jsonPath       `json:"document"`
	StartFolder   jsonPath       `json:"start"`
	Files         []originalFile `json:"files"`
	OriginalRunID string         `json:"fork_of,omitempty"` // the run that this one is a fork of
	ForkedAt      time.Time      `json:"forked,omitzero"`
}

type originalFile struct {
	Path   jsonPath `json:"path"`
	Place  jsonPath `json:"place,omitempty"` // the path that the copy stands for, if it is not Path
	SHA256 string   `json:"sha256"`
}

// copiedPath returns the path that the file's copy stands for.
func (o originalFile) copiedPath() jsonPath { return cmp.Or(o.Place, o.Path) }

// SourcePaths returns where the copies of the run's documents are.
func (f Folder) SourcePaths() (SourcePaths, error) {
	m, err := f.manifest()
	if err != nil {
		return SourcePaths{}, err
	}
	document, err := f.copyPath(m, m.Document)
	if err != nil {
		return SourcePaths{}, err
	}
	start, err := f.copyPath(m, m.StartFolder)
	return SourcePaths{document, start, string(m.Document), string(m.StartFolder)}, err
}

// CopyPath returns the path of the copy of a file or folder that the document was made from. The path
// is absolute.
func (f Folder) CopyPath(path string) (string, error) {
	m, err := f.manifest()
	if err != nil {
		return "", err
	}
	return f.copyPath(m, jsonPath(filepath.Clean(path)))
}

// OriginalPath returns the path of the file from which a copy in the run's folder was made. Both paths
// are absolute. A path outside the folder is returned unchanged.
func (f Folder) OriginalPath(path string) (string, error) {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path, nil
	}
	source, below, _ := strings.Cut(filepath.ToSlash(rel), "/")
	if source != firstSourceDir {
		f = f.AtSnapshot(source)
	}
	m, err := f.manifest()
	return filepath.Join(string(m.BaseFolder), filepath.FromSlash(below)), err
}

func (f Folder) manifest() (manifest, error) {
	var m manifest
	if f.snapshot != "" && !snapshotPattern.MatchString(f.snapshot) {
		return m, fmt.Errorf("run %s: its document has no version %q", f.ID(), f.snapshot)
	}
	path := filepath.Join(f.dir, f.manifestFile())
	data, err := infile.ReadIn(f.dir, f.manifestFile(), infile.MaxStateFileSize)
	if err != nil {
		return m, fmt.Errorf("run %s: cannot determine which document it ran: %w", f.ID(), err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("run %s: cannot determine which document it ran: %s: %w", f.ID(), path, err)
	}
	return m, nil
}

// copyPath returns the path of an original's copy below source/.
func (f Folder) copyPath(m manifest, path jsonPath) (string, error) {
	rel, err := filepath.Rel(string(m.BaseFolder), string(path))
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("run %s: %s is damaged: %s is not below %s", f.ID(), filepath.Join(f.dir, f.manifestFile()), path, m.BaseFolder)
	}
	return filepath.Join(f.dir, f.sourceDir(), rel), nil
}

// writeTo copies the documents into the run's folder.
func (s Sources) writeTo(f Folder, sync bool) error {
	for _, folder := range append(s.emptyFolders, string(s.StartFolder)) {
		to, err := f.copyPath(s.manifest, jsonPath(folder))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(to, 0o700); err != nil {
			return err
		}
	}
	for i, file := range s.Files {
		to, err := f.copyPath(s.manifest, file.copiedPath())
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if same := s.copyByPathAndHash[string(file.Path)+"\x00"+file.SHA256]; same != "" && os.Link(same, to) == nil {
			continue
		}
		if err := writeFile(to, s.contents[i], sync); err != nil {
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

// HashByPath returns the hashes of the run's documents by their original paths.
func (f Folder) HashByPath() (map[string]string, error) {
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

// DocumentChange is a document that differs from the run's copy.
type DocumentChange struct {
	Path   string // of the original
	IsGone bool   // the file cannot be read any more
}

// String returns a sentence about what happened to the file.
func (c DocumentChange) String() string {
	if c.IsGone {
		return c.Path + " cannot be read any more"
	}
	return c.Path + " has changed"
}

// ChangedDocuments lists the documents that differ from the run's copies.
func (f Folder) ChangedDocuments() ([]DocumentChange, error) {
	m, err := f.manifest()
	if err != nil {
		return nil, err
	}
	var changes []DocumentChange
	for _, file := range m.Files {
		sum, err := hashFile(string(file.Path))
		if err != nil || sum != file.SHA256 {
			changes = append(changes, DocumentChange{string(file.Path), err != nil})
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

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isInside reports whether path is dir or below it.
func isInside(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
