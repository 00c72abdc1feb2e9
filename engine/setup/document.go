package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"playhead/engine"
	"playhead/engine/filewatch"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/examples"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Load loads a document. Problems with the file are diagnostics of the plan, whose path is as
// given. Load returns an error only for a built-in example that cannot be unpacked.
func Load(file string, o parse.Options) (*plan.Plan, error) {
	path, err := ResolveFile(file)
	if err != nil {
		return nil, err
	}
	p := parse.Load(path, o)
	p.Path = file
	return p, nil
}

// LoadForReading loads a document that is shown and not run, as if its inputs had values.
func LoadForReading(file string) (*plan.Plan, error) {
	options := parse.Options{Flags: map[string][]string{}}
	p, err := Load(file, options)
	if err != nil {
		return nil, err
	}
	p, _, err = LoadAssumingInputs(p, file, options)
	return p, err
}

// LoadAssumingInputs loads a document again as if its inputs had values. If missing inputs were the only
// problem, it returns that plan and the options with which it was loaded, else p and o.
func LoadAssumingInputs(p *plan.Plan, file string, o parse.Options) (*plan.Plan, parse.Options, error) {
	if p.Runnable() || len(p.Inputs) == 0 {
		return p, o, nil
	}
	withInputs := WithAssumedInputs(o, inputNames(p))
	again, err := Load(file, withInputs)
	if err != nil || !again.Runnable() {
		return p, o, err
	}
	return again, withInputs, nil
}

// WithAssumedInputs returns options with which a document is loaded as if the named inputs had values. Values
// in o take precedence. o.Flags must not be nil.
func WithAssumedInputs(o parse.Options, names []string) parse.Options {
	out := o
	out.Flags = maps.Clone(o.Flags)
	for _, name := range names {
		out.Flags[InputFlag] = append([]string{name + "="}, out.Flags[InputFlag]...)
	}
	return out
}

// ResolveFile returns the path for an argument FILE, which may name a built-in example.
func ResolveFile(file string) (string, error) {
	name, builtIn := strings.CutPrefix(file, machine.BuiltInPrefix)
	if !builtIn {
		return file, nil
	}
	path, err := unpackExample(name)
	if err != nil {
		return "", Errorf("%s: %w", file, err)
	}
	return path, nil
}

// unpackExample writes the examples to the person's cache folder, where they are documents like any other:
// they can be read, edited elsewhere, and resumed.
func unpackExample(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "playhead", "examples")
	path, err := examples.Write(folder, name)
	if errors.As(err, new(*fs.PathError)) {
		return "", fmt.Errorf("cannot unpack the examples into %s: %w. Make it writable, or set XDG_CACHE_HOME", folder, err)
	}
	return path, err
}

// originalDocumentPath returns the path of the original document of a new or a resumed run. A resumed run uses a
// copy, which has no other files beside it.
func originalDocumentPath(c *engine.Config) (string, error) {
	if c.Run == nil {
		return ResolveFile(c.FirstPlan.Path)
	}
	source, err := c.Run.SourcePaths()
	return source.OriginalDocument, err
}

// BuiltInDocumentError returns the error that refuses to change a built-in example, and says which file a person can copy.
func BuiltInDocumentError(path string) error {
	file, err := ResolveFile(path)
	if err != nil {
		return err
	}
	return Errorf("%s is built in and cannot be changed: copy %s and run the copy", path, file)
}

// OriginalFilePath returns the path of the file that a person can edit for a file of the plan. run is
// nil if there is no run yet. The error says why there is no such file.
func OriginalFilePath(run *journal.Folder, p *plan.Plan, path string) (string, error) {
	if strings.HasPrefix(p.Path, machine.BuiltInPrefix) {
		return "", BuiltInDocumentError(p.Path)
	}
	file, err := filepath.Abs(path)
	if run != nil && err == nil {
		var src journal.SourcePaths
		if src, err = run.SourcePaths(); path == p.Path {
			file = src.OriginalDocument
		} else if err == nil {
			file, err = run.OriginalPath(file)
		}
	}
	if err == nil && !isFile(file) {
		err = fmt.Errorf("the file %s no longer exists", file)
	}
	return file, err
}

