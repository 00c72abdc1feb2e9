package local

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// project makes a folder with files, and a file outside it that tools must not read.
func project(t *testing.T, files map[string]string) (*Folder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	outside := filepath.Join(filepath.Dir(dir), "outside")
	for _, d := range []string{dir, outside} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files["../outside/secret.txt"] = "secret\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(consent.ToolPlace{ProjectRoot: dir, WorkingDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, dir
}

func encode(args map[string]any) string {
	data, _ := json.Marshal(args)
	return string(data)
}

// call calls a tool and returns its text or its error.
func call(t *testing.T, f *Folder, tool string, args map[string]any) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r := f.Call(ctx, Call{Tool: tool, Args: encode(args)})
	if r.Err != nil {
		return "error: " + r.Err.Error()
	}
	return r.Text
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// TestRead: Read returns numbered lines from an offset, and says what it cut.
func TestRead(t *testing.T) {
	f, dir := project(t, map[string]string{
		"a.txt": "one\ntwo\r\nthree", "empty": "", "long": strings.Repeat("ä", 3000) + "\nend\n",
		"many": strings.Repeat("x\n", 2500), "src/in.go": "package in\n",
	})
	link(t, "src/in.go", filepath.Join(dir, "inner"))
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"file_path": "a.txt"}, "     1\tone\n     2\ttwo\n     3\tthree"},
		{map[string]any{"file_path": filepath.Join(dir, "a.txt"), "offset": 2, "limit": 1}, "     2\ttwo\n[there are more lines: read on with offset 3]"},
		{map[string]any{"file_path": "a.txt", "offset": "3"}, "     3\tthree"},
		{map[string]any{"file_path": "a.txt", "offset": 9}, "[the offset is beyond the last line; lines in the file: 3]"},
		{map[string]any{"file_path": "empty"}, "[the file is empty]"},
		{map[string]any{"file_path": "long"}, "     1\t" + strings.Repeat("ä", 2000) + " [line cut after 2000 characters]\n     2\tend"},
		{map[string]any{"file_path": "inner"}, "     1\tpackage in"},
		{map[string]any{"file_path": "a.txt", "offset": 1.5}, "error: the arguments cannot be read: 1.5 is not a whole number"},
		{map[string]any{"file_path": "src"}, "error: src is a folder: Glob lists what is in it"},
		{map[string]any{"file_path": "none"}, "error: none does not exist"},
	} {
		if got := call(t, f, plan.ToolRead, c.args); got != c.want {
			t.Errorf("%v:\n%.300q\nwant\n%.300q", c.args, got, c.want)
		}
	}
	if got := call(t, f, plan.ToolRead, map[string]any{"file_path": "many"}); !strings.HasSuffix(got, "  2000\tx\n[there are more lines: read on with offset 2001]") {
		t.Errorf("…%s", got[len(got)-80:])
	}
}

