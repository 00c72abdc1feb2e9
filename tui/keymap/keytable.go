package keymap

import "playhead/engine/control"

// KeyAction is something that a key does. If it acts on a run, control has an action of the same name.
type KeyAction struct {
	Name        string // stable: the configuration binds keys to it
	DefaultKeys []string
	HintText    string // text for hints, "" if no hint shows the action
	HelpText    string // text for the list of keys; "" in the table: that of the action of control with the name
	ReplayHelp  string // HelpText in a replay, "" if it is the same
	Group       string // group in that list
	Scope       Scope  // where the key has this meaning
	ActsOn      ActsOn // what the action acts on
}

// ActsOn says what an action acts on.
type ActsOn uint8

const (
	ActsOnScreen       ActsOn = iota // only what the screen shows
	ActsOnRun                        // the run, whichever moment shows: refused while a person only watches
	ActsOnCurrentState               // the current state of the run: also refused while an earlier moment shows
)

// Scope is the set of panes or dialogs in which a key means an action. A dialog first matches its own keys.
// Keys that it does not use are looked up among the actions of AnyPaneScope.
type Scope uint

// The scopes. AnyPaneScope is every pane.
const (
	StepsScope Scope = 1 << iota
	TextScope
	OutputScope
	WhyScope            // the pane of the decision, unless it shows the timeline
	TimelineScope       // the timeline in that pane
	ConfirmScope        // a dialog that asks yes or no
	TrustScope          // the dialog before the commands of a document
	QuestionScope       // a step's question
	FieldDialogScope    // a dialog with fields to fill in
	ChoiceListScope     // a dialog with items to choose from
	BreakpointListScope // the list of breakpoints
	RouteMapScope       // the map of routes
	RunComparisonScope  // two runs side by side
	LongTextScope       // a dialog with a text to read
	ChangedFilesScope   // the files that a run changed
	SearchQueryScope    // the line of a search query
	AnyPaneScope        = Scope(0)
)

const (
	allPaneScopes   = StepsScope | TextScope | OutputScope | WhyScope | TimelineScope
	allDialogScopes = ConfirmScope | TrustScope | QuestionScope | FieldDialogScope | ChoiceListScope | BreakpointListScope | RouteMapScope | RunComparisonScope | LongTextScope | ChangedFilesScope | SearchQueryScope
)

// overlaps reports whether two scopes have a pane or a dialog in common.
func (s Scope) overlaps(other Scope) bool {
	if s == AnyPaneScope {
		s = allPaneScopes
	}
	if other == AnyPaneScope {
		other = allPaneScopes
	}
	return s&other != 0
}

// DialogGroup is the group of the keys inside dialogs.
const DialogGroup = "dialog"

