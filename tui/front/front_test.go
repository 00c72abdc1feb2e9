package front

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"playhead/engine/journal"
	"playhead/tui/list"
	"playhead/tui/terminal"
)

// frontOf returns a front screen that has a run, and has found documents later.
func frontOf(w, h int) *model {
	preview := func(text string) func(int) []string {
		return func(w int) []string { return []string{text, fmt.Sprintf("for %d cells", w)} }
	}
	m := newModel(Config{
		Headline: "playhead --help lists the commands",
		Entries: []Entry{
			{Group: "recent runs", Name: "7f3a Release 1.4.0", Details: "at 5, awaiting input", Age: "2 minutes ago", Preview: preview("what it did"), Target: OpenTarget{File: "7f3a"}},
		},
		FindMore: func() FoundEntries {
			return FoundEntries{Entries: []Entry{
				{Group: "documents here", Name: "deploy.runbook.md", Details: "Rundown", Preview: preview("its \x1b[31msteps"), Target: OpenTarget{File: "deploy"}},
				{Group: "documents here", Name: "資料/手順.playbook.md", Details: "playbook", Preview: preview("其の"), Target: OpenTarget{File: "wide"}},
				{Group: "examples that are built in", Name: "example:release", Preview: preview("the release"), Target: OpenTarget{File: "release"}},
			}}
		},
	})
	m.feed(tea.WindowSizeMsg{Width: w, Height: h})
	m.feed(entriesMsg(m.FindMore()))
	return m
}

// feed updates the model with a message and with the preview that the message leads to.
func (m *model) feed(msg tea.Msg) {
	_, cmd := m.Update(msg)
	if cmd == nil {
		return
	}
	if p, ok := cmd().(previewMsg); ok {
		m.Update(p)
	}
}

func (m *model) press(keys ...string) {
	for _, k := range keys {
		m.feed(terminal.KeyPress(k))
	}
}

func TestFront(t *testing.T) {
	for _, size := range [][2]int{{160, 48}, {120, 40}, {80, 24}, {60, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m := frontOf(size[0], size[1])
			m.press("down")
			for i, line := range strings.Split(m.drawFrame(), "\n") {
				if w := ansi.StringWidth(line); w != size[0] {
					t.Errorf("line %d has %d cells", i, w)
				}
			}
			golden.RequireEqual(t, ansi.Strip(m.drawFrame())+"\n")
		})
	}
}

// TestFrontWithLongNames: details for which a name leaves too little room are left out instead of cut. The position in
// the list still shows.
func TestFrontWithLongNames(t *testing.T) {
	m := newModel(Config{Entries: []Entry{
		{Name: "deploy.runbook.md", Details: "Rundown"}, {Name: "services/checkout/deploy-and-verify.runbook.md", Details: "Rundown"},
	}})
	m.feed(tea.WindowSizeMsg{Width: 60, Height: 12})
	m.press("down")
	if got := m.drawFrame(); strings.Count(got, "Rundown") != 1 || strings.Contains(got, "Run…") || !strings.Contains(got, "2 of 2") {
		t.Error(got)
	}
	m.press("z", "z")
	if got := m.drawFrame(); strings.Contains(got, "enter open") {
		t.Error(got)
	}
}