// TestOutside: no path and no link leads out of the root, for any tool.
func TestOutside(t *testing.T) {
	f, dir := project(t, map[string]string{"src/a.txt": "a\n"})
	outside := filepath.Join(filepath.Dir(dir), "outside")
	link(t, outside, filepath.Join(dir, "absolute"))
	link(t, "../outside", filepath.Join(dir, "relative"))
	link(t, "../../outside/secret.txt", filepath.Join(dir, "src/file"))
	link(t, "circle2", filepath.Join(dir, "circle1"))
	link(t, "circle1", filepath.Join(dir, "circle2"))
	link(t, "..", filepath.Join(dir, "src/up"))
	names := []string{
		"../outside/secret.txt", filepath.Join(outside, "secret.txt"), "/etc/passwd", "src/../../outside/secret.txt", "absolute/secret.txt",
		"relative/secret.txt", "src/file", "circle1", "src/up/relative/secret.txt", "a\x00b", "/dev/zero",
	}
	for _, name := range names {
		if got := call(t, f, plan.ToolRead, map[string]any{"file_path": name}); !strings.HasPrefix(got, "error: ") || strings.Contains(got, "secret\n") {
			t.Errorf("Read %q: %s", name, got)
		}
		if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "secret", "path": name, "output_mode": "content"}); !strings.HasPrefix(got, "error: ") {
			t.Errorf("Grep %q: %s", name, got)
		}
		if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": "*", "path": name}); !strings.HasPrefix(got, "error: ") {
			t.Errorf("Glob %q: %s", name, got)
		}
		known := map[string]string{name: hashOf([]byte("secret\n"))}
		for tool, args := range map[string]map[string]any{plan.ToolWrite: {"content": "x"}, plan.ToolEdit: {"old_string": "secret", "new_string": "x"}} {
			args["file_path"] = name
			ch, err := f.PrepareChange(Call{Tool: tool, Args: encode(args)}, known)
			if err == nil {
				err = f.ApplyChange(ch)
			}
			if err == nil {
				t.Errorf("%s %q did not fail", tool, name)
			}
		}
	}
	for _, pattern := range []string{"../**", filepath.Join(outside, "*"), "src/../../outside/*"} {
		if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": pattern}); !strings.HasPrefix(got, "error: ") {
			t.Errorf("Glob %q: %s", pattern, got)
		}
	}
	if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": "**/secret.txt"}); got != "[no file matches]" {
		t.Error(got)
	}
	if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "secret"}); got != "[no match]" {
		t.Error(got)
	}
	if got, _ := os.ReadFile(filepath.Join(outside, "secret.txt")); string(got) != "secret\n" {
		t.Errorf("outside has %q", got)
	}
}

// TestHostileFiles: files that are not text are refused, and no file makes a tool wait or fill the memory.
func TestHostileFiles(t *testing.T) {
	f, dir := project(t, map[string]string{"binary": "\x7fELF\x00\x00", "latin1": "caf\xe9\n", "noise": strings.Repeat("\xff\xfe\xe9", 400)})
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	sparse, err := os.Create(filepath.Join(dir, "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	if err := sparse.Truncate(1 << 28); err != nil {
		t.Fatal(err)
	}
	// Text at the beginning and zeros after it.
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		fmt.Fprintln(log, "line")
	}
	if err := log.Truncate(1 << 28); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"binary": "error: binary: this is a binary file: only text can be read", "noise": "error: noise: this is a binary file: only text can be read",
		"sparse": "error: sparse: this is a binary file: only text can be read", "pipe": "error: pipe is not a regular file but a named pipe",
		"latin1": "     1\tcaf\xe9",
	} {
		if got := call(t, f, plan.ToolRead, map[string]any{"file_path": name}); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, want := range map[string]string{
		"binary": "error: binary: this is a binary file: only text can be read", "pipe": "error: pipe is not a regular file but a named pipe",
	} {
		if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "x", "path": name}); got != want {
			t.Errorf("Grep in %s: %q", name, got)
		}
	}
	r := f.Call(t.Context(), Call{Tool: plan.ToolRead, Args: encode(map[string]any{"file_path": "log", "limit": 2})})
	if r.Err != nil || !strings.HasPrefix(r.Text, "     1\tline\n     2\tline\n") || r.FileRead != nil {
		t.Errorf("%v %v %q", r.Err, r.FileRead, r.Text)
	}
	link(t, "cycle", filepath.Join(dir, "cycle"))
	for _, name := range []string{"log", "pipe", "sparse", "cycle"} {
		for tool, args := range map[string]map[string]any{plan.ToolWrite: {"content": ""}, plan.ToolEdit: {"old_string": "line", "new_string": "x"}} {
			args["file_path"] = name
			if _, err := f.PrepareChange(Call{Tool: tool, Args: encode(args)}, map[string]string{name: "x"}); err == nil {
				t.Errorf("%s accepts %s", tool, name)
			}
		}
	}
	if got := call(t, f, plan.ToolRead, map[string]any{"file_path": "cycle"}); !strings.HasPrefix(got, "error: ") {
		t.Errorf("Read follows a cycle: %q", got)
	}
	if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "line", "head_limit": 2, "output_mode": "content"}); got != "log:1:line\nlog:2:line\n[cut after 2 lines]" {
		t.Errorf("%q", got)
	}
	if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": "s*"}); got != "sparse" {
		t.Error(got)
	}
}

