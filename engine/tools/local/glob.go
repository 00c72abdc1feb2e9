package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// maxGlobPaths limits how many paths Glob returns.
const maxGlobPaths = 1000

// glob returns the files that match a pattern, newest first.
func (f *Folder) glob(ctx context.Context, c Call) (string, error) {
	a, err := decodeArgs[struct{ Pattern, Path string }](c.Args)
	if err != nil {
		return "", err
	}
	base, err := f.searchRoot(a.Path)
	if err != nil {
		return "", err
	}
	pattern, base, err := f.rootedPattern(base, a.Pattern)
	if err != nil {
		return "", err
	}
	type foundFile struct {
		path       string
		modifiedAt time.Time
	}
	var all []foundFile
	isIncomplete, err := f.visitFilesBelow(ctx, c, base, func(rel string, e fs.DirEntry) error {
		if match, _ := doublestar.Match(pattern, rel); match {
			all = append(all, foundFile{rel, modTime(e)})
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(all, func(a, b foundFile) int {
		return cmp.Or(b.modifiedAt.Compare(a.modifiedAt), strings.Compare(a.path, b.path))
	})
	var out strings.Builder
	for _, file := range all[:min(len(all), maxGlobPaths)] {
		out.WriteString(f.toolPlace.RelativeToWorkingDir(file.path) + "\n")
	}
	switch {
	case len(all) == 0:
		out.WriteString("[no file matches]\n")
	case len(all) > maxGlobPaths:
		fmt.Fprintf(&out, "[the newest %d of %d files]\n", maxGlobPaths, len(all))
	}
	if isIncomplete {
		out.WriteString(incompleteNote)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// incompleteNote says that a search was not complete.
const incompleteNote = "[the search is incomplete, because not all files were visited: search a smaller folder]\n"

// searchRoot returns the path below the root of the folder or file in which a search begins; "" is the working folder.
func (f *Folder) searchRoot(name string) (string, error) {
	rel, err := f.toolPlace.RelativeToRoot(cmp.Or(name, "."))
	if err != nil {
		return "", err
	}
	if _, err := f.root.Stat(rel); err != nil {
		return "", f.describeError(rel, err)
	}
	return rel, nil
}

// patternEscaper escapes the characters of a path that have a meaning in a pattern.
var patternEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// rootedPattern returns the pattern for paths below the root that pattern is for paths below base, and the folder that
// contains all matches. An absolute pattern does not depend on base.
func (f *Folder) rootedPattern(base, pattern string) (full, folder string, err error) {
	if pattern == "" {
		return "", "", errors.New("the pattern is empty")
	}
	if path.IsAbs(pattern) {
		begin, rest := doublestar.SplitPattern(pattern)
		if base, err = f.toolPlace.RelativeToRoot(begin); err != nil {
			return "", "", err
		}
		pattern = rest
	}
	full = path.Join(patternEscaper.Replace(base), pattern)
	if full == ".." || strings.HasPrefix(full, "../") {
		return "", "", fmt.Errorf("the pattern %s leads outside the project root", pattern)
	}
	if !doublestar.ValidatePattern(full) {
		return "", "", fmt.Errorf("the pattern %s is not valid", pattern)
	}
	folder, _ = doublestar.SplitPattern(full)
	return full, folder, nil
}
