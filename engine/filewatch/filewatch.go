// Package filewatch reports which of a document's files changed on disk.
//
// It watches the folders of the files, because an editor that saves by renaming replaces the file,
// and a watch on the file would stay with the old one. A folder that cannot be watched, because it
// is missing or the system has no watches left, is checked every second.
package filewatch

import (
	"crypto/sha256"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"playhead/engine/sanitize"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Settle is how long files have to be unchanged before they are compared, because editors write a
// file in several steps and save several files at once.
const Settle = 100 * time.Millisecond

// pollInterval is how often folders are checked that cannot be watched.
const pollInterval = time.Second

// Files lists the files of a document, whose own is at path, and of those that it includes. An included
// document that is missing is listed as empty, so that its creation counts as a change.
func Files(p *plan.Plan, path string) []plan.File {
	at := *p
	at.Path = path
	var out []plan.File
	seen := map[*plan.Plan]bool{p: true}
	var add func(p *plan.Plan)
	add = func(p *plan.Plan) {
		if seen[p] {
			return
		}
		seen[p] = true
		if len(p.Files) == 0 {
			out = append(out, plan.File{Path: p.Path, Source: p.Source})
		}
		out = append(out, p.Files...)
		for _, c := range p.Children {
			switch {
			case c.Plan != nil:
				add(c.Plan)
			case filepath.IsAbs(c.Path):
				out = append(out, plan.File{Path: c.Path, Source: []byte{}})
			default:
				out = append(out, plan.File{Path: filepath.Join(filepath.Dir(p.Path), c.Path), Source: []byte{}})
			}
		}
	}
	add(&at)
	return out
}

// Watcher watches a set of files. Its methods may be called from any goroutine.
type Watcher struct {
	changes chan []string
	renewed chan struct{} // receives when the set of files was replaced
	done    chan struct{}
	stopped chan struct{}
	notify  *fsnotify.Watcher // nil if the system has no watches left

	mu      sync.Mutex
	files   map[string]contents // by absolute path
	targets map[string]bool     // the paths whose events matter: the files, and the targets of links
	folders map[string]bool     // the folders of the targets; true if watched
}

// contents identify what a file holds, to detect changes. The zero value stands for an empty file
// and for one that cannot be read.
type contents struct {
	sum    [sha256.Size]byte
	folder bool // its entries matter
}

// New returns a Watcher without files.
func New() *Watcher {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return start(nil, nil, nil)
	}
	return start(notify, notify.Events, notify.Errors)
}

func start(notify *fsnotify.Watcher, events <-chan fsnotify.Event, errors <-chan error) *Watcher {
	w := &Watcher{
		changes: make(chan []string), renewed: make(chan struct{}, 1), done: make(chan struct{}), stopped: make(chan struct{}),
		notify: notify,
	}
	go w.run(events, errors)
	return w
}

// Watch replaces the set of watched files. A file with a Source counts as changed if it does not
// hold that now, so that no change between reading and watching is missed. A file without a Source
// counts as changed if it differs from when it was first watched.
func (w *Watcher) Watch(files []plan.File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.files
	w.files, w.targets = map[string]contents{}, map[string]bool{}
	folders := map[string]bool{}
	for _, f := range files {
		path, err := filepath.Abs(f.Path)
		if err != nil {
			continue
		}
		if _, twice := w.files[path]; twice {
			continue
		}
		known, again := before[path]
		switch {
		case f.Source != nil && !f.Folder:
			w.files[path] = contentsOf(f.Source)
		case again && known.folder == f.Folder:
			w.files[path] = known
		default:
			w.files[path] = read(path, f.Folder)
		}
		for _, target := range []string{path, resolve(path)} {
			w.targets[target] = true
			folders[filepath.Dir(target)] = false
			if f.Folder {
				folders[target] = false
			}
		}
	}
	for dir := range w.folders {
		if _, again := folders[dir]; !again && w.notify != nil {
			_ = w.notify.Remove(dir) // the folder may be gone
		}
	}
	w.folders = folders
	w.add()
	select {
	case w.renewed <- struct{}{}:
	default:
	}
}

// add watches the folders that are not watched yet.
func (w *Watcher) add() {
	for dir, watched := range w.folders {
		if !watched && w.notify != nil {
			w.folders[dir] = w.notify.Add(dir) == nil
		}
	}
}

// Changes returns a channel that receives the sorted absolute paths of files that changed, after
// all files have been unchanged for Settle. Changes that are not received yet are merged.
func (w *Watcher) Changes() <-chan []string { return w.changes }

// Close ends watching and waits until all goroutines have ended. Changes receives nothing more.
func (w *Watcher) Close() {
	close(w.done)
	<-w.stopped
	if w.notify != nil {
		_ = w.notify.Close()
	}
}

func (w *Watcher) run(events <-chan fsnotify.Event, errors <-chan error) {
	defer close(w.stopped)
	poll, polling := time.NewTimer(pollInterval), true
	defer poll.Stop()
	settled := time.NewTimer(Settle)
	defer settled.Stop()
	lookAgain := func() {
		settled.Reset(Settle)
		if !polling { // a folder may have become one that is not watched
			poll.Reset(pollInterval)
			polling = true
		}
	}
	pending := map[string]bool{}
	for {
		var out chan []string
		var changed []string
		if len(pending) > 0 {
			out, changed = w.changes, slices.Sorted(maps.Keys(pending))
		}
		select {
		case <-w.done:
			return
		case out <- changed:
			clear(pending)
		case e := <-events:
			if w.concerns(e) {
				lookAgain()
			}
		case <-errors: // events were lost
			lookAgain()
		case <-w.renewed: // a file may have changed since it was read
			lookAgain()
		case <-settled.C:
			w.compare(pending)
		case <-poll.C:
			if polling = w.polls(); polling { // else no timer wakes an idle program
				w.compare(pending)
				poll.Reset(pollInterval)
			}
		}
	}
}

// concerns reports whether an event may be about a watched file. A folder that is deleted and
// created again must be watched again.
func (w *Watcher) concerns(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, isFolder := w.folders[e.Name]; isFolder && e.Has(fsnotify.Remove|fsnotify.Rename) {
		_ = w.notify.Remove(e.Name) // the system may have removed it
		w.folders[e.Name] = false
		return true
	}
	return w.targets[e.Name] || w.files[filepath.Dir(e.Name)].folder
}

// polls tries once more to watch all folders, and reports whether one is still not watched.
func (w *Watcher) polls() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, watched := range w.folders {
		if !watched {
			w.add()
			return true
		}
	}
	return false
}

// compare adds the files that have changed to pending.
func (w *Watcher) compare(pending map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, before := range w.files {
		if now := read(path, before.folder); now != before {
			w.files[path] = now
			pending[path] = true
		}
	}
}

func read(path string, folder bool) contents {
	c := contents{folder: folder}
	if folder {
		entries, err := os.ReadDir(path)
		if err != nil {
			return c
		}
		var names strings.Builder
		for _, e := range entries {
			names.WriteString(e.Name() + "\x00")
		}
		c.sum = sha256.Sum256([]byte(names.String()))
		return c
	}
	if data, err := infile.Read(path, infile.State); err == nil {
		return contentsOf(data)
	}
	return c
}

func contentsOf(data []byte) (c contents) {
	if len(data) > 0 {
		c.sum = sha256.Sum256(data)
	}
	return c
}

// resolve follows the symbolic links of a path. If they lead nowhere, it returns the path.
func resolve(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// Names returns the names of files without their folders, safe to show.
func Names(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = sanitize.Plain(filepath.Base(path))
	}
	return strings.Join(names, ", ")
}