// OriginalDocumentPath returns the absolute path of the run's original document.
func (r *Run) OriginalDocumentPath() (string, error) {
	path, err := originalDocumentPath(&r.Config)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// OriginalFilePath returns the path of the file that a person can edit for a file of the run's document.
func (r *Run) OriginalFilePath(path string) (string, error) {
	if r.Config.Run == nil {
		return OriginalFilePath(nil, r.CurrentPlan, path)
	}
	return OriginalFilePath(&r.Config.Run.Folder, r.CurrentPlan, path)
}

// DocumentAndIncludedFiles lists the files of a document that was loaded, and of those that it includes.
func DocumentAndIncludedFiles(p *plan.Plan) []plan.File {
	path, err := ResolveFile(p.Path)
	if err != nil {
		path = p.Path
	}
	return filewatch.DocumentAndIncludedFiles(p, path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// RunStartedBody returns the body of a run's first event, which starts the run. It returns an error if
// there is none.
func RunStartedBody(id string, events []machine.Event) (*machine.RunStarted, error) {
	if len(events) == 0 {
		return nil, Errorf("run %s has no events", id)
	}
	started, err := journal.RunStartedBody(events[0])
	if err != nil {
		return nil, Errorf("run %s: %w", id, err)
	}
	return started, nil
}

// LoadRunCopy loads the documents with which a run began, and makes its events load the versions with
// which it continued.
func LoadRunCopy(run journal.Folder, events []machine.Event) (*plan.Plan, journal.SourcePaths, error) {
	started, err := RunStartedBody(run.ID(), events)
	if err != nil {
		return nil, journal.SourcePaths{}, err
	}
	setVersionLoaders(run, started, events)
	return loadRunCopy(run, started, nil)
}

// SetVersionLoaders makes the events of a run load the versions of the document with which it continued.
func SetVersionLoaders(run journal.Folder, events []machine.Event) error {
	started, err := RunStartedBody(run.ID(), events)
	if err == nil {
		setVersionLoaders(run, started, events)
	}
	return err
}

func setVersionLoaders(run journal.Folder, started *machine.RunStarted, events []machine.Event) {
	for _, e := range events {
		if b, is := e.Body.(*machine.DocumentReloaded); is && b.Load == nil {
			b.Load = sync.OnceValues(func() (*plan.Plan, error) {
				p, _, err := loadRunCopy(run.AtSnapshot(b.Snapshot), started, nil)
				if err == nil {
					err = LimitTransitions(p, started.Options.MaxTransitions)
				}
				return p, err
			})
		}
	}
}

// loadRunCopy loads the version of the documents to which run belongs (see journal.Folder.Snapshot). instead has
// new contents of some files, by the paths of their copies.
func loadRunCopy(run journal.Folder, started *machine.RunStarted, instead map[string][]byte) (*plan.Plan, journal.SourcePaths, error) {
	src, err := run.SourcePaths()
	if err != nil {
		return nil, src, &Error{err}
	}
	if _, err := os.Stat(src.DocumentCopy); err != nil {
		return nil, src, Errorf("run %s: its copy of the document cannot be read: %w", run.ID(), err)
	}
	flags, err := mapPathFlags(started.Options.FormatFlags, run.CopyPath)
	if err != nil {
		return nil, src, err
	}
	p, err := Load(src.DocumentCopy, parse.Options{Format: started.Format, StartFolder: src.StartFolderCopy, Flags: flags, Overlay: instead})
	if err != nil {
		return nil, src, err
	}
	p.Path = started.DocumentPath
	return p, src, nil
}

// RunDocuments returns the documents of a run on disk, for its edits.
func RunDocuments(run journal.Folder, started *machine.RunStarted, events []machine.Event) (rewrite.RunDocuments, error) {
	src, err := run.SourcePaths()
	if err != nil {
		return rewrite.RunDocuments{}, err
	}
	inForce := run.AtSnapshot(CurrentSnapshot(events))
	return rewrite.RunDocuments{
		Path: src.OriginalDocument,
		LoadPlan: func(instead map[string][]byte) *plan.Plan {
			return parse.Load(src.OriginalDocument, parse.Options{Format: started.Format, StartFolder: src.OriginalStartFolder, Flags: started.Options.FormatFlags, Overlay: instead})
		},
		ReadCopy: func(path string) ([]byte, error) {
			copied, err := inForce.CopyPath(path)
			if err != nil {
				return nil, err
			}
			return infile.Read(copied, infile.MaxStateFileSize)
		},
	}, nil
}

// InitialPlan returns the plan with which a run began. Like LoadRunCopy, it makes the run's events load the
// versions with which it continued.
func InitialPlan(history journal.History) (*plan.Plan, error) {
	p, _, err := LoadRunCopy(history.Folder, history.Events)
	return p, err
}

// mapPathFlags returns a copy of the flags in which the values that name files and folders are
// changed.
func mapPathFlags(flags map[string][]string, change func(string) (string, error)) (map[string][]string, error) {
	if len(flags) == 0 {
		return nil, nil
	}
	out := make(map[string][]string, len(flags))
	for name, values := range flags {
		out[name] = values
		if !isPathFlag(name) {
			continue
		}
		out[name] = slices.Clone(values)
		for i, path := range values {
			var err error
			if out[name][i], err = change(path); err != nil {
				return nil, Errorf("--%s %s: %w", name, path, err)
			}
		}
	}
	return out, nil
}

// absolutePathFlags makes the paths in flags absolute, because a run may be resumed in another working
// directory.
func absolutePathFlags(flags map[string][]string) (map[string][]string, error) {
	return mapPathFlags(flags, filepath.Abs)
}

func isPathFlag(name string) bool {
	return slices.ContainsFunc(parse.Flags(), func(f plan.Flag) bool { return f.Name == name && f.IsPath })
}
