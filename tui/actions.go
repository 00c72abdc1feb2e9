package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// command is what an action of the key map does on the screen.
type command struct {
	unavailable func(*Model) string // why it cannot be done now, empty if it can; nil: it always can
	do          func(*Model) tea.Cmd
}

// commands are those of all actions that have one outside dialogs. They are filled in by init,
// since help and palette show them.
var commands map[string]command

func init() {
	commands = map[string]command{
		"up":             {do: step(-1)},
		"down":           {do: step(1)},
		"page-up":        {do: page(-1)},
		"page-down":      {do: page(1)},
		"first":          {do: end(-1)},
		"last":           {do: end(1)},
		"left":           {do: sideways(-1)},
		"right":          {do: sideways(1)},
		"next-pane":      {do: turn(1)},
		"previous-pane":  {do: turn(-1)},
		"steps":          {do: focusOn(panes.Tree)},
		"text":           {do: focusOn(panes.Text)},
		"output":         {do: focusOn(panes.Output)},
		"why":            {do: focusOn(panes.Why)},
		"go-to":          {unavailable: notSteps, do: (*Model).goTo},
		"open":           {do: (*Model).enter},
		"back":           {do: (*Model).escape},
		"continue":       {unavailable: notGoing, do: (*Model).goOn},
		"over":           {unavailable: notPaused, do: (*Model).stepOver},
		"into":           {unavailable: notPaused, do: (*Model).stepInto},
		"out":            {unavailable: notPaused, do: (*Model).stepOut},
		"pause":          {unavailable: notLive, do: (*Model).pause},
		"run-to":         {unavailable: notReachable, do: (*Model).runTo},
		"break":          {unavailable: notBreakable, do: (*Model).toggleBreak},
		"breaks":         {do: (*Model).listBreaks},
		"slower":         {unavailable: notReplayed, do: speed(-1)},
		"faster":         {unavailable: notReplayed, do: speed(1)},
		"cancel":         {do: (*Model).cancel},
		"answer":         {unavailable: notAsked, do: (*Model).goToQuestion},
		"pass":           {unavailable: notSet(track.Passed), do: decide("pass")},
		"fail":           {unavailable: notSet(track.Failed), do: decide("fail")},
		"pass-note":      {unavailable: notSet(track.Passed), do: decisionNoted("pass")},
		"fail-note":      {unavailable: notSet(track.Failed), do: decisionNoted("fail")},
		"again":          {unavailable: notRepeatable, do: (*Model).again},
		"skip":           {unavailable: notSkippable, do: (*Model).skip},
		"undo":           {unavailable: notBegun, do: (*Model).undo},
		"redo":           {unavailable: notBegun, do: (*Model).redo},
		"rewind":         {unavailable: notRewindable, do: (*Model).rewind},
		"approvals":      {unavailable: notApproving, do: (*Model).approvals},
		"fork":           {unavailable: notForkable, do: (*Model).forkHere},
		"jump":           {unavailable: notJumpable, do: (*Model).jump},
		"source":         {unavailable: notSourced, do: (*Model).chooseSource},
		"by-hand":        {unavailable: notByHand, do: (*Model).byHand},
		"now":            {unavailable: notPutOff, do: (*Model).tryNow},
		"reasoning":      {unavailable: notReasoned, do: (*Model).openReasoning},
		"find":           {unavailable: notFindable, do: (*Model).find},
		"next-match":     {unavailable: notSearched, do: match(1)},
		"previous-match": {unavailable: notSearched, do: match(-1)},
		"next-call":      {unavailable: notListed, do: call(1)},
		"previous-call":  {unavailable: notListed, do: call(-1)},
		"type":           {unavailable: notTypable, do: (*Model).beginTyping},
		"values":         {do: sheetOf(values)},
		"summary":        {unavailable: notOver, do: (*Model).showSummary},
		"edit":           {unavailable: notEditable, do: (*Model).edit},
		"write-back":     {unavailable: notWritable, do: (*Model).draft},
		"what-if":        {unavailable: notForked, do: (*Model).askWhatIf},
		"compare":        {unavailable: notComparable, do: (*Model).askWith},
		"history":        {do: sheetOf(history)},
		"map":            {unavailable: notMapped, do: (*Model).openMap},
		"coverage":       {unavailable: notCovered, do: (*Model).cover},
		"zoom":           {do: (*Model).toggleZoom},
		"split-left":     {unavailable: notAside, do: moveAside(-1)},
		"split-right":    {unavailable: notAside, do: moveAside(1)},
		"split-up":       {unavailable: notLevel, do: moveDown(-1)},
		"split-down":     {unavailable: notLevel, do: moveDown(1)},
		"hide":           {unavailable: notHideable, do: (*Model).hide},
		"usual-layout":   {do: (*Model).asUsual},
		"present":        {do: (*Model).toggleStage},
		"wrap":           {do: (*Model).toggleWrap},
		"raw":            {do: (*Model).toggleRaw},
		"copy":           {unavailable: notCopyable, do: (*Model).copy},
		"outside":        {unavailable: notOpenable, do: (*Model).openOutside},
		"export":         {unavailable: notExported, do: (*Model).export},
		"end-leftovers":  {unavailable: notLeft, do: (*Model).endLeftovers},
		"theme":          {unavailable: notThemed, do: (*Model).chooseTheme},
		"palette":        {do: (*Model).palette},
		"help":           {do: (*Model).help},
		"suspend":        {do: (*Model).suspend},
		"quit":           {do: (*Model).quit},
	}
}

// scopeOf is where keys mean what they mean in a pane.
func scopeOf(p panes.Pane) keymap.Scope {
	return map[panes.Pane]keymap.Scope{
		panes.Tree: keymap.Steps, panes.Text: keymap.Text, panes.Output: keymap.Output, panes.Why: keymap.Why,
	}[p]
}

// worksIn reports whether an action works in a pane.
func worksIn(a *keymap.Action, p panes.Pane) bool {
	return a.In == keymap.Anywhere || a.In&scopeOf(p) != 0
}

// act does an action, or says why it makes no sense now.
func (m *Model) act(a *keymap.Action) tea.Cmd {
	if why := m.unavailable(a); why != "" {
		m.refuse(a, why)
		return nil
	}
	return commands[a.Name].do(m)
}

// unavailable is why an action makes no sense now, "" when it does. What acts on the
// run acts on it as it is.
func (m *Model) unavailable(a *keymap.Action) string {
	if m.past() && (a.Group == "run" || a.Group == "decide") && a.Name != "rewind" && a.Name != "fork" {
		return m.look.Keys.Text("This is how the run was: {back} goes back to now.")
	}
	if m.replays() {
		switch why, ok := m.unplayable(a); {
		case why != "":
			return m.look.Keys.Name(a.Name) + " " + m.look.Keys.Text(why)
		case ok:
			return ""
		}
	}
	if unavailable := commands[a.Name].unavailable; unavailable != nil {
		if why := unavailable(m); why != "" {
			return m.look.Keys.Name(a.Name) + " " + m.look.Keys.Text(why)
		}
	}
	return ""
}

// refuse says why an action makes no sense now. What is typed behind a key that
// opens a line is text, and no key: it is dropped.
func (m *Model) refuse(a *keymap.Action, why string) {
	if a.Name == "find" {
		m.hush(briefLull, why)
		return
	}
	m.say(why)
}
