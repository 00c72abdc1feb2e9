package parse

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"sync"

	"playhead/parse/climpt"
	"playhead/parse/climpt/registry"
	"playhead/parse/climpt/stepflow"
	"playhead/parse/plan"
)

// parseClimpt parses agent.json or a registry, and the files that it names, in the dialect of the registry.
func (l *loader) parseClimpt(file []byte) *plan.Plan {
	f := climpt.Open(l.givenPath, l.readPath, file, climptDisk{l.disk, &sync.Map{}}, l.Flags, climpt.Dialect(l.Format))
	f.ModelAliases = l.ModelAliases
	switch f.Dialect {
	case climpt.Stepflow:
		return stepflow.Parse(f)
	case climpt.Registry:
		return registry.Parse(f)
	}
	return f.FinishPlan(f.NewPlan())
}

// adaptClimptDiagnostic changes the codes for files that cannot be read to those of Climpt.
func adaptClimptDiagnostic(d *plan.Diagnostic, _ bool) {
	switch path.Base(d.Code) {
	case "unreadable":
		d.Code = climpt.CodePrefix + "file-not-found"
	case "too-large":
		d.Code = climpt.CodePrefix + "bad-json"
	}
}

// claimClimpt claims every JSON file: no other format uses JSON, and the dialects can say what is
// missing.
func claimClimpt(name string, _ []byte) claimStrength {
	if isJSONName(name) {
		return claimedByForm
	}
	return notClaimed
}

// climptDisk is a fileSystem as a climpt.Disk. It caches the real paths of folders, because a registry names
// many files in few folders.
type climptDisk struct {
	disk            fileSystem
	realFolderPaths *sync.Map // real paths by name; values are strings
}

// Read implements climpt.Disk.
func (d climptDisk) Read(name string, limit int64) ([]byte, error) {
	return errorFromProblem(readFile(d.disk, name, limit))
}

// ReadIn implements climpt.Disk.
func (d climptDisk) ReadIn(folder, real string, limit int64) ([]byte, error) {
	return errorFromProblem(readFile(folderFileSystem{d.disk, folder}, real, limit))
}

// folderFileSystem is a fileSystem that opens only files below a folder.
type folderFileSystem struct {
	fileSystem
	folder string
}

func (f folderFileSystem) open(name string) (fs.File, error) { return f.openIn(f.folder, name) }

// errorFromProblem converts a problem of reading to an error for a diagnostic.
func errorFromProblem(file []byte, problem *loadProblem) ([]byte, error) {
	switch {
	case problem == nil:
		return file, nil
	case errors.Is(problem.cause, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	}
	return nil, errors.New(problem.message)
}

// Abs implements climpt.Disk.
func (d climptDisk) Abs(name string) string { return d.disk.abs(name) }

// Real implements climpt.Disk.
func (d climptDisk) Real(name string) (string, error) {
	abs := d.disk.abs(name)
	real, err := d.realFolderPath(d.disk.dir(abs))
	if err == nil {
		real, err = d.disk.realPathIn(real, filepath.Base(abs))
	}
	if err != nil {
		_, err = errorFromProblem(nil, problemFromError(err))
	}
	return real, err
}

// realFolderPath returns the path of a folder with all links followed. It caches the path of each parent.
func (d climptDisk) realFolderPath(abs string) (string, error) {
	if real, ok := d.realFolderPaths.Load(abs); ok {
		return real.(string), nil
	}
	above := d.disk.dir(abs)
	if above == abs {
		return abs, nil
	}
	dir, err := d.realFolderPath(above)
	if err != nil {
		return "", err
	}
	real, err := d.disk.realPathIn(dir, filepath.Base(abs))
	if err == nil {
		d.realFolderPaths.Store(abs, real)
	}
	return real, err
}

// Join implements climpt.Disk.
func (d climptDisk) Join(dir, name string) string { return d.disk.join(dir, name) }

// Dir implements climpt.Disk.
func (d climptDisk) Dir(name string) string { return d.disk.dir(name) }

// Below implements climpt.Disk.
func (d climptDisk) Below(dir, name string) bool {
	_, ok := d.disk.relativeTo(dir, name)
	return ok || filepath.Clean(dir) == filepath.Clean(name)
}