// TestEndlessFolder: a search of a very deep folder ends, and says that it is incomplete.
func TestEndlessFolder(t *testing.T) {
	f, dir := project(t, map[string]string{})
	deep := dir
	for range maxFolderDepth + 40 {
		deep = filepath.Join(deep, "d")
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	link(t, "..", filepath.Join(dir, "d", "again"))
	for i := range 1200 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%04d.txt", i)), []byte("needle\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := call(t, f, plan.ToolGlob, map[string]any{"pattern": "**/*.txt"})
	if lines := strings.Split(got, "\n"); len(lines) != maxGlobPaths+2 || lines[maxGlobPaths] != "[the newest 1000 of 1200 files]" || lines[maxGlobPaths+1]+"\n" != incompleteNote {
		t.Errorf("%d lines, %q", len(lines), lines[len(lines)-2:])
	}
	if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "needle", "output_mode": "count", "head_limit": 5}); strings.Count(got, "\n") != 5 {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := f.Call(ctx, Call{Tool: plan.ToolGlob, Args: `{"pattern":"**"}`}); r.Err == nil {
		t.Error("a cancelled search continues")
	}
}

// TestBelowTheRoot: in a folder below the root, a path that a tool returns can be used in the next call.
func TestBelowTheRoot(t *testing.T) {
	_, dir := project(t, map[string]string{"a.txt": "needle", "sub/b.txt": "needle"})
	f, err := Open(consent.ToolPlace{ProjectRoot: dir, WorkingDir: filepath.Join(dir, "sub")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{plan.ToolGlob, map[string]any{"pattern": "*.txt"}, "b.txt"},
		{plan.ToolGlob, map[string]any{"pattern": "*.txt", "path": ".."}, "../a.txt"},
		{plan.ToolGrep, map[string]any{"pattern": "needle"}, "b.txt"},
		{plan.ToolGrep, map[string]any{"pattern": "needle", "path": "..", "glob": "a.*"}, "../a.txt"},
	} {
		found := call(t, f, c.tool, c.args)
		if found != c.want {
			t.Errorf("%s %v: %s", c.tool, c.args, found)
		}
		if text := call(t, f, plan.ToolRead, map[string]any{"file_path": found}); !strings.Contains(text, "needle") {
			t.Errorf("Read %s: %s", found, text)
		}
	}
	if text := call(t, f, plan.ToolRead, map[string]any{"file_path": "c.txt"}); text != "error: c.txt does not exist" {
		t.Error(text)
	}
}

// TestUnusualNames: a path that looks like a pattern, or that begins like the parent folder, is taken literally.
func TestUnusualNames(t *testing.T) {
	f, dir := project(t, map[string]string{"app/[id]/page.go": "needle", "app/i/page.go": "", "..data/a.txt": "needle"})
	for want, args := range map[string]map[string]any{
		"app/[id]/page.go": {"pattern": "*.go", "path": "app/[id]"},
		"..data/a.txt":     {"pattern": "**/*.txt"},
	} {
		if got := call(t, f, plan.ToolGlob, args); got != want {
			t.Errorf("%v: %s", args, got)
		}
	}
	if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": filepath.Join(dir, `app/\[id\]/*`)}); got != "app/[id]/page.go" {
		t.Error(got)
	}
	if _, err := f.PrepareChange(Call{Tool: plan.ToolWrite, Args: encode(map[string]any{"file_path": "..data/new.txt", "content": "x"})}, nil); err != nil {
		t.Error(err)
	}
}