// TestFrontTellsRunsApart: the step and the result of a run show even beside a long title.
func TestFrontTellsRunsApart(t *testing.T) {
	title := " 発布手順 with a title that is as long as the screen is wide"
	m := newModel(Config{Entries: []Entry{
		{Name: "78ff" + title, Details: "at 1, halted", Age: "a minute ago"}, {Name: "dec4" + title, Details: "completed", Age: "an hour ago"},
	}})
	m.feed(tea.WindowSizeMsg{Width: 60, Height: 12})
	got := ansi.Strip(m.drawFrame())
	for _, want := range []string{"78ff 発布手順", "at 1, halted  a minute ago │", "dec4 発布手順", "completed      an hour ago │"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestFrontFindsEveryRun: the list shows the newest runs, first those of the current folder, and a query finds all
// runs. Runs of other folders come after the documents of this one and name their folder.
func TestFrontFindsEveryRun(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	began := time.Now().Add(-150 * time.Minute)
	var all []journal.RunSummary
	for i := range 15 {
		all = append(all, journal.RunSummary{Run: fmt.Sprintf("a%03d", i), Title: "Move the tenants of a region to another one", Result: "completed", Step: "4", StartFolder: "/home/me/operations/tenants", Started: began})
	}
	all[14].Title = "Rotate the keys"
	all = append(all, journal.RunSummary{Run: "b000", Title: "Release", Result: journal.Running, Step: "2", StartFolder: "/home/me/shop", Started: began})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "keys.runbook.md"), []byte("# Keys\n## 1. Ask\n- YES: COMPLETE\n- NO: STOP\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here, others, hidden := runEntries(all, "/home/me/shop")
	found := FindEntries(dir, dir, others).Entries
	found = append(found[:1+len(others)], hidden...) // without the examples
	for _, entries := range [][]Entry{here, found} {
		for i := range entries {
			entries[i].Preview = nil
		}
	}
	for _, size := range [][2]int{{120, 20}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			m := newModel(Config{Entries: here, FindMore: func() FoundEntries { return FoundEntries{Entries: found} }})
			m.feed(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.feed(entriesMsg(m.FindMore()))
			listed := ansi.Strip(m.drawFrame())
			m.press("k", "e", "y", "s")
			golden.RequireEqual(t, listed+"\n"+ansi.Strip(m.drawFrame())+"\n")
		})
	}
}

// TestFrontFindsTitles: a query finds a document by its title. The document opens by its path relative to the working
// folder.
func TestFrontFindsTitles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x1.runbook.md"), []byte("# Rotate keys\n## 1. Ask\n- YES: COMPLETE\n- NO: STOP\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newModel(Config{Entries: FindEntries(dir, filepath.Dir(dir), nil).Entries})
	m.feed(tea.WindowSizeMsg{Width: 80, Height: 20})
	m.press("r", "o", "t", "a", "t", "e")
	want := OpenTarget{File: filepath.Join(filepath.Base(dir), "x1.runbook.md")}
	if item, ok := m.finder.SelectedItemIndex(); !ok || m.entries[item].Target != want || m.entries[item].Name != "x1.runbook.md" {
		t.Errorf("found %v: %+v", ok, m.finder.MatchingItems)
	}
}

// TestFrontFilter: typed text filters the list, and esc shows all entries again.
func TestFrontFilter(t *testing.T) {
	m := frontOf(120, 20)
	m.press("r", "e", "l", "x")
	if frame := ansi.Strip(m.drawFrame()); !strings.Contains(frame, "Nothing matches. Press esc to show all.") {
		t.Error(frame)
	}
	m.press("enter")
	if m.chosenIndex >= 0 {
		t.Error("enter opens an entry although nothing matches")
	}
	m.press("backspace")
	if frame := ansi.Strip(m.drawFrame()); !strings.Contains(frame, "Release 1.4.0") || strings.Contains(frame, "deploy") {
		t.Error(frame)
	}
	m.press("ctrl+u", "p", "l", "o", "y")
	if item, _ := m.finder.SelectedItemIndex(); m.entries[item].Target.File != "deploy" {
		t.Errorf("ploy finds %q", m.entries[item].Name)
	}
	m.press("esc")
	if m.finder.Query != "" || len(m.finder.MatchingItems) != 4 {
		t.Error("esc does not show all")
	}
	m.press("end", "enter")
	if m.chosenIndex != 3 {
		t.Errorf("opened %d", m.chosenIndex)
	}
}

// TestFrontByMouse: a click selects an entry, and a second click opens it.
func TestFrontByMouse(t *testing.T) {
	m := frontOf(120, 20)
	y := 0
	for i, line := range strings.Split(ansi.Strip(m.drawFrame()), "\n") {
		if strings.Contains(line, "deploy.runbook.md") {
			y = i
		}
	}
	click := tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft}
	m.feed(click)
	if item, _ := m.finder.SelectedItemIndex(); m.entries[item].Target.File != "deploy" || m.chosenIndex >= 0 {
		t.Errorf("chose %q, opened %d", m.entries[item].Name, m.chosenIndex)
	}
	m.feed(click)
	if m.chosenIndex < 0 || m.entries[m.chosenIndex].Target.File != "deploy" {
		t.Errorf("opened %d", m.chosenIndex)
	}
}

