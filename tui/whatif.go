package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
)

// whatIf is the card of what could have been different at a decision, each with where it
// would lead. Nothing happens until the person says so.
type whatIf struct {
	fork
	ways []guess
	pick *form.Picker
	at   *difference // whose value the person writes; nil: none is
	asks string      // the value that the decision was made for
	says []string    // what would be decided
	wide int
}

// guess is something that could have been different.
type guess struct {
	of    *difference
	value string
	own   bool // any other value
	leads *machine.Decision
}

// askWhatIf opens the card for the decision of the selected step. What would lead
// elsewhere comes first.
func (m *Model) askWhatIf() tea.Cmd {
	c := &whatIf{fork: m.forkAt(m.decider())}
	for i := range c.changes {
		c.ways = append(c.ways, c.changes[i].guesses()...)
	}
	if len(c.ways) == 0 { // an input has one value, and no other may be
		m.say("{what-if} does nothing: " + sameAnyway + ".")
		return nil
	}
	slices.SortStableFunc(c.ways, func(a, b guess) int { return cmp.Compare(c.rank(b), c.rank(a)) })
	c.pick = form.NewPicker(c.list(m.look), "")
	m.open(c)
	return nil
}

// elsewhere stands for any value that no route compares with.
const elsewhere = "…"

// guesses are what is offered in the place of something, and any other value.
func (d *difference) guesses() []guess {
	var out []guess
	for _, o := range d.offers {
		out = append(out, guess{of: d, value: o.value, leads: d.foresee(o.value)})
	}
	if d.own != nil {
		g := guess{of: d, own: true}
		if _, line := d.own.(*form.OneLine); line {
			g.leads = d.foresee(elsewhere)
		}
		out = append(out, g)
	}
	return out
}

// foresee is what would be decided, nil if nothing can be said.
func (d *difference) foresee(value string) *machine.Decision {
	e, err := d.base(d.change(value))
	if err != nil {
		return nil
	}
	return e.Body.(*machine.Decision)
}

// rank is 1 for what would lead elsewhere.
func (c *whatIf) rank(g guess) int {
	if g.leads != nil && decision.Destination(g.leads) != decision.Destination(c.made) {
		return 1
	}
	return 0
}

// longGuess is how much of a guess stands before where it leads.
const longGuess = 42

// list is each guess in words, and where it leads.
func (c *whatIf) list(l *look) []string {
	var words []string
	wide := 0
	for _, g := range c.ways {
		s := l.Cut(draw.Clean(g.words()), longGuess)
		words, wide = append(words, s), max(wide, l.Width(s))
	}
	for i, g := range c.ways {
		if g.leads != nil {
			words[i] += cells.Spaces(wide-l.Width(words[i])) + "  → " + decision.Destination(g.leads)
		}
	}
	return words
}

// words are what would be different.
func (g *guess) words() string {
	d, value := g.of, g.value
	if i := slices.IndexFunc(d.offers, func(o option) bool { return o.value == value }); i >= 0 && !g.own {
		value = d.offers[i].name
	}
	switch {
	case d.value == "" && g.own:
		return d.name + ": write another"
	case d.value == "":
		return d.name + ": " + value
	case g.own:
		return d.name + " = any other value"
	}
	return fmt.Sprintf("%s = %s, not %s", d.name, value, d.value)
}

func (c *whatIf) title(l *look) panes.Title {
	return panes.Title{Left: "WHAT IF at " + draw.Clean(c.step), Right: l.Muted.Paint("nothing happens until you say so")}
}

func (c *whatIf) Tall() bool    { return true }
func (c *whatIf) Writing() bool { return c.at != nil && c.at.own.Writes() }

// chosen is the guess under the cursor.
func (c *whatIf) chosen() *guess { return &c.ways[c.pick.At] }

func (c *whatIf) height(l *look, w int) int {
	says := len(c.foreseen(l, w))
	if c.at != nil {
		return 1 + c.at.own.Height(l, w) + says
	}
	return c.pick.Height(l, w) + says
}

func (c *whatIf) lines(l *look, w, h int) []string {
	says := c.foreseen(l, w)
	if c.at == nil {
		room := max(min(h/2, len(c.ways)), h-len(says)) // each has its own half
		return append(c.pick.Lines(l, w, room), says...)
	}
	name := c.at.name
	if c.at.value != "" {
		name += " = " + c.at.value
	}
	out := append([]string{l.Bold.Paint(l.Cut(draw.Clean(name), w))}, c.at.own.Lines(l, w, max(1, h-1-len(says)))...)
	return append(out, says...)
}

// value is the one to look at, and of what; false while it has still to be written.
func (c *whatIf) value() (*difference, string, bool) {
	if c.at != nil {
		return c.at, c.at.own.Value(), true
	}
	g := c.chosen()
	if g.own {
		return g.of, elsewhere, g.leads != nil
	}
	return g.of, g.value, true
}

