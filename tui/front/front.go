// Package front is the first screen, which opens if no file or run is named: a list of what can be
// opened, filtered by what the person types, with a preview.
package front

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/terminal"
)

// Entry is something that can be opened. The query is matched with Name, Folder, Details and SearchText.
type Entry struct {
	Group      string                     // the heading in the list; entries of a group are adjacent
	Name       string                     // of the document, or the ID of the run
	Folder     string                     // the folder of the run, if it is not the current one
	Glyph      func(*draw.Context) string // returns the glyph before the name; nil: none
	StateWord  string                     // the meaning of the glyph in a word
	Details    string                     // a few words beside the name
	SearchText string                     // not shown, such as a title
	Age        string                     // shown after the details if there is room
	IsHidden   bool                       // only a query lists it
	Preview    func(width int) []string   // describes the entry in lines of plain text
	Target     OpenTarget                 // what it opens
}

// titleWithFolder returns the name, followed by the folder.
func (e Entry) titleWithFolder() string {
	if e.Folder == "" {
		return draw.CleanLine(e.Name)
	}
	return draw.CleanLine(e.Name + folderGap + e.Folder)
}

// Config is what the first screen offers to open.
type Config struct {
	Entries  []Entry
	FindMore func() FoundEntries // finds more entries, which takes a while; nil: there are none
	NoColor  bool
	Themes   themes.Pair
	Headline string
}

// FoundEntries is the result of Config.FindMore.
type FoundEntries struct {
	Entries          []Entry
	NothingFoundText string // a sentence that says what was not found; "": none
}

// Choose lets a person choose an entry. ok is false if they leave instead.
func Choose(ctx context.Context, f Config) (chosen Entry, ok bool, err error) {
	m := newModel(f)
	opts := append(terminal.ProgramOptions(ctx, f.NoColor), tea.WithOutput(os.Stdout))
	p := tea.NewProgram(m, opts...)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go terminal.SendResumes(ctx, p.Send)
	if _, err = p.Run(); err != nil && ctx.Err() == nil {
		return chosen, false, err
	}
	if m.chosenIndex < 0 {
		return chosen, false, nil
	}
	return m.entries[m.chosenIndex], true, nil
}

// model is the tea.Model of the first screen.
type model struct {
	Config
	drawContext        *draw.Context
	finder             *list.Finder
	entries            []Entry
	maxRunTitleWidth   int // the maximum width of the titles of runs
	hiddenCount        int // the number of entries that only a query lists
	previewByEntry     map[int][]string
	isPreviewRequested map[int]bool
	isFinding          bool                 // more entries are being found
	nothingFoundText   string               // a sentence that says what was not found
	colourProfile      colorprofile.Profile // the terminal's colours
	isDark             bool                 // the terminal has a dark background
	isBackgroundKnown  bool                 // the background is known, or the terminal has had the time to report it
	width, height      int
	chosenIndex        int // the index of the chosen entry; -1: none yet
}

// The messages with found entries, and with the preview of an entry.
type (
	entriesMsg FoundEntries
	previewMsg struct {
		entryIndex int
		lines      []string
	}
)

func newModel(f Config) *model {
	switch {
	case f.NoColor:
		f.Themes = themes.UniformPair(themes.PlainPalette())
	case f.Themes == themes.Pair{}:
		f.Themes = themes.DefaultPair()
	}
	m := &model{
		Config: f, drawContext: draw.New(f.Themes.ForBackground(true), keymap.Map{}), finder: list.NewFinder(nil), colourProfile: colorprofile.TrueColor, isDark: true,
		previewByEntry: map[int][]string{}, isPreviewRequested: map[int]bool{}, isFinding: f.FindMore != nil, chosenIndex: -1,
	}
	m.finder.IsHidden = func(item int) bool { return m.entries[item].IsHidden }
	m.addEntries(f.Entries)
	return m
}

// addEntries adds entries to the list.
func (m *model) addEntries(entries []Entry) {
	var texts []string
	for _, e := range entries {
		if e.Age != "" && !e.IsHidden {
			m.maxRunTitleWidth = max(m.maxRunTitleWidth, m.drawContext.Width(e.titleWithFolder()))
		}
		if e.IsHidden {
			m.hiddenCount++
		}
		texts = append(texts, draw.CleanLine(strings.TrimSpace(e.titleWithFolder()+" "+e.Details+" "+e.SearchText)))
	}
	m.entries = append(m.entries, entries...)
	m.finder.AddItems(texts...)
}

