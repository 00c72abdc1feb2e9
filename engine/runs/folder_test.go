package runs

import (
	"testing"

	"playhead/engine/journal"
	"playhead/parse/plan"
)

// TestShortFolder: the home folder is written as ~.
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

// TestPathFrom: the path of a document in another folder includes that folder.
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
		if got := DocumentPathFrom("/home/me/one", journal.RunSummary{StartFolder: c.folder, Path: c.path}); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.path, c.folder, got, c.want)
		}
	}
}

// TestRunToActOn: a run that can continue is found, the one that needs somebody first. A fork that nobody has opened does
// not compete with the original run, unless that one is over.
func TestRunToActOn(t *testing.T) {
	run := func(id, result string) journal.RunSummary { return journal.RunSummary{Run: id, Result: result} }
	fork := func(id, result string) journal.RunSummary {
		return journal.RunSummary{Run: id, Result: result, IsUnopenedFork: true}
	}
	waits, completed, cancelled := string(plan.Awaiting), string(plan.Completed), string(plan.Cancelled)
	paused := run("p", waits)
	paused.State = "paused"
	for _, c := range []struct {
		name string
		runs []journal.RunSummary
		want string // "" if there is none, or more than one
	}{
		{"waiting", []journal.RunSummary{fork("b", waits), run("a", waits)}, "a"},
		{"interrupted", []journal.RunSummary{fork("b", waits), fork("c", ""), run("a", "")}, "a"},
		{"completed", []journal.RunSummary{fork("b", waits), run("a", completed)}, "b"},
		{"with a fork that is over", []journal.RunSummary{fork("c", completed), fork("b", ""), run("a", completed)}, "b"},
		{"nothing to continue", []journal.RunSummary{fork("b", completed), run("a", completed)}, ""},
		{"with a live fork", []journal.RunSummary{fork("b", journal.Running), run("a", completed)}, "b"},
		{"two that wait", []journal.RunSummary{run("b", waits), run("a", waits)}, ""},
		{"a paused one and one that was interrupted", []journal.RunSummary{run("b", ""), paused}, "p"},
		{"one that waits and a paused one", []journal.RunSummary{run("a", waits), paused}, ""},
		{"cancelled", []journal.RunSummary{fork("b", waits), run("a", cancelled), run("c", completed)}, "a"},
		{"one that is running and a cancelled one", []journal.RunSummary{run("b", cancelled), run("a", journal.Running)}, "a"},
		{"two cancelled ones", []journal.RunSummary{run("b", cancelled), run("a", cancelled)}, ""},
		{"two forks", []journal.RunSummary{fork("c", waits), fork("b", waits), run("a", completed)}, ""},
	} {
		if got, err := RunToActOn(c.runs); got != c.want || (err == nil) != (got != "") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
