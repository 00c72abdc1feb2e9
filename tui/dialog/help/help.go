// Package help is the dialog that lists the keys of a pane, from the table of keys.
package help

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/runview"
)

// Dialog takes the whole screen.
type Dialog struct {
	Pane         layout.PaneID      // the pane whose keys are listed
	Noun         string             // that pane, in a sentence
	Actions      []keymap.KeyAction // those that work there
	UsefulKeys   []draw.Hint        // the keys that are useful now
	DialogLegend [][2]string        // the signs of the dialog
	dialog.FullScreen
	list.Scroller
}

// Title returns which keys are listed.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	place := d.Noun
	if d.Pane != layout.DialogPlace {
		place += " and for all panes"
	}
	return layout.PaneTitle{Left: "KEYS", Right: run.DrawContext.Muted.Paint("for " + place)}
}

// The minimum width of a column of help, and the maximum width of the keys in it.
const (
	minColumnWidth    = 36
	maxKeyColumnWidth = 12
)

// View lays out the help in the fewest columns that show all of it, or else in as many as fit.
func (d *Dialog) View(run *runview.Run, w, height int) []string {
	dc := run.DrawContext
	var all []string
	for n := 1; n == 1 || n*(minColumnWidth+columnGap)-columnGap <= w; n++ {
		each := (w - (n-1)*columnGap) / n
		if all = layoutColumns(dc, d.groupLines(run, each), n, each); len(all) <= height {
			break
		}
	}
	return d.VisibleLines(dc, all, height)
}

// entry is a key or a sign with what it does or means.
type entry struct{ keysOrSign, meaning string }

// group is a titled list of entries.
type group struct {
	title    string
	keyStyle themes.Style // of the keys or signs
	entries  []entry
}

// groupLines returns the lines of each group, of w cells: keys, the mouse, and the signs on the screen.
func (d *Dialog) groupLines(run *runview.Run, w int) [][]string {
	dc := run.DrawContext
	all := append(d.dialogGroups(dc), d.actionGroups(run)...)
	all = append(all, group{"mouse", dc.Key, []entry{
		{"click", "selects; on a hint, presses its key"}, {"double-click", "opens a step"},
		{"drag", "copies text; moves a border"}, {"wheel", "scrolls the pane under the pointer"},
	}}, group{"symbols", dc.Text, stepLegend})
	out := make([][]string, len(all))
	for i, g := range all {
		out[i] = g.lines(dc, w)
	}
	return out
}

// actionGroups returns the groups of actions that work in the pane. Hints show the keys that a dialog uses itself.
func (d *Dialog) actionGroups(run *runview.Run) (out []group) {
	dc, name := run.DrawContext, ""
	for _, a := range d.Actions {
		bound := dc.Keys.Keys(a.Name)
		free := slices.DeleteFunc(slices.Clone(bound), func(key string) bool { return d.usesKey(dc, key, a.Name) })
		if len(bound) > 0 && len(free) == 0 {
			continue
		}
		if a.Group != name {
			name = a.Group
			out = append(out, group{title: name, keyStyle: dc.Key})
		}
		last := &out[len(out)-1]
		last.entries = append(last.entries, entry{keymap.ReadableKeys(free), a.Help(run.IsReplay)})
	}
	return out
}

// usesKey reports whether the dialog uses a key of an action of the screen for something else.
func (d *Dialog) usesKey(dc *draw.Context, key, action string) bool {
	return d.Pane == layout.DialogPlace && slices.ContainsFunc(d.UsefulKeys, func(one draw.Hint) bool {
		return one.Action != action && (keymap.NamesKey(one.Key, key) || slices.Contains(dc.Keys.Keys(one.Action), key))
	})
}

// dialogGroups returns the keys and signs of the dialog.
func (d *Dialog) dialogGroups(dc *draw.Context) (out []group) {
	if len(d.UsefulKeys) > 0 {
		now := group{title: "useful now", keyStyle: dc.Key}
		for _, one := range d.UsefulKeys {
			now.entries = append(now.entries, entry{one.Key, one.Text})
		}
		out = append(out, now)
	}
	if len(d.DialogLegend) > 0 {
		here := group{title: "symbols in this dialog", keyStyle: dc.Text}
		for _, s := range d.DialogLegend {
			here.entries = append(here.entries, entry{s[0], s[1]})
		}
		out = append(out, here)
	}
	return out
}

