package local

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"playhead/engine/consent"
)

// maxVisitedEntries limits how many entries of folders a search examines.
const maxVisitedEntries = 200_000

// maxFolderDepth limits how deep folders are searched.
const maxFolderDepth = 256

// walker visits the files below a folder. It does not follow links and skips gitFolder.
type walker struct {
	folder       *Folder
	ctx          context.Context
	visit        func(rel string, info fs.DirEntry) error
	visitedCount int
	isIncomplete bool // not all files were visited
}

// gitFolder is what a search leaves out, also where a path or pattern names it.
const gitFolder = ".git"

var errStopSearch = errors.New("enough")

// walk visits the files below a folder. It skips folders that cannot be read.
func (w *walker) walk(rel string, depth int) error {
	dir, err := w.folder.root.Open(rel)
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	var folders []string
	for {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			if w.visitedCount++; w.visitedCount > maxVisitedEntries {
				w.isIncomplete = true
				return errStopSearch
			}
			at := path.Join(rel, e.Name())
			switch {
			case e.Name() == gitFolder:
			case e.IsDir():
				folders = append(folders, at)
			default:
				if err := w.visit(at, e); err != nil {
					return err
				}
			}
		}
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				w.isIncomplete = true
			}
			break
		}
	}
	if depth >= maxFolderDepth {
		w.isIncomplete = w.isIncomplete || len(folders) > 0
		return nil
	}
	for _, at := range folders {
		if err := w.walk(at, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// visitFilesBelow visits the files below a folder that the patterns of the tool allow, even if a link leads
// to the folder. isIncomplete reports that not all files were visited.
func (f *Folder) visitFilesBelow(ctx context.Context, c Call, rel string, visit func(rel string, e fs.DirEntry) error) (isIncomplete bool, err error) {
	real, err := f.resolveLinks(rel)
	if err != nil {
		return false, err
	}
	if slices.Contains(strings.Split(rel+"/"+real, "/"), gitFolder) {
		return false, nil
	}
	patterns := c.PatternsByTool[c.Tool]
	w := &walker{folder: f, ctx: ctx, visit: func(at string, e fs.DirEntry) error {
		realPath := at
		if real != rel {
			realPath = path.Join(real, strings.TrimPrefix(at, rel))
		}
		if !consent.IsPathAllowed(patterns, at) || !consent.IsPathAllowed(patterns, realPath) {
			return nil
		}
		return visit(at, e)
	}}
	if err := w.walk(rel, 0); err != nil && !errors.Is(err, errStopSearch) {
		return false, err
	}
	return w.isIncomplete, nil
}

// modTime returns when an entry was last changed.
func modTime(e fs.DirEntry) time.Time {
	info, err := e.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
