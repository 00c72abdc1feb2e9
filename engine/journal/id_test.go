package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIDsGrowWhenTheyAreTaken(t *testing.T) {
	dir := t.TempDir()
	same := func(digits int) string { return strings.Repeat("a", digits) }
	for _, want := range []string{"aaaa", "aaaaa", "aaaaaa"} {
		got, err := createFolder(dir, same)
		if err != nil || filepath.Base(got) != want {
			t.Errorf("newFolder = %s, %v; want %s", got, err, want)
		}
	}
	for range 10 {
		if _, err := createFolder(dir, same); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := createFolder(dir, same); err == nil || !strings.Contains(err.Error(), "remove old runs") {
		t.Errorf("newFolder = %v", err)
	}
	if _, err := createFolder(filepath.Join(dir, "none"), same); err == nil {
		t.Error("want an error")
	}
}

func TestRandomIDs(t *testing.T) {
	for digits := shortestID; digits <= longestID; digits++ {
		if id := randomID(digits); len(id) != digits || !idPattern.MatchString(id) {
			t.Errorf("randomID(%d) = %q", digits, id)
		}
	}
}

func TestFind(t *testing.T) {
	s := NewStore(t.TempDir())
	for _, name := range []string{"ab12", "ab123", "ab9f", "c0de", "notes", "deadbeef"} {
		if err := os.Mkdir(filepath.Join(s.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(s.dir, "beef"), nil) // a file is not a run
	cases := map[string]struct{ want, err string }{
		"ab12":    {want: "ab12"}, // although another ID begins with it
		"ab123":   {want: "ab123"},
		"c":       {want: "c0de"},
		"C0":      {want: "c0de"},
		"d":       {want: "deadbeef"},
		"ab1":     {err: "ab12, ab123"},
		"ab":      {err: "ab12, ab123, ab9f"},
		"beef":    {err: "no run"},
		"notes":   {err: "no run"},
		"":        {err: "no run"},
		"..":      {err: "no run"},
		"../runs": {err: "no run"},
		"c0de/..": {err: "no run"},
	}
	for id, c := range cases {
		f, err := s.findFolder(id)
		if c.err == "" && (err != nil || f.ID() != c.want) {
			t.Errorf("find(%q) = %s, %v; want %s", id, f.ID(), err, c.want)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("find(%q) = %v, want an error with %q", id, err, c.err)
		}
	}
}

func TestNoRunsYet(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "none"))
	if all, err := s.List(); err != nil || all == nil || len(all) > 0 {
		t.Errorf("List = %v, %v; want an empty list", all, err)
	}
	if _, err := s.ReadHistory("ab12"); err == nil {
		t.Error("want an error")
	}
	if _, _, err := s.Open("ab12"); err == nil {
		t.Error("want an error")
	}
}