// stepLegend explains what stands beside the steps.
var stepLegend = []entry{
	{"▶", "where the run is"}, {"○", "pending"}, {"✓ ✗ –", "passed, failed, skipped"}, {"↷", wording.LeftUndecidedText}, {"?", "waits for a person"},
	{"◇", wording.TargetOnlyText}, {"▸ ▾", "folded, open"}, {"━▸", "the route that was taken"}, {"● ◌", "breakpoint (◌ does not pause)"}, {"•", "a substep is running"}, {"×2", "attempts in all"},
	{"△", "a warning"}, {"!", "changed by a person"}, {"⇢", "a person sent the run to another step"}, {"›", "an answer"},
	{"‖", "paused, or interrupted"}, {"━ ╍ ┄", "progress: begun, skipped, still to come"}, {"┇", "continuation of a wrapped line"},
}

// lines returns the title of a group, and below it the keys or signs in one column and what they do or mean
// in another. The columns divide the width so that there are the fewest lines.
func (g group) lines(dc *draw.Context, w int) (out []string) {
	widest := 0
	for _, e := range g.entries {
		widest = min(maxKeyColumnWidth, max(widest, dc.Width(e.keysOrSign)+2))
	}
	for wide := widest; wide > 0 && (out == nil || len(out) > len(g.entries)); wide-- {
		if lines := g.linesInColumns(dc, wide, w); out == nil || len(lines) < len(out) {
			out = lines
		}
	}
	return append([]string{dc.Title.Paint(g.title)}, out...)
}

// linesInColumns returns the entries with a column of wide cells for keys. Keys that are wider have lines of their
// own.
func (g group) linesInColumns(dc *draw.Context, wide, w int) (out []string) {
	for _, e := range g.entries {
		left := e.keysOrSign
		if dc.Width(left) >= wide || e.meaning == "" {
			out = append(out, dc.MarkedLines(" ", dc.PaintLines(g.keyStyle, left, w-1))...)
			left = ""
		}
		out = append(out, dc.MarkedLines(" "+g.keyStyle.Paint(dc.Fit(left, wide)), dc.Wrap(e.meaning, w-wide-1))...)
	}
	return out
}

// AllowsAction implements dialog.ActionFilter: the keys for help and quit close the dialog.
func (d *Dialog) AllowsAction(a *keymap.KeyAction) bool {
	return dialog.IsHarmlessInDialogs(a) && a.Name != "help" && a.Name != "quit"
}

// Update scrolls and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.DrawContext.Keys.IsKeyOf(k, "close", "quit", "accept", "help"):
		return dialog.Handled(dialog.Close{})
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.ActionHint("close", "back"))
}

// layoutColumns lays out blocks of lines in n columns of w cells, with the smallest possible height. It
// keeps the order and divides no block.
func layoutColumns(dc *draw.Context, blocks [][]string, n, w int) []string {
	var cols [][]string
	for height := 1; ; height++ {
		if cols = packColumns(blocks, height); len(cols) <= n && longestColumn(cols) <= height {
			break
		}
	}
	var out []string
	for i := range longestColumn(cols) {
		line := ""
		for c, col := range cols {
			if c > 0 {
				line += cells.Spaces(columnGap)
			}
			line += dc.Fit(list.ElementOrZero(col, i), w)
		}
		out = append(out, line)
	}
	return out
}

// columnGap is the number of cells between two columns of help.
const columnGap = 3

// packColumns puts blocks below each other, with a blank line between. It begins a column when a block
// would exceed the height.
func packColumns(blocks [][]string, height int) [][]string {
	var cols [][]string
	for _, b := range blocks {
		last := len(cols) - 1
		if last < 0 || len(cols[last])+1+len(b) > height {
			cols = append(cols, b[:len(b):len(b)])
			continue
		}
		cols[last] = append(append(cols[last], ""), b...)
	}
	return cols
}

// longestColumn returns the number of lines of the longest column.
func longestColumn(cols [][]string) int {
	n := 0
	for _, c := range cols {
		n = max(n, len(c))
	}
	return n
}
