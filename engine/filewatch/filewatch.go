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

// settleTime is how long files have to be unchanged before they are compared, because editors write a
// file in several steps and save several files at once.
const settleTime = 100 * time.Millisecond

// pollInterval is how often folders are checked that cannot be watched.
const pollInterval = time.Second

// DocumentAndIncludedFiles returns the files of a document and of all documents that it includes. path is the path of
// the document itself. A missing included document is listed as an empty file, so that its creation is a change.
func DocumentAndIncludedFiles(p *plan.Plan, path string) []plan.File {
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
		for _, c := range p.IncludedDocuments {
			switch {
			case c.Plan != nil:
				add(c.Plan)
			case filepath.IsAbs(c.WrittenPath):
				out = append(out, plan.File{Path: c.WrittenPath, Source: []byte{}})
			default:
				out = append(out, plan.File{Path: filepath.Join(filepath.Dir(p.Path), c.WrittenPath), Source: []byte{}})
			}
		}
	}
	add(&at)
	return out
}

// Watcher watches a set of files. Its methods may be called from any goroutine.
type Watcher struct {
	changedPaths  chan []string     // see Changes
	filesReplaced chan struct{}     // receives when the set of files was replaced
	closing       chan struct{}     // closed by Close
	loopEnded     chan struct{}     // closed when watchLoop has returned
	fsWatcher     *fsnotify.Watcher // nil if the system has no watches left

	mu              sync.Mutex
	contentByPath   map[string]contentID // by absolute path
	relevantPaths   map[string]bool      // the paths whose events matter: the files, and the targets of links
	isFolderWatched map[string]bool      // the folders of relevantPaths, and the files that are folders; true if watched
}

// contentID identifies what a file or folder contains, to detect changes. The zero value stands for an empty file
// and for one that cannot be read.
type contentID struct {
	hash     [sha256.Size]byte
	isFolder bool // it is a folder: the names of its entries are compared
}

// New returns a Watcher without files.
func New() *Watcher {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return startWatcher(nil, nil, nil)
	}
	return startWatcher(notify, notify.Events, notify.Errors)
}

// startWatcher returns a Watcher that adds folders to notify, which may be nil, and gets its events and errors.
func startWatcher(notify *fsnotify.Watcher, events <-chan fsnotify.Event, errors <-chan error) *Watcher {
	w := &Watcher{
		changedPaths: make(chan []string), filesReplaced: make(chan struct{}, 1), closing: make(chan struct{}), loopEnded: make(chan struct{}),
		fsWatcher: notify,
	}
	go w.watchLoop(events, errors)
	return w
}

// SetFiles replaces the set of watched files. A file with a Source counts as changed if it does not
// hold that now, so that no change between reading and watching is missed. A file without a Source
// counts as changed if it differs from when it was first watched.
func (w *Watcher) SetFiles(files []plan.File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.contentByPath
	w.contentByPath, w.relevantPaths = map[string]contentID{}, map[string]bool{}
	folders := map[string]bool{}
	for _, f := range files {
		path, err := filepath.Abs(f.Path)
		if err != nil {
			continue
		}
		if _, isDuplicate := w.contentByPath[path]; isDuplicate {
			continue
		}
		known, isKnown := before[path]
		switch {
		case f.Source != nil && !f.IsFolder:
			w.contentByPath[path] = contentIDOf(f.Source)
		case isKnown && known.isFolder == f.IsFolder:
			w.contentByPath[path] = known
		default:
			w.contentByPath[path] = contentIDOfFile(path, f.IsFolder)
		}
		for _, target := range []string{path, resolveLinks(path)} {
			w.relevantPaths[target] = true
			folders[filepath.Dir(target)] = false
			if f.IsFolder {
				folders[target] = false
			}
		}
	}
	for dir := range w.isFolderWatched {
		if _, isNeeded := folders[dir]; !isNeeded && w.fsWatcher != nil {
			_ = w.fsWatcher.Remove(dir) // the folder may be gone
		}
	}
	w.isFolderWatched = folders
	w.watchFolders()
	select {
	case w.filesReplaced <- struct{}{}:
	default:
	}
}