// Init starts to find more entries.
func (m *model) Init() tea.Cmd {
	find := func() tea.Msg { return nil }
	if m.FindMore != nil {
		find = func() tea.Msg { return entriesMsg(m.FindMore()) }
	}
	silent := tea.Tick(terminal.AnswerTimeout, func(time.Time) tea.Msg { return terminal.NoAnswer{} })
	return tea.Batch(tea.RequestBackgroundColor, silent, find, m.requestPreview())
}

// Update handles a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		clear(m.isPreviewRequested) // the previews have another width
	case tea.BackgroundColorMsg:
		m.isDark, m.isBackgroundKnown = msg.IsDark(), true
		m.drawContext.Styles = themes.NewStyles(m.Themes.ForBackground(m.isDark).ForProfile(m.colourProfile))
	case terminal.NoAnswer:
		m.isBackgroundKnown = true
	case tea.ColorProfileMsg:
		m.colourProfile = msg.Profile
		m.drawContext.Styles = themes.NewStyles(m.Themes.ForBackground(m.isDark).ForProfile(m.colourProfile))
	case entriesMsg:
		m.isFinding, m.nothingFoundText = false, msg.NothingFoundText
		m.addEntries(msg.Entries)
	case previewMsg:
		m.previewByEntry[msg.entryIndex] = msg.lines
	case tea.MouseWheelMsg:
		m.handleWheel(msg)
	case tea.MouseClickMsg:
		return m, m.handleClick(msg)
	case tea.KeyPressMsg:
		return m, m.handleKey(msg)
	case terminal.Resumed:
		return m, terminal.ResumeScreen()
	}
	return m, m.requestPreview()
}

// handleKey handles a key: it filters, moves the selection, opens an entry or quits.
func (m *model) handleKey(k tea.KeyPressMsg) tea.Cmd {
	switch keys := m.drawContext.Keys; {
	case keys.IsKeyOf(k, "accept"):
		return m.openSelected()
	case keys.IsKeyOf(k, "interrupt"):
		return tea.Quit
	case keys.IsKeyOf(k, "suspend"):
		return terminal.Suspend()
	case keys.IsKeyOf(k, "close"):
		if m.finder.Query == "" {
			return tea.Quit
		}
		m.finder.Query = ""
		m.finder.Filter()
	default:
		m.finder.HandleKey(m.drawContext.Keys, k)
	}
	return m.requestPreview()
}

// openSelected ends the program with the selected entry.
func (m *model) openSelected() tea.Cmd {
	item, ok := m.finder.SelectedItemIndex()
	if !ok {
		return nil
	}
	m.chosenIndex = item
	return tea.Quit
}

func (m *model) handleWheel(w tea.MouseWheelMsg) {
	by := 1
	if w.Button == tea.MouseWheelUp {
		by = -1
	}
	m.finder.MoveSelection(by)
}

// handleClick selects an entry, or opens the one that is already selected.
func (m *model) handleClick(c tea.MouseClickMsg) tea.Cmd {
	lines, _ := m.listRows()
	i := m.finder.TopLine + c.Y - headerLineCount
	if c.Y < headerLineCount || i >= len(lines) || lines[i].matchingIndex < 0 {
		return nil
	}
	if lines[i].matchingIndex == m.finder.SelectedIndex {
		return m.openSelected()
	}
	m.finder.SelectedIndex = lines[i].matchingIndex
	return m.requestPreview()
}

// requestPreview requests the preview of the selected entry, once for each width.
func (m *model) requestPreview() tea.Cmd {
	item, ok := m.finder.SelectedItemIndex()
	if !ok || m.width == 0 || m.isPreviewRequested[item] || m.entries[item].Preview == nil {
		return nil
	}
	m.isPreviewRequested[item] = true
	show := m.entries[item].Preview
	left, right := m.listAndPreviewWidth()
	return func() tea.Msg { return previewMsg{item, show(cmp.Or(right, left))} }
}
