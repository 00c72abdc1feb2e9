package runs

import (
	"testing"

	"playhead/engine/journal"
)

// TestShortFolder: a person's own folder is ~.
func TestShortFolder(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for path, want := range map[string]string{
		"/home/me": "~", "/home/me/one/two": "~/one/two", "/home/meg": "/home/meg", "/srv": "/srv",
	} {
		if got := ShortFolder(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestPathFrom: documents of other folders can be told apart.
func TestPathFrom(t *testing.T) {
	for _, c := range []struct{ folder, path, want string }{
		{"/home/me/one", "a.md", "a.md"},
		{"/home/me/two", "a.md", "../two/a.md"},
		{"/home/me/one/below", "a.md", "below/a.md"},
		{"/srv", "a.md", "/srv/a.md"},
		{"/srv", "/etc/a.md", "/etc/a.md"},
		{"/srv", "example:release", "example:release"},
		{"", "a.md", "a.md"},
	} {
		if got := DocumentPathFrom("/home/me/one", journal.Summary{StartFolder: c.folder, Path: c.path}); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.path, c.folder, got, c.want)
		}
	}
}