// watchFolders watches the folders that are not watched yet.
func (w *Watcher) watchFolders() {
	for dir, watched := range w.isFolderWatched {
		if !watched && w.fsWatcher != nil {
			w.isFolderWatched[dir] = w.fsWatcher.Add(dir) == nil
		}
	}
}

// Changes returns a channel that receives the sorted absolute paths of files that changed, after
// all files have been unchanged for settleTime. Changes that are not received yet are merged.
func (w *Watcher) Changes() <-chan []string { return w.changedPaths }

// Close ends watching and waits until all goroutines have ended. Changes receives nothing more.
func (w *Watcher) Close() {
	close(w.closing)
	<-w.loopEnded
	if w.fsWatcher != nil {
		_ = w.fsWatcher.Close()
	}
}

// watchLoop handles events and timers until the Watcher is closed, and sends changes to whoever receives them.
func (w *Watcher) watchLoop(events <-chan fsnotify.Event, errors <-chan error) {
	defer close(w.loopEnded)
	poll, polling := time.NewTimer(pollInterval), true
	defer poll.Stop()
	settled := time.NewTimer(settleTime)
	defer settled.Stop()
	scheduleComparison := func() {
		settled.Reset(settleTime)
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
			out, changed = w.changedPaths, slices.Sorted(maps.Keys(pending))
		}
		select {
		case <-w.closing:
			return
		case out <- changed:
			clear(pending)
		case e := <-events:
			if w.noteEvent(e) {
				scheduleComparison()
			}
		case <-errors: // events were lost
			scheduleComparison()
		case <-w.filesReplaced: // a file may have changed since it was read
			scheduleComparison()
		case <-settled.C:
			w.collectChanges(pending)
		case <-poll.C:
			if polling = w.retryFolders(); polling { // otherwise no timer wakes an idle program
				w.collectChanges(pending)
				poll.Reset(pollInterval)
			}
		}
	}
}

// noteEvent reports whether an event may be about a watched file. If a watched folder was deleted or
// renamed, noteEvent marks it, so that it is watched again once it exists.
func (w *Watcher) noteEvent(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, isFolder := w.isFolderWatched[e.Name]; isFolder && e.Has(fsnotify.Remove|fsnotify.Rename) {
		_ = w.fsWatcher.Remove(e.Name) // the system may have removed it
		w.isFolderWatched[e.Name] = false
		return true
	}
	return w.relevantPaths[e.Name] || w.contentByPath[filepath.Dir(e.Name)].isFolder
}

// retryFolders tries once more to watch all folders, and reports whether one is still not watched.
func (w *Watcher) retryFolders() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, watched := range w.isFolderWatched {
		if !watched {
			w.watchFolders()
			return true
		}
	}
	return false
}

// collectChanges adds the files that have changed to pending.
func (w *Watcher) collectChanges(pending map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path, before := range w.contentByPath {
		if now := contentIDOfFile(path, before.isFolder); now != before {
			w.contentByPath[path] = now
			pending[path] = true
		}
	}
}

func contentIDOfFile(path string, folder bool) contentID {
	c := contentID{isFolder: folder}
	if folder {
		entries, err := os.ReadDir(path)
		if err != nil {
			return c
		}
		var names strings.Builder
		for _, e := range entries {
			names.WriteString(e.Name() + "\x00")
		}
		c.hash = sha256.Sum256([]byte(names.String()))
		return c
	}
	if data, err := infile.Read(path, infile.MaxStateFileSize); err == nil {
		return contentIDOf(data)
	}
	return c
}

func contentIDOf(data []byte) (c contentID) {
	if len(data) > 0 {
		c.hash = sha256.Sum256(data)
	}
	return c
}

// resolveLinks follows the symbolic links of a path. If they lead nowhere, it returns the path.
func resolveLinks(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// BaseNamesText returns the names of files without their folders, separated by commas and safe to show.
func BaseNamesText(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = sanitize.Plain(filepath.Base(path))
	}
	return strings.Join(names, ", ")
}
