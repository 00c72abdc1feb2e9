// Package local has Playhead's own tools, which read and change files below the project root, and
// keep a list of tasks (agent-tools.md). The session runs the commands of Bash itself. No tool
// opens a file outside the root, whatever a path or a link says.
package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"playhead/engine/consent"
	"playhead/engine/tools"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Folder is the project root with the tools that work below it.
type Folder struct {
	toolPlace consent.ToolPlace
	root      *os.Root
}

// Open opens the project root.
func Open(place consent.ToolPlace) (*Folder, error) {
	root, err := os.OpenRoot(place.ProjectRoot)
	if err != nil {
		return nil, fmt.Errorf("the project root cannot be opened: %w", err)
	}
	return &Folder{place, root}, nil
}

// Close closes the root.
func (f *Folder) Close() error { return f.root.Close() }

// Call is one call of a tool.
type Call struct {
	Tool           string
	Args           string              // a JSON object
	PatternsByTool map[string][]string // the patterns that restrict tools; none: any path
}

// Result is the result of a call that changes nothing.
type Result struct {
	Text     string
	FileRead *File // the file that was read
	Err      error // for the model
}

// File is a file below the root and the hash of its content, "" if there is no file.
type File struct{ Path, Hash string }

// Call carries out a call of a tool that changes nothing.
func (f *Folder) Call(ctx context.Context, c Call) Result {
	text, file, err := f.callTool(ctx, c)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return Result{text, file, err}
}

func (f *Folder) callTool(ctx context.Context, c Call) (string, *File, error) {
	var text string
	var err error
	switch c.Tool {
	case plan.ToolRead:
		return f.read(ctx, c)
	case plan.ToolGlob:
		text, err = f.glob(ctx, c)
	case plan.ToolGrep:
		text, err = f.grep(ctx, c)
	case plan.ToolTodo:
		text, err = todosResult(c.Args)
	default:
		err = tools.NoLocalToolError(c.Tool)
	}
	return text, nil, err
}

// todosResult checks the list of a TodoWrite call, and returns the result of the call. The event of the call stores the
// list.
func todosResult(args string) (string, error) {
	list, err := tools.ParseTodos(args)
	if err != nil {
		return "", err
	}
	done := 0
	for _, t := range list {
		if t.Status == "completed" {
			done++
		}
	}
	return fmt.Sprintf("Entries in the list: %d, completed: %d.", len(list), done), nil
}

// decodeArgs decodes the arguments of a call.
func decodeArgs[A any](args string) (a A, err error) {
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return a, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	return a, nil
}

// wholeNumber is a whole number, which some models write as a string or with a fraction.
type wholeNumber int

// UnmarshalJSON implements json.Unmarshaler.
func (w *wholeNumber) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "null" || text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != float64(int(n)) {
		return fmt.Errorf("%s is not a whole number", data)
	}
	*w = wholeNumber(n)
	return nil
}

// maxFileSize is the maximum size of files that are compared and changed, in bytes.
const maxFileSize = 64 << 20

// open opens a regular file for reading. It refuses anything else, and never waits for the writer of a pipe.
func (f *Folder) open(rel string) (*os.File, fs.FileInfo, error) {
	info, err := f.root.Stat(rel)
	if err != nil {
		return nil, nil, f.describeError(rel, err)
	}
	if err := f.checkRegular(rel, info); err != nil {
		return nil, nil, err
	}
	file, err := f.root.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, f.describeError(rel, err)
	}
	if info, err = file.Stat(); err == nil {
		err = f.checkRegular(rel, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

func (f *Folder) checkRegular(rel string, info fs.FileInfo) error {
	rel = f.toolPlace.RelativeToWorkingDir(rel)
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%s is a folder: Glob lists what is in it", rel)
	default:
		return fmt.Errorf("%s is not a regular file but %s", rel, infile.DescribeFileKind(mode))
	}
}

// describeError returns what is wrong with a path, for a model.
func (f *Folder) describeError(rel string, err error) error {
	rel = f.toolPlace.RelativeToWorkingDir(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", rel)
	case errors.Is(err, unix.ELOOP):
		return fmt.Errorf("%s leads through more than %d symbolic links, or through one that leads back to itself", rel, maxLinks)
	case strings.Contains(err.Error(), "escapes"): // the error of os.Root has no name
		return fmt.Errorf("%s leads through a link that is absolute or leaves the project root: only relative links inside it are followed", rel)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied", rel)
	}
	return fmt.Errorf("%s: %w", rel, err)
}

// maxLinks limits the links in a path.
const maxLinks = 40

// resolveLinks returns the path without links to which a path below the root leads. What does not exist in it stays as
// it is.
func (f *Folder) resolveLinks(rel string) (string, error) {
	done, rest, links := "", strings.Split(rel, "/"), 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		at := path.Join(done, part)
		if !filepath.IsLocal(at) {
			return "", f.describeError(rel, errors.New("path escapes"))
		}
		info, err := f.root.Lstat(at)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", f.describeError(rel, err)
			}
			done = at
			continue
		}
		if links++; links > maxLinks {
			return "", f.describeError(rel, unix.ELOOP)
		}
		to, err := f.root.Readlink(at)
		if err != nil {
			return "", f.describeError(rel, err)
		}
		if path.IsAbs(to) {
			return "", f.describeError(rel, errors.New("path escapes"))
		}
		rest = append(strings.Split(path.Clean(to), "/"), rest...)
	}
	return path.Clean(done), nil
}