// TestFrontSaysWhatIsMissing: if no document was found, the screen says so above everything else.
func TestFrontSaysWhatIsMissing(t *testing.T) {
	var others []Entry
	for i := range 20 {
		others = append(others, Entry{Group: "runs in other folders", Name: fmt.Sprintf("%d Release", i)})
	}
	m := newModel(Config{FindMore: func() FoundEntries {
		return FoundEntries{Entries: append(others, Entry{Group: "examples", Name: "example:release"}), NothingFoundText: "No documents are here: playhead FILE opens one."}
	}})
	m.feed(tea.WindowSizeMsg{Width: 60, Height: 12})
	m.feed(entriesMsg(m.FindMore()))
	if got := ansi.Strip(m.drawFrame()); !strings.Contains(got, "│ No documents are here: playhead FILE opens one. ") {
		t.Error(got)
	}
}

// TestFinderRanks: an item that contains the query in one piece ranks before one that only contains its letters.
func TestFinderRanks(t *testing.T) {
	f := list.NewFinder([]string{"77 Seven", "770 More", "1777 Most", "777 Sevens", "7777 Too many", "x 777"})
	f.Query = "777"
	f.Filter()
	var got []string
	for _, h := range f.MatchingItems {
		got = append(got, strings.Fields(f.Items[h.ItemIndex])[0])
	}
	if want := "777 7777 "; !strings.HasPrefix(strings.Join(got, " "), want) || got[len(got)-1] == "x" {
		t.Errorf("ranks %v", got)
	}
}

// TestLateResultsKeepChoice: results that arrive while a person chooses do not move the selection.
func TestLateResultsKeepChoice(t *testing.T) {
	m := newModel(Config{Entries: []Entry{{Name: "a"}, {Name: "b"}}, FindMore: func() FoundEntries { return FoundEntries{} }})
	m.feed(tea.WindowSizeMsg{Width: 80, Height: 20})
	if frame := ansi.Strip(m.drawFrame()); !strings.Contains(frame, "looking for documents here …") {
		t.Error(frame)
	}
	m.press("down")
	m.feed(entriesMsg{Entries: []Entry{{Name: "c"}}})
	if item, _ := m.finder.SelectedItemIndex(); m.entries[item].Name != "b" {
		t.Errorf("chose %q", m.entries[item].Name)
	}
}

// TestFrontColumns: the steps and ages of runs stand in columns, even beside a title that is cut. A preview is wrapped
// instead of cut.
func TestFrontColumns(t *testing.T) {
	runs := []Entry{
		{Name: "3821 Triage an incident report", Details: "5", Age: "13 min ago"},
		{Name: "84f1 Changelog", Details: "closure.changes", Age: "2 h ago"},
	}
	runs[0].Preview = func(int) []string { return []string{strings.Repeat("a word and ", 12) + "the end"} }
	for _, w := range []int{160, 120, 80, 60} {
		m := newModel(Config{Entries: runs})
		m.feed(tea.WindowSizeMsg{Width: w, Height: 20})
		lines := strings.Split(ansi.Strip(m.drawFrame()), "\n")
		at := func(line int, text string) int {
			before, _, found := strings.Cut(lines[line], text)
			if !found {
				t.Fatalf("%d: no %q in %q", w, text, lines[line])
			}
			return ansi.StringWidth(before + text)
		}
		if at(3, "13 min ago") != at(4, "2 h ago") || at(3, " 5  ")-3 != at(4, "closure.changes")-len("closure.changes") {
			t.Errorf("%d:\n%s\n%s", w, lines[3], lines[4])
		}
		if !strings.Contains(strings.Join(lines, "\n"), "the end") {
			t.Errorf("%d: the preview is cut:\n%s", w, strings.Join(lines, "\n"))
		}
	}
}

// TestFrontShowsHowLongThePreviewIs: the border beside a preview that does not fit has a scrollbar thumb.
func TestFrontShowsHowLongThePreviewIs(t *testing.T) {
	for _, w := range []int{120, 80} {
		for lines, want := range map[int]bool{5: false, 40: true} {
			m := newModel(Config{Entries: []Entry{{Name: "deploy.runbook.md", Preview: func(int) []string { return make([]string, lines) }}}})
			m.feed(tea.WindowSizeMsg{Width: w, Height: 24})
			m.press("down")
			got := ansi.Strip(m.drawFrame())
			if has := strings.Contains(got, "┃\n"); has != want {
				t.Errorf("%d lines, %d cells: thumb %v in\n%s", lines, w, has, got)
			}
		}
	}
}