// TestGlobOrder: Glob returns the newest files first, and skips .git.
func TestGlobOrder(t *testing.T) {
	f, dir := project(t, map[string]string{"a.go": "", "src/b.go": "", "src/deep/c.go": "", ".git/d.go": "", "e.txt": ""})
	for i, name := range []string{"src/b.go", "a.go", "src/deep/c.go"} {
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"**/*.go": "src/deep/c.go\na.go\nsrc/b.go", "*.go": "a.go", "src/*.go": "src/b.go", filepath.Join(dir, "src/**/c.go"): "src/deep/c.go",
		"{a,e}.*": "e.txt\na.go", ".git/*.go": "[no file matches]", filepath.Join(dir, ".git/**"): "[no file matches]", "**/.git/d.go": "[no file matches]", "[": "error: the pattern [ is not valid", "": "error: the pattern is empty",
	} {
		if got := call(t, f, plan.ToolGlob, map[string]any{"pattern": pattern}); got != want {
			t.Errorf("%s: %q", pattern, got)
		}
	}
	r := f.Call(t.Context(), Call{Tool: plan.ToolGlob, Args: `{"pattern":"**/*.go","path":"src"}`, PatternsByTool: map[string][]string{plan.ToolGlob: {"src/deep/**"}}})
	if r.Text != "src/deep/c.go" {
		t.Errorf("%q %v", r.Text, r.Err)
	}
}

// TestGrep: Grep returns matches as output_mode says, and skips .git.
func TestGrep(t *testing.T) {
	f, dir := project(t, map[string]string{"a.go": "one\nTwo\nthree\nfour\nfive\nsix\ntwo\n", "b/c.txt": "two\n", ".git/deep/c.txt": "two\n"})
	link(t, ".git", filepath.Join(dir, "linked"))
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"pattern": "^two"}, "a.go\nb/c.txt"},
		{map[string]any{"pattern": "two", "-i": true, "output_mode": "count"}, "a.go:2\nb/c.txt:1"},
		{map[string]any{"pattern": "two", "-i": true, "output_mode": "content", "glob": "*.go"}, "a.go:2:Two\na.go:7:two"},
		{map[string]any{"pattern": "Two", "output_mode": "content", "-C": 1}, "a.go-1-one\na.go:2:Two\na.go-3-three"},
		{map[string]any{"pattern": "t", "output_mode": "content", "-A": 1, "path": "a.go", "-n": false}, "a.go:three\na.go-four\n--\na.go:two"},
		{map[string]any{"pattern": "two", "path": "b"}, "b/c.txt"},
		{map[string]any{"pattern": "two", "glob": "b/*.txt"}, "b/c.txt"},
		{map[string]any{"pattern": "zzz"}, "[no match]"},
		{map[string]any{"pattern": "two", "path": ".git"}, "[no match]"},
		{map[string]any{"pattern": "two", "path": "linked/deep"}, "[no match]"},
		{map[string]any{"pattern": "two", "output_mode": "x"}, `error: there is no output_mode "x": use files_with_matches, content or count`},
	} {
		if got := call(t, f, plan.ToolGrep, c.args); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.args, got, c.want)
		}
	}
	long := "begin" + strings.Repeat("x", maxSearchedLine) + "end\nlast"
	if err := os.WriteFile(filepath.Join(dir, "long"), []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	const cut = "\n[1 line longer than 1 MiB: text beyond that limit was not searched]"
	for pattern, want := range map[string]string{"end": "[no match]" + cut, "begin": "long:1", "last": "long:1" + cut} {
		if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": pattern, "output_mode": "count", "path": "long"}); got != want {
			t.Errorf("%s: %s", pattern, got)
		}
	}
	if got := call(t, f, plan.ToolGrep, map[string]any{"pattern": "(?<=a)"}); !strings.Contains(got, "RE2") {
		t.Error(got)
	}
}

