// Package front is the first screen, where nothing was named: a list of what can be opened,
// which is found as it is typed, with a preview beside it.
package front

import (
	"cmp"
	"context"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/terminal"
)

// Entry is something that can be opened.
type Entry struct {
	Group    string                   // under which it is listed; entries of a group stand together
	Name     string                   // what it is looked for by
	Folder   string                   // where it belongs, if that is another folder than the current one
	Sign     func(*draw.Look) string  // one cell in front of it; nil: none
	State    string                   // what the sign says, in a word
	About    string                   // a few words beside it
	Age      string                   // behind them, where there is room
	IsHidden bool                     // only a query lists it
	Preview  func(width int) []string // what it is, in lines of plain text
	Open     any                      // the caller's
}

// title is the name, and the folder behind it.
func (e Entry) title() string {
	if e.Folder == "" {
		return draw.Clean(e.Name)
	}
	return draw.Clean(e.Name + folderGap + e.Folder)
}

// Config is what the first screen offers to open.
type Config struct {
	Entries  []Entry
	Find     func() Results // more of them, which take a while to find; nil: there are none
	NoColor  bool
	Themes   themes.Pair
	Headline string
}

// Results are the entries that Find found.
type Results struct {
	Entries     []Entry
	MissingText string // what to say of what there is not; "": nothing
}

// Choose has a person choose an entry. ok is false where they left instead.
func Choose(ctx context.Context, f Config) (chosen Entry, ok bool, err error) {
	m := newModel(f)
	opts := append(terminal.Options(ctx, f.NoColor), tea.WithOutput(os.Stdout))
	p := tea.NewProgram(m, opts...)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go terminal.HearResumes(ctx, p.Send)
	if _, err = p.Run(); err != nil && ctx.Err() == nil {
		return chosen, false, err
	}
	if m.opened < 0 {
		return chosen, false, nil
	}
	return m.entries[m.opened], true, nil
}

// model is the model of that screen.
type model struct {
	Config
	look          *draw.Look
	finder        *list.Finder
	entries       []Entry
	longestRun    int // the width of the longest name of those with an age
	hidden        int // how many entries only a query lists
	previews      map[int][]string
	previewsAsked map[int]bool
	looking       bool                 // more is being found
	missingText   string               // what there is not
	profile       colorprofile.Profile // of the terminal's colours
	dark          bool                 // its background
	answered      bool                 // which it has told
	w, h          int
	opened        int // -1: nothing yet
}

// The messages of the front: what was found, and what an entry is.
type (
	entriesMsg Results
	previewMsg struct {
		entry int
		lines []string
	}
)

func newModel(f Config) *model {
	switch {
	case f.NoColor:
		f.Themes = themes.Always(themes.Plain())
	case f.Themes == themes.Pair{}:
		f.Themes = themes.Usual()
	}
	m := &model{
		Config: f, look: draw.New(f.Themes.For(true), keymap.Map{}), finder: list.NewFinder(nil), profile: colorprofile.TrueColor, dark: true,
		previews: map[int][]string{}, previewsAsked: map[int]bool{}, looking: f.Find != nil, opened: -1,
	}
	m.finder.IsHidden = func(item int) bool { return m.entries[item].IsHidden }
	m.take(f.Entries)
	return m
}

// take lists more entries, each with its group.
func (m *model) take(entries []Entry) {
	var texts []string
	for _, e := range entries {
		if e.Age != "" && !e.IsHidden {
			m.longestRun = max(m.longestRun, m.look.Width(e.title()))
		}
		if e.IsHidden {
			m.hidden++
		}
		texts = append(texts, draw.Clean(e.title()+" "+e.About))
	}
	m.entries = append(m.entries, entries...)
	m.finder.Add(texts...)
}

// Init looks for more.
func (m *model) Init() tea.Cmd {
	find := func() tea.Msg { return nil }
	if m.Find != nil {
		find = func() tea.Msg { return entriesMsg(m.Find()) }
	}
	silent := tea.Tick(terminal.AnswerTime, func(time.Time) tea.Msg { return terminal.NoAnswer{} })
	return tea.Batch(tea.RequestBackgroundColor, silent, find, m.preview())
}

// Update takes a message over.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		clear(m.previewsAsked) // the previews have another width
	case tea.BackgroundColorMsg:
		m.dark, m.answered = msg.IsDark(), true
		m.look.Styles = themes.New(m.Themes.For(m.dark).ForProfile(m.profile))
	case terminal.NoAnswer:
		m.answered = true
	case tea.ColorProfileMsg:
		m.profile = msg.Profile
		m.look.Styles = themes.New(m.Themes.For(m.dark).ForProfile(m.profile))
	case entriesMsg:
		m.looking, m.missingText = false, msg.MissingText
		m.take(msg.Entries)
	case previewMsg:
		m.previews[msg.entry] = msg.lines
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case terminal.Resumed:
		return m, terminal.Restored()
	}
	return m, m.preview()
}

// key chooses, filters, opens and leaves.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	switch keys := m.look.Keys; {
	case keys.Is(k, "accept"):
		return m.open()
	case keys.Is(k, "interrupt"):
		return tea.Quit
	case keys.Is(k, "suspend"):
		return terminal.Stop()
	case keys.Is(k, "close"):
		if m.finder.Query == "" {
			return tea.Quit
		}
		m.finder.Query = ""
		m.finder.Filter()
	default:
		m.finder.Key(m.look.Keys, k)
	}
	return m.preview()
}

// open ends with the chosen entry.
func (m *model) open() tea.Cmd {
	item, ok := m.finder.Chosen()
	if !ok {
		return nil
	}
	m.opened = item
	return tea.Quit
}

func (m *model) wheel(w tea.MouseWheelMsg) {
	by := 1
	if w.Button == tea.MouseWheelUp {
		by = -1
	}
	m.finder.Move(by)
}

// click chooses a line, and opens what is chosen already.
func (m *model) click(c tea.MouseClickMsg) tea.Cmd {
	lines, _ := m.list()
	i := m.finder.Top + c.Y - headLines
	if c.Y < headLines || i >= len(lines) || lines[i].hit < 0 {
		return nil
	}
	if lines[i].hit == m.finder.At {
		return m.open()
	}
	m.finder.At = lines[i].hit
	return m.preview()
}

// preview asks what the chosen entry is, once.
func (m *model) preview() tea.Cmd {
	item, ok := m.finder.Chosen()
	if !ok || m.w == 0 || m.previewsAsked[item] || m.entries[item].Preview == nil {
		return nil
	}
	m.previewsAsked[item] = true
	show := m.entries[item].Preview
	left, right := m.widths()
	return func() tea.Msg { return previewMsg{item, show(cmp.Or(right, left))} }
}
