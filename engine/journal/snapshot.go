package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"playhead/parse/infile"
)

// A run that continues with another version of its documents keeps that version beside the first
// one, in source.1/ with source.1.json, and so on. Each version is complete. Unchanged files are
// hard links.

// AtSnapshot returns the folder with another version of the documents: the one with a name that StoreSources
// returned, or the first one for "".
func (f Folder) AtSnapshot(name string) Folder {
	f.snapshot = name
	return f
}

// firstSourceDir is the folder of the version that the run began with.
const firstSourceDir = "source"

var snapshotPattern = regexp.MustCompile(`^source\.[0-9]+$`)

// sourceDir returns the folder of the version, and manifestFile the file that describes it.
func (f Folder) sourceDir() string    { return cmp.Or(f.snapshot, firstSourceDir) }
func (f Folder) manifestFile() string { return f.sourceDir() + ".json" }

// EditedSources returns the version of the documents with new contents for some files. The keys are the
// absolute paths of the copies.
func (f Folder) EditedSources(contents map[string][]byte) (Sources, error) {
	m, err := f.manifest()
	if err != nil {
		return Sources{}, err
	}
	s := Sources{manifest: m}
	s.Files = make([]originalFile, len(m.Files))
	for i, file := range m.Files {
		at, err := f.copyPath(m, file.copiedPath())
		if err != nil {
			return s, err
		}
		data, changed := contents[at]
		if !changed {
			if data, err = infile.Read(at, infile.MaxStateFileSize); err != nil {
				return s, err
			}
		}
		file.SHA256 = sha256Hex(data)
		s.Files[i] = file
		s.contents = append(s.contents, data)
	}
	return s, nil
}

// ContentsByPath returns the contents of the version's files by their original paths.
func (f Folder) ContentsByPath() (map[string][]byte, error) {
	s, err := f.EditedSources(nil)
	out := make(map[string][]byte, len(s.Files))
	for i, file := range s.Files {
		if i < len(s.contents) {
			out[string(file.Path)] = s.contents[i]
		}
	}
	return out, err
}

// StoreSources writes another version of the run's documents to the disk and returns the name of its
// snapshot.
func (r *Run) StoreSources(s Sources) (snapshot string, err error) {
	for n := 1; ; n++ {
		f := r.Folder.AtSnapshot(fmt.Sprintf("%s.%d", firstSourceDir, n))
		err := os.Mkdir(filepath.Join(r.dir, f.sourceDir()), 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			s.copyByPathAndHash = r.copyByPathAndHash()
			err = s.writeTo(f, !r.isVolatile)
		}
		if err == nil && !r.isVolatile {
			err = syncDir(r.dir)
		}
		if err != nil {
			return "", fmt.Errorf("run %s: cannot store its copy of the document: %w", r.ID(), describeFullDisk(r.dir, err))
		}
		return f.snapshot, nil
	}
}

// copyByPathAndHash returns the copies in all versions, by their path in the version and their hash.
func (f Folder) copyByPathAndHash() map[string]string {
	out := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(f.dir, firstSourceDir+"*.json"))
	for _, name := range names {
		version := f.AtSnapshot(strings.TrimSuffix(filepath.Base(name), ".json"))
		if version.snapshot == firstSourceDir {
			version.snapshot = ""
		}
		m, err := version.manifest()
		if err != nil {
			continue // it is written again
		}
		for _, file := range m.Files {
			if at, err := version.copyPath(m, file.copiedPath()); err == nil {
				out[string(file.Path)+"\x00"+file.SHA256] = at
			}
		}
	}
	return out
}