// checkPattern returns an error if the patterns of the called tool do not allow a path, or the path to which it leads
// through links.
func (f *Folder) checkPattern(c Call, rel string) error {
	only := c.PatternsByTool[c.Tool]
	if len(only) == 0 {
		return nil
	}
	real, err := f.resolveLinks(rel)
	if err != nil {
		return err
	}
	for _, name := range []string{rel, real} {
		if !consent.IsPathAllowed(only, name) {
			return consent.PatternError(c.Tool, name, only)
		}
	}
	return nil
}

// hashOf returns the hash of a content.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// readWhole reads a whole file, up to the maximum size of files that can be changed.
func (f *Folder) readWhole(rel string) ([]byte, fs.FileInfo, error) {
	file, info, err := f.open(rel)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	var data []byte
	if info.Size() <= maxFileSize {
		data, err = io.ReadAll(io.LimitReader(file, maxFileSize+1))
	}
	switch {
	case err != nil:
		return nil, nil, f.describeError(rel, err)
	case max(info.Size(), int64(len(data))) > maxFileSize: // it may have grown
		return nil, nil, fmt.Errorf("%s is larger than %d MiB: it cannot be changed", f.toolPlace.RelativeToWorkingDir(rel), maxFileSize>>20)
	}
	return data, info, nil
}

// Catalog returns the tools with their descriptions for models.
func Catalog() []tools.Tool {
	list := make([]tools.Tool, len(toolCatalog))
	for i, t := range toolCatalog {
		list[i] = tools.Tool{
			Server: plan.LocalServer, Name: t.name, Description: t.about, Effect: t.effect,
			Schema: []byte(`{"type":"object","additionalProperties":false,"required":[` + t.required + `],"properties":{` + t.properties + `}}`),
		}
	}
	return list
}

var toolCatalog = []struct {
	name, about, required, properties string
	effect                            tools.Effect
}{
	{plan.ToolRead, "Reads a text file of the project. Lines are numbered; lines over 2,000 characters are cut.", `"file_path"`,
		`"file_path":{"type":"string"},"offset":{"type":"integer","description":"the first line, from 1"},"limit":{"type":"integer","description":"how many lines; the default is 2000"}`, tools.ReadsOnly},
	{plan.ToolGlob, "Finds files by a pattern such as src/**/*.go, newest first.", `"pattern"`,
		`"pattern":{"type":"string"},"path":{"type":"string","description":"the folder to look in"}`, tools.ReadsOnly},
	{plan.ToolGrep, "Searches files for a regular expression in RE2 syntax.", `"pattern"`,
		`"pattern":{"type":"string"},"path":{"type":"string","description":"a file or folder"},"glob":{"type":"string","description":"only files that match this, such as *.go"},` +
			`"output_mode":{"type":"string","enum":["files_with_matches","content","count"]},"-i":{"type":"boolean","description":"ignore case"},` +
			`"-n":{"type":"boolean","description":"line numbers"},"-A":{"type":"integer","description":"lines after"},"-B":{"type":"integer","description":"lines before"},` +
			`"-C":{"type":"integer","description":"lines before and after"},"head_limit":{"type":"integer","description":"the maximum number of lines in the result"}`, tools.ReadsOnly},
	{plan.ToolWrite, "Writes a whole file, and creates its folders. An existing file must be read first.", `"file_path","content"`,
		`"file_path":{"type":"string"},"content":{"type":"string"}`, tools.Destructive},
	{plan.ToolEdit, "Replaces text in a file that was read before. The text must occur exactly once, unless replace_all is true.", `"file_path","old_string","new_string"`,
		`"file_path":{"type":"string"},"old_string":{"type":"string"},"new_string":{"type":"string"},"replace_all":{"type":"boolean"}`, tools.Destructive},
	{plan.ToolBash, "Runs a command with bash. Every command starts in the working folder.", `"command"`,
		`"command":{"type":"string"},"timeout":{"type":"integer","description":"in milliseconds, at most 600000"},"description":{"type":"string"}`, tools.Destructive},
	{plan.ToolTodo, "Keeps a list of tasks, which the person sees.", `"todos"`,
		`"todos":{"type":"array","items":{"type":"object","required":["content","status"],"properties":{"content":{"type":"string"},` +
			`"status":{"type":"string","enum":["pending","in_progress","completed"]},"activeForm":{"type":"string"}}}}`, tools.ReadsOnly},
}