// TestChange: a tool changes a file only if the run has read its current content, only at the exact text, and in one
// piece.
func TestChange(t *testing.T) {
	f, dir := project(t, map[string]string{"a.sh": "one two two\n", "open.txt": "a"})
	if err := os.Chmod(filepath.Join(dir, "a.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "open.txt"), 0o666); err != nil {
		t.Fatal(err)
	}
	link(t, "a.sh", filepath.Join(dir, "b.sh"))
	known := map[string]string{"a.sh": hashOf([]byte("one two two\n"))}
	for _, c := range []struct {
		tool  string
		args  map[string]any
		known map[string]string
		want  string
	}{
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "one", "new_string": "1"}, nil, "a.sh has not been read in this run: read it first"},
		{plan.ToolWrite, map[string]any{"file_path": "a.sh", "content": ""}, map[string]string{"a.sh": "x"}, "a.sh has changed since it was read: read it again"},
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "ONE", "new_string": "1"}, known, "old_string is not in a.sh: it must match exactly, including whitespace and line breaks"},
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "two", "new_string": "2"}, known, "old_string is in a.sh 2 times: include more of the text around it, or set replace_all"},
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "", "new_string": "2"}, known, "old_string is empty: use Write for a whole file"},
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "two", "new_string": "two"}, known, "old_string and new_string are the same"},
		{plan.ToolEdit, map[string]any{"file_path": "none", "old_string": "two", "new_string": "2"}, known, "none does not exist"},
		{plan.ToolEdit, map[string]any{"file_path": "b.sh", "old_string": "one", "new_string": "1"}, known, "b.sh leads through a link to a.sh: use that path instead"},
		{plan.ToolWrite, map[string]any{"file_path": "."}, known, ". is a folder"},
		{plan.ToolWrite, map[string]any{"file_path": "new"}, known, "content is missing"},
		{plan.ToolEdit, map[string]any{"file_path": "a.sh", "old_string": "two", "new_string": "2", "replace_all": true}, known, ""},
		{plan.ToolWrite, map[string]any{"file_path": "open.txt", "content": "b"}, map[string]string{"open.txt": hashOf([]byte("a"))}, ""},
		{plan.ToolWrite, map[string]any{"file_path": "new/deep/file.txt", "content": "x\n"}, known, ""},
	} {
		ch, err := f.PrepareChange(Call{Tool: c.tool, Args: encode(c.args)}, c.known)
		if err == nil {
			err = f.ApplyChange(ch)
		}
		if got := fmt.Sprint(err); got != c.want && !(c.want == "" && err == nil) {
			t.Errorf("%s %v: %s", c.tool, c.args, got)
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "a.sh"))
	info, _ := os.Stat(filepath.Join(dir, "a.sh"))
	if string(text) != "one 2 2\n" || info.Mode().Perm() != 0o755 {
		t.Errorf("%q %v", text, info.Mode())
	}
	if info, err := os.Stat(filepath.Join(dir, "open.txt")); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("a file that all may write is %v %v", info.Mode(), err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".playhead-*"))
	if len(left) > 0 {
		t.Error(left)
	}
	ch, err := f.PrepareChange(Call{Tool: plan.ToolEdit, Args: encode(map[string]any{"file_path": "a.sh", "old_string": "one", "new_string": "1"})}, map[string]string{"a.sh": hashOf(text)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.sh"), []byte("another\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.ApplyChange(ch); err == nil || !strings.Contains(err.Error(), "changed in the meantime") {
		t.Error(err)
	}
}

// TestHugeResults: a result that would fill the memory is refused or cut.
func TestHugeResults(t *testing.T) {
	line := strings.Repeat("x", 1000) + "\n"
	f, _ := project(t, map[string]string{"a.txt": strings.Repeat("a", 1<<20), "long.txt": strings.Repeat(line, 20_000)})
	known := map[string]string{"a.txt": hashOf([]byte(strings.Repeat("a", 1<<20)))}
	edit := map[string]any{"file_path": "a.txt", "old_string": "a", "new_string": strings.Repeat("b", 1<<20), "replace_all": true}
	if _, err := f.PrepareChange(Call{Tool: plan.ToolEdit, Args: encode(edit)}, known); err == nil || err.Error() != "a.txt would be larger than 64 MiB" {
		t.Error(err)
	}
	got := call(t, f, plan.ToolRead, map[string]any{"file_path": "long.txt", "limit": 1_000_000_000})
	if n := len(got); n > maxReadBytes+2000 || !strings.Contains(got[n-80:], "[there are more lines: read on with offset 15") {
		t.Errorf("%d bytes, at the end %q", n, got[n-80:])
	}
}

// TestPatternsFollowLinks: a link inside the root does not bypass a pattern.
func TestPatternsFollowLinks(t *testing.T) {
	f, dir := project(t, map[string]string{"keys/k.txt": "key\n", "src/a.txt": "a\n"})
	link(t, "../keys", filepath.Join(dir, "src/keys"))
	only := map[string][]string{plan.ToolRead: {"src/**"}}
	for name, allowed := range map[string]bool{"src/a.txt": true, "src/keys/k.txt": false, "keys/k.txt": false} {
		r := f.Call(t.Context(), Call{Tool: plan.ToolRead, Args: encode(map[string]any{"file_path": name}), PatternsByTool: only})
		if (r.Err == nil) != allowed {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
	only = map[string][]string{plan.ToolGlob: {"src/**"}, plan.ToolGrep: {"src/**"}}
	for _, c := range []Call{
		{Tool: plan.ToolGlob, Args: encode(map[string]any{"pattern": "src/keys/*"}), PatternsByTool: only},
		{Tool: plan.ToolGlob, Args: encode(map[string]any{"pattern": "*", "path": "src/keys"}), PatternsByTool: only},
		{Tool: plan.ToolGrep, Args: encode(map[string]any{"pattern": "key", "path": "src/keys", "output_mode": "content"}), PatternsByTool: only},
	} {
		if r := f.Call(t.Context(), c); strings.Contains(r.Text, "k.txt") {
			t.Errorf("%s %s: %q", c.Tool, c.Args, r.Text)
		}
	}
}

// TestRestore: RestoreFile restores the earlier content only if the file is as the run left it.
func TestRestore(t *testing.T) {
	f, dir := project(t, map[string]string{"a.txt": "after\n", "new.txt": "new\n"})
	if err := f.RestoreFile("a.txt", []byte("before\n"), true, hashOf([]byte("after\n"))); err != nil {
		t.Error(err)
	}
	if err := f.RestoreFile("a.txt", []byte("before\n"), true, hashOf([]byte("after\n"))); err == nil {
		t.Error("RestoreFile overwrites a file that has changed since")
	}
	if err := f.RestoreFile("new.txt", nil, false, hashOf([]byte("new\n"))); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "a.txt"))
	if _, err := os.Stat(filepath.Join(dir, "new.txt")); string(text) != "before\n" || !os.IsNotExist(err) {
		t.Errorf("%q %v", text, err)
	}
}

// TestTodo: an invalid todo list is refused.
func TestTodo(t *testing.T) {
	f, _ := project(t, map[string]string{})
	for args, want := range map[string]string{
		`{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending","activeForm":"doing b"}]}`: "Entries in the list: 2, completed: 1.",
		`{"todos":[{"content":"a","status":"later"}]}`:                                                               `entry 1 has the status "later": use pending, in_progress or completed`,
		`{"todos":[{"status":"pending"}]}`:                                                                           "entry 1 has no content",
		`{}`:                                                                                                         "todos is missing",
		`{"todos":"x"}`:                                                                                              "the arguments cannot be read: json: cannot unmarshal string into Go struct field .Todos of type []tools.Todo",
	} {
		r := f.Call(t.Context(), Call{Tool: plan.ToolTodo, Args: args})
		if r.Err != nil {
			r.Text = r.Err.Error()
		}
		if r.Text != want {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
}

// TestCatalog: the catalog has the tools that a Plan can name, with schemas that are valid JSON.
func TestCatalog(t *testing.T) {
	var names []string
	for _, tool := range Catalog() {
		names = append(names, tool.Name)
		if !json.Valid(tool.Schema) {
			t.Errorf("%s: %s", tool.Name, tool.Schema)
		}
	}
	if !slices.Equal(names, plan.LocalTools) {
		t.Error(names)
	}
}