// foreseen is what would be decided with the value that stands out.
func (c *whatIf) foreseen(l *look, w int) []string {
	d, value, known := c.value()
	if !known {
		c.says = nil
		return nil
	}
	key := fmt.Sprintf("%p %s", d, value)
	if c.says != nil && key == c.asks && w == c.wide {
		return c.says
	}
	c.asks, c.wide = key, w
	e, err := d.base(d.change(value))
	if err != nil {
		c.says = []string{l.Warn.Paint(l.Cut(draw.Clean(err.Error()), w))}
		return c.says
	}
	made := e.Body.(*machine.Decision)
	c.says = append([]string{l.Accent.Paint(l.Cut("then "+draw.Clean(e.Step)+" → "+decision.Destination(made), w))}, decision.Weigh(l, made, w).Lines...)
	for _, line := range l.Wrap(d.kept(), w) {
		c.says = append(c.says, l.Warn.Paint(line))
	}
	return c.says
}

// mostDeeds is how many deeds are named beside what would be decided. More are listed when
// it is to be made so.
const mostDeeds = 4

// kept says what stays done, or that it is listed later, "" for nothing.
func (d *difference) kept() string {
	switch n := len(d.stays); {
	case n == 0:
		return ""
	case n > mostDeeds:
		return fmt.Sprintf("What has run since stays done: %d commands and calls, which are listed first.", n)
	}
	return "What has run since stays done: " + strings.Join(d.stays, "; ") + "."
}

func (c *whatIf) paste(m *Model, text string) {
	if c.at != nil {
		c.at.own.Paste(m.look, text)
	}
}

func (c *whatIf) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	defer m.reflow()
	keys := m.look.Keys
	switch {
	case keys.Is(k, "cancel"):
		return nil, false
	case keys.Is(k, "close"):
		if c.at == nil {
			m.close(c)
		}
		c.at = nil
		return nil, true
	}
	if c.at == nil {
		return c.choose(m, k)
	}
	if e, edits := c.at.own.(*form.Editor); edits && keys.Is(k, "editor") {
		return m.editOutside(e), true
	}
	sent, used := c.at.own.Key(m.look, k)
	if !sent {
		return nil, used || c.at.own.Writes()
	}
	return m.instead(c, c.at, c.at.own.Value()), true
}

// choose moves through what is offered. A digit goes there without taking it; a value
// that has to be written is written at once.
func (c *whatIf) choose(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	n, err := strconv.Atoi(k.String())
	digit := err == nil && n > 0 && n <= len(c.ways)
	if digit {
		c.pick.At = n - 1
	}
	sent, used := false, digit
	if !digit {
		sent, used = c.pick.Key(m.look, k)
	}
	if !used || err == nil && !digit {
		return c.refuse(m, k)
	}
	switch g := c.chosen(); {
	case g.own && (sent || digit):
		c.at = g.of
	case sent:
		return m.instead(c, g.of, g.value), true
	}
	return nil, true
}

// refuse says which keys there are: what goes on with the run would take the decision from
// under the card.
func (c *whatIf) refuse(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if a := m.look.Keys.Action(k.String(), keymap.Anywhere); a != nil && (a.Name == "help" || a.Name == "quit") {
		return nil, false
	}
	m.say(k.String() + " does nothing here: {up}{down} and digits look, {accept} makes it so, {close} forgets it.")
	return nil, true
}

// instead has something be different, from before the decision on, once the person has
// seen what that does not undo.
func (m *Model) instead(c *whatIf, d *difference, value string) tea.Cmd {
	run := instead{c, request.Do{Action: "instead", Args: control.Args{Event: d.seq, Change: d.change(value)}}}
	if len(d.stays) <= mostDeeds {
		return m.makeInstead(run)
	}
	m.open(&confirm.Dialog{Name: "Go back and make it so?", StaysDone: d.stays, Yes: []tea.Msg{run}})
	return nil
}

// instead is a change before a decision that the person wants.
type instead struct {
	card *whatIf
	do   request.Do
}

func (m *Model) makeInstead(r instead) tea.Cmd {
	m.close(r.card)
	m.backToNow()
	m.sayAhead("Back before the decision, with that change. {continue} continues, {undo} takes it back.")
	return m.do(r.do)
}

func (c *whatIf) hints(m *Model) []draw.Hint {
	l := m.look
	if c.at == nil {
		does := "make it so"
		if c.chosen().own {
			does = "write it"
		}
		return []draw.Hint{l.UpDown("look"), l.Press("accept", does), l.Press("close", "forget it")}
	}
	sends := "accept"
	if _, edits := c.at.own.(*form.Editor); edits {
		sends = "send"
	}
	return []draw.Hint{l.Press(sends, "make it so"), l.Press("close", "back")}
}

const sameAnyway = "there is nothing that could be different"

func notForked(m *Model) string {
	switch r := m.decider(); {
	case m.session == nil:
		return "does nothing: the run has not started"
	case r == nil || m.decidedAt(r.Label) < 1:
		return "asks what if of a step that has decided, or is about to: select one"
	case len(m.track.Vars) == 0 && (!r.Unit() || len(r.Step.Actions) == 0):
		return "does nothing: " + sameAnyway
	}
	return ""
}
