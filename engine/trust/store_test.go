package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) *Store {
	t.Helper()
	return NewStore(filepath.Join(t.TempDir(), "playhead", "trust.json"))
}

func trusted(t *testing.T, s *Store, hash string, want bool) {
	t.Helper()
	if got, err := s.IsTrusted(hash); err != nil || got != want {
		t.Errorf("Trusted(%q) = %v, %v; want %v", hash, got, err, want)
	}
}

func TestStoreTrust(t *testing.T) {
	s := newStore(t)
	trusted(t, s, "aa", false)
	for range 2 {
		if err := s.StoreTrust("aa", "a.runbook.md", noon); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.StoreTrust("bb", "b.runbook.md", noon); err != nil {
		t.Fatal(err)
	}
	again := NewStore(s.path)
	trusted(t, again, "aa", true)
	trusted(t, again, "bb", true)
	trusted(t, again, "", false)
	trusted(t, again, "a", false)
	data, err := os.ReadFile(s.path)
	if err != nil || !strings.Contains(string(data), `"path": "a.runbook.md"`) || !strings.Contains(string(data), "2026-03-01T12:00:00Z") {
		t.Errorf("the file is %s, %v", data, err)
	}
	for path, want := range map[string]os.FileMode{s.path: 0o600, filepath.Dir(s.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestDamagedFileTrustsNothing(t *testing.T) {
	for _, content := range []string{"", "{", "null", "[]", `{"aa": 1}`, "\x00\x00", `{"aa":{}} trailing`} {
		s := newStore(t)
		if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		ok, err := s.IsTrusted("aa")
		var damaged *DamagedError
		if ok || !errors.As(err, &damaged) || !strings.Contains(err.Error(), s.path) {
			t.Errorf("%q: Trusted = %v, %v", content, ok, err)
		}
		if err := s.StoreTrust("bb", "b.md", noon); err != nil {
			t.Fatal(err)
		}
		trusted(t, s, "aa", false)
		trusted(t, s, "bb", true)
		if kept, err := os.ReadFile(s.path + ".damaged"); err != nil || string(kept) != content {
			t.Errorf("put aside: %q, %v; want %q", kept, err, content)
		}
	}
}

func TestUnreadableFileTrustsNothing(t *testing.T) {
	s := newStore(t)
	if err := os.MkdirAll(s.path, 0o700); err != nil { // a folder in place of the file
		t.Fatal(err)
	}
	if ok, err := s.IsTrusted("aa"); ok || err == nil {
		t.Errorf("Trusted = %v, %v", ok, err)
	}
	if err := s.StoreTrust("aa", "a.md", noon); err == nil || !strings.Contains(err.Error(), "cannot record") {
		t.Errorf("Remember = %v", err)
	}
}

func TestFailedSaveLeavesNothingBehind(t *testing.T) {
	s := newStore(t)
	if err := os.MkdirAll(s.path, 0o700); err != nil { // a file cannot replace a folder
		t.Fatal(err)
	}
	if err := s.save(map[string]storeEntry{"aa": {}}); err == nil {
		t.Error("want an error")
	}
	left, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestNothingIsLostBetweenWriters: stores that write the same file lose no entry. They share only the file, as
// processes do, because each open file has its own lock.
func TestNothingIsLostBetweenWriters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trust.json")
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for n := range 10 {
				if err := NewStore(file).StoreTrust(fmt.Sprintf("%d-%d", w, n), "a.md", noon); err != nil {
					t.Error(err)
				}
				if _, err := NewStore(file).IsTrusted("x"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	for w := range 4 {
		for n := range 10 {
			trusted(t, NewStore(file), fmt.Sprintf("%d-%d", w, n), true)
		}
	}
}

// TestTrustsVersionOf: an older version is found by its absolute path only, because another document may have the same
// relative path.
func TestTrustsVersionOf(t *testing.T) {
	s := newStore(t)
	for hash, path := range map[string]string{"aa": "/work/a.md", "bb": "b.md"} {
		if err := s.StoreTrust(hash, path, noon); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{"/work/a.md": true, "/other/a.md": false, "b.md": false} {
		if got := s.TrustsVersionOf(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