// keyTable is the one table of keys, in the order of the help.
var keyTable = withSharedHelp([]KeyAction{
	{Name: "up", DefaultKeys: []string{"up", "k"}, HelpText: "move up one line", Group: "move"},
	{Name: "down", DefaultKeys: []string{"down", "j"}, HelpText: "move down one line", Group: "move"},
	{Name: "page-up", DefaultKeys: []string{"pgup", "ctrl+b"}, HelpText: "page up", Group: "move"},
	{Name: "page-down", DefaultKeys: []string{"pgdown", "ctrl+f"}, HelpText: "page down", Group: "move"},
	{Name: "first", DefaultKeys: []string{"g", "home"}, HelpText: "go to the start", Group: "move"},
	{Name: "last", DefaultKeys: []string{"G", "end"}, HintText: "follow", HelpText: "go to the end, and follow new output", Group: "move"},
	{Name: "left", DefaultKeys: []string{"left", "h"}, HelpText: "fold, or scroll left", Group: "move"},
	{Name: "right", DefaultKeys: []string{"right", "l"}, HelpText: "unfold, or scroll right", Group: "move"},
	{Name: "next-pane", DefaultKeys: []string{"tab"}, HintText: "pane", HelpText: "next pane", Group: "move"},
	{Name: "previous-pane", DefaultKeys: []string{"shift+tab"}, HelpText: "previous pane", Group: "move"},
	{Name: "steps", DefaultKeys: []string{"1"}, HintText: "steps", HelpText: "show the steps", Group: "move"},
	{Name: "text", DefaultKeys: []string{"2"}, HelpText: "show the step's text", Group: "move"},
	{Name: "output", DefaultKeys: []string{"3"}, HintText: "output", HelpText: "show the step's output", Group: "move"},
	{Name: "why", DefaultKeys: []string{"4"}, HintText: "why", HelpText: "show the decision", Group: "move"},
	{Name: "go-to", DefaultKeys: []string{"'", "ctrl+g"}, HintText: "go to", HelpText: "select any step by name", Group: "move"},
	{Name: "open", DefaultKeys: []string{"enter"}, HintText: "open", HelpText: "fold, or open output", Group: "move", Scope: StepsScope | TextScope | WhyScope},
	{Name: "back", DefaultKeys: []string{"esc"}, HelpText: "go back, or select the current step", Group: "move"},

	{Name: "continue", DefaultKeys: []string{"c"}, HintText: "continue", ReplayHelp: "play", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "over", DefaultKeys: []string{"n"}, HintText: "step", ReplayHelp: "play one step", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "into", DefaultKeys: []string{"i"}, HintText: "into", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "out", DefaultKeys: []string{"o"}, HintText: "out", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "pause", DefaultKeys: []string{"space"}, HintText: "pause", HelpText: "pause, or continue", ReplayHelp: "pause, or play", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "run-to", DefaultKeys: []string{"."}, HintText: "run to here", HelpText: "run to the selected step", ReplayHelp: "play to the selected step", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "break", DefaultKeys: []string{"b"}, HintText: "break", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "breaks", DefaultKeys: []string{"B"}, HelpText: "edit the breakpoints", Group: "run"},
	{Name: "inputs", DefaultKeys: []string{"T"}, HintText: "inputs", HelpText: "change inputs before the first step", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "slower", DefaultKeys: []string{"<"}, HintText: "slower", HelpText: "replay slower", Group: "run"},
	{Name: "faster", DefaultKeys: []string{">"}, HintText: "faster", HelpText: "replay faster", Group: "run"},
	{Name: "reload", DefaultKeys: []string{"ctrl+r"}, HintText: "reload", HelpText: "reload the document", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "take-control", DefaultKeys: []string{"R"}, HintText: "take control", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "shell", DefaultKeys: []string{"!"}, HintText: "shell", Group: "run", ActsOn: ActsOnCurrentState},
	{Name: "interrupt", DefaultKeys: []string{"ctrl+c"}, HintText: "interrupt", HelpText: "interrupt; press twice to quit", Group: "run"},

	{Name: "answer", DefaultKeys: []string{"a"}, HintText: "answer", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "pass", DefaultKeys: []string{"p"}, HintText: "pass", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "fail", DefaultKeys: []string{"f"}, HintText: "fail", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "pass-note", DefaultKeys: []string{"P"}, HelpText: "pass, with a note", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "fail-note", DefaultKeys: []string{"F"}, HelpText: "fail, with a note", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "rerun", DefaultKeys: []string{"r"}, HintText: "rerun", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "skip", DefaultKeys: []string{"s"}, HintText: "skip", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "undo", DefaultKeys: []string{"u"}, HintText: "undo", ReplayHelp: "go back one step", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "redo", DefaultKeys: []string{"U"}, HintText: "redo", ReplayHelp: "go forward one step", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "rewind", DefaultKeys: []string{"enter"}, HintText: "rewind here", HelpText: "rewind to the selected event", ReplayHelp: "go to the selected event", Group: "decide", Scope: TimelineScope, ActsOn: ActsOnRun},
	{Name: "approvals", DefaultKeys: []string{"Y"}, HintText: "approvals", Group: "decide", ActsOn: ActsOnCurrentState},
	{Name: "fork", DefaultKeys: []string{"K"}, HintText: "fork", HelpText: "fork the run from here", Group: "decide"},
	{Name: "jump", DefaultKeys: []string{"J"}, HintText: "jump", HelpText: "jump to the selected step", Group: "decide", ActsOn: ActsOnCurrentState},

	{Name: "source", DefaultKeys: []string{"S"}, HintText: "source", Group: "reply", ActsOn: ActsOnRun},
	{Name: "manual-reply", DefaultKeys: []string{"H"}, HintText: "manual", Group: "reply", ActsOn: ActsOnRun},
	{Name: "now", DefaultKeys: []string{"N"}, HintText: "retry now", Group: "reply", ActsOn: ActsOnRun},
	{Name: "reasoning", DefaultKeys: []string{"I"}, HintText: "reasoning", HelpText: "show the model's reasoning", Group: "reply"},

	{Name: "find", DefaultKeys: []string{"/"}, HintText: "find", HelpText: "find, ignoring case", Group: "look"},
	{Name: "next-match", DefaultKeys: []string{"]"}, HintText: "next", HelpText: "next match", Group: "look"},
	{Name: "previous-match", DefaultKeys: []string{"["}, HintText: "previous", HelpText: "previous match", Group: "look"},
	{Name: "next-call", DefaultKeys: []string{"}"}, HintText: "next call", HelpText: "open the next reply, call or command", Group: "look"},
	{Name: "previous-call", DefaultKeys: []string{"{"}, HintText: "previous call", HelpText: "open the previous reply, call or command", Group: "look"},
	{Name: "type", DefaultKeys: []string{"enter"}, HintText: "type", HelpText: "type into the command until ctrl+]", Group: "look", Scope: OutputScope, ActsOn: ActsOnRun},
	{Name: "values", DefaultKeys: []string{"v"}, HintText: "values", HelpText: "show variables and environment", Group: "look"},
	{Name: "summary", DefaultKeys: []string{"A"}, HintText: "summary", HelpText: "show the result and the final output", Group: "look"},
	{Name: "edit", DefaultKeys: []string{"e"}, HintText: "edit", HelpText: "edit a step or a value", Group: "look", ActsOn: ActsOnRun},
	{Name: "change-steps", DefaultKeys: []string{"+"}, HintText: "change steps", HelpText: "insert, move or remove steps", Group: "look", ActsOn: ActsOnRun},
	{Name: "write-back", DefaultKeys: []string{"D"}, HintText: "write back", HelpText: "write an edit into the document", Group: "look", ActsOn: ActsOnRun},
	{Name: "what-if", DefaultKeys: []string{"w"}, HintText: "what if", HelpText: "see where a change would lead", Group: "look", ActsOn: ActsOnRun},
	{Name: "files", DefaultKeys: []string{"Z"}, HintText: "changed files", HelpText: "show changed files", Group: "look"},
	{Name: "compare", DefaultKeys: []string{"d"}, HintText: "compare", HelpText: "compare with another run", Group: "look"},
	{Name: "timeline", DefaultKeys: []string{"t"}, HintText: "timeline", HelpText: "open the timeline", Group: "look"},
	{Name: "map", DefaultKeys: []string{"m"}, HintText: "map", HelpText: "open the map of routes", Group: "look"},
	{Name: "document", DefaultKeys: []string{"L"}, HintText: "document", HelpText: "show the document", Group: "look"},
	{Name: "coverage", DefaultKeys: []string{"C"}, HintText: "coverage", HelpText: "mark steps that have routes no run has taken", Group: "look"},
	{Name: "zoom", DefaultKeys: []string{"z"}, HintText: "zoom", HelpText: "show one pane, or all", Group: "look"},
	{Name: "split-left", DefaultKeys: []string{"ctrl+left", "alt+left"}, HelpText: "narrow the steps pane", Group: "look"},
	{Name: "split-right", DefaultKeys: []string{"ctrl+right", "alt+right"}, HelpText: "widen the steps pane", Group: "look"},
	{Name: "split-up", DefaultKeys: []string{"ctrl+up", "alt+up"}, HelpText: "move the horizontal border up", Group: "look"},
	{Name: "split-down", DefaultKeys: []string{"ctrl+down", "alt+down"}, HelpText: "move the horizontal border down", Group: "look"},
	{Name: "hide", DefaultKeys: []string{"-"}, HelpText: "hide the pane", Group: "look"},
	{Name: "usual-layout", DefaultKeys: []string{"="}, HelpText: "reset the panes", Group: "look"},
	{Name: "present", DefaultKeys: []string{"V"}, HintText: "present", HelpText: "show one pane to an audience", Group: "look"},
	{Name: "wrap", DefaultKeys: []string{"W"}, HintText: "wrap", HelpText: "wrap long lines", Group: "look"},
	{Name: "raw", DefaultKeys: []string{"M"}, HintText: "raw", HelpText: "show text as written", Group: "look"},

	{Name: "copy", DefaultKeys: []string{"y", "ctrl+y"}, HintText: "copy", HelpText: "copy text from the pane", Group: "other"},
	{Name: "outside", DefaultKeys: []string{"E"}, HintText: "open in editor", HelpText: "open in $EDITOR; output opens in $PAGER", Group: "other"},
	{Name: "export", DefaultKeys: []string{"x"}, HintText: "export", HelpText: "save the output or a report", Group: "other"},
	{Name: "end-leftovers", DefaultKeys: []string{"X"}, HintText: "end leftover processes", HelpText: "end leftover processes", Group: "other", ActsOn: ActsOnRun},
	{Name: "theme", DefaultKeys: []string{"ctrl+t"}, HintText: "theme", HelpText: "try another theme", Group: "other"},
	{Name: "actions", DefaultKeys: []string{":", "ctrl+p"}, HintText: "actions", HelpText: "find an action by name", Group: "other"},
	{Name: "help", DefaultKeys: []string{"?"}, HintText: "help", HelpText: "list the keys", Group: "other"},
	{Name: "suspend", DefaultKeys: []string{"ctrl+z"}, HintText: "suspend", HelpText: "suspend Playhead; fg continues it", Group: "other"},
	{Name: "quit", DefaultKeys: []string{"q"}, HintText: "quit", HelpText: "quit; the run is kept", Group: "other"},

	{Name: "accept", DefaultKeys: []string{"enter"}, HintText: "accept", HelpText: "accept the selected item or the typed text", Group: DialogGroup, Scope: allDialogScopes &^ (ConfirmScope | TrustScope)},
	{Name: "close", DefaultKeys: []string{"esc"}, HintText: "back", HelpText: "close the dialog", Group: DialogGroup, Scope: allDialogScopes},
	{Name: "yes", DefaultKeys: []string{"y"}, HintText: "yes", HelpText: "confirm", Group: DialogGroup, Scope: ConfirmScope | TrustScope},
	{Name: "no", DefaultKeys: []string{"n"}, HintText: "no", HelpText: "cancel", Group: DialogGroup, Scope: ConfirmScope | TrustScope},
	{Name: "yes-note", DefaultKeys: []string{"Y"}, HelpText: "yes, with a note", Group: DialogGroup, Scope: QuestionScope},
	{Name: "no-note", DefaultKeys: []string{"N"}, HelpText: "no, with a note", Group: DialogGroup, Scope: QuestionScope},
	{Name: "rerun-note", DefaultKeys: []string{"R"}, HelpText: "run the step again, with a note", Group: DialogGroup, Scope: QuestionScope},
	{Name: "allow-tool", DefaultKeys: []string{"t"}, HintText: "allow tool", HelpText: "allow calls like this for the rest of the run", Group: DialogGroup, Scope: QuestionScope},
	{Name: "allow-all", DefaultKeys: []string{"A"}, HintText: "allow all", HelpText: "allow all tools for the rest of the run", Group: DialogGroup, Scope: QuestionScope},
	{Name: "trust-and-step", DefaultKeys: []string{"s"}, HintText: "trust and step", HelpText: "trust the document, and pause before the next step", Group: DialogGroup, Scope: TrustScope},
	{Name: "run-prompted", DefaultKeys: []string{"m"}, HintText: "run them yourself", HelpText: "run the commands yourself, and report the outcomes", Group: DialogGroup, Scope: TrustScope},
	{Name: "send", DefaultKeys: []string{"ctrl+s"}, HintText: "send", HelpText: "send multi-line text", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope},
	{Name: "editor", DefaultKeys: []string{"ctrl+e"}, HintText: "editor", HelpText: "write the text in $EDITOR", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope},
	{Name: "next-field", DefaultKeys: []string{"tab"}, HintText: "next", HelpText: "next field", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope | RouteMapScope | ChangedFilesScope},
	{Name: "previous-field", DefaultKeys: []string{"shift+tab"}, HintText: "previous", HelpText: "previous field", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope | RouteMapScope | ChangedFilesScope},
	{Name: "toggle", DefaultKeys: []string{"space"}, HintText: "on/off", HelpText: "switch on or off", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope | BreakpointListScope},
	{Name: "set-true", DefaultKeys: []string{"t"}, HelpText: "set to true", Group: DialogGroup, Scope: FieldDialogScope},
	{Name: "set-false", DefaultKeys: []string{"f"}, HelpText: "set to false", Group: DialogGroup, Scope: FieldDialogScope},
	{Name: "as-json", DefaultKeys: []string{"ctrl+t"}, HintText: "JSON", HelpText: "switch the value between text and JSON", Group: DialogGroup, Scope: FieldDialogScope | QuestionScope},
	{Name: "choose-source", DefaultKeys: []string{"ctrl+o"}, HintText: "source", HelpText: "choose the reply source", Group: DialogGroup, Scope: QuestionScope},
	{Name: "note", DefaultKeys: []string{"n"}, HintText: "note…", HelpText: "add a note to the answer", Group: DialogGroup, Scope: QuestionScope},
	{Name: "restore-file", DefaultKeys: []string{"r"}, HintText: "restore it", HelpText: "restore the file to its content before the run", Group: DialogGroup, Scope: ChangedFilesScope},
	{Name: "restore-all", DefaultKeys: []string{"A"}, HintText: "restore all", HelpText: "restore all listed files to their content before the run", Group: DialogGroup, Scope: ChangedFilesScope},
	{Name: "adjust", DefaultKeys: []string{"e"}, HintText: "edit it", HelpText: "edit the selected item", Group: DialogGroup, Scope: QuestionScope | BreakpointListScope},
	{Name: "remove", DefaultKeys: []string{"x", "delete", "backspace"}, HintText: "remove", HelpText: "remove the selected item", Group: DialogGroup, Scope: BreakpointListScope},
	{Name: "previous-step", DefaultKeys: []string{"backspace"}, HelpText: "go back to the step you came from", Group: DialogGroup, Scope: RouteMapScope},
	{Name: "previous-item", DefaultKeys: []string{"ctrl+p"}, HelpText: "go to the item above, while you type", Group: DialogGroup, Scope: ChoiceListScope},
	{Name: "next-item", DefaultKeys: []string{"ctrl+n"}, HelpText: "go to the item below, while you type", Group: DialogGroup, Scope: ChoiceListScope},
	{Name: "clear", DefaultKeys: []string{"ctrl+u"}, HelpText: "clear the line", Group: DialogGroup, Scope: ChoiceListScope | FieldDialogScope | QuestionScope | SearchQueryScope},
})

// Help returns the text for the list of keys, of a live run or of a replay.
func (a *KeyAction) Help(isReplay bool) string {
	if isReplay && a.ReplayHelp != "" {
		return a.ReplayHelp
	}
	return a.HelpText
}

// withSharedHelp fills in the help of the actions that are the same for a key as for a command.
func withSharedHelp(all []KeyAction) []KeyAction {
	for i, a := range all {
		if a.HelpText == "" {
			all[i].HelpText = control.FindAction(a.Name).Help
		}
	}
	return all
}
