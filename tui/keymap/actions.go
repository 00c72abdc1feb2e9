package keymap

// Action is something that a key does.
type Action struct {
	Name  string   // stable: the configuration binds keys to it
	Keys  []string // the default keys
	Short string   // text for hints, "" if no hint shows the action
	Help  string   // text for the list of keys
	Group string   // group in that list
	In    Scope    // where the key has this meaning
	Acts  Acts     // what the action acts on
}

// Acts says what an action acts on.
type Acts uint8

const (
	OnScreen       Acts = iota // only what the screen shows
	OnRun                      // the run, whichever moment shows: refused while a person only watches
	OnCurrentState             // the current state of the run: also refused while an earlier moment shows
)

// Scope is the set of panes or dialogs in which a key means an action. A dialog first matches its own keys.
// Keys that it does not use are looked up among the actions of Anywhere.
type Scope uint

// The scopes. Anywhere is every pane.
const (
	Steps Scope = 1 << iota
	Text
	Output
	Why
	Confirm   // a dialog that asks yes or no
	Trust     // the dialog before the commands of a document
	Question  // a step's question
	Field     // a dialog with fields to fill in
	List      // a dialog with items to choose from
	Breaks    // the list of breakpoints
	RouteMap  // the map of routes
	Compare   // two runs side by side
	Reading   // a dialog with a text to read
	Files     // the files that a run changed
	Searching // the line of a search query
	Anywhere  = Scope(0)
)

const (
	panes   = Steps | Text | Output | Why
	dialogs = Confirm | Trust | Question | Field | List | Breaks | RouteMap | Compare | Reading | Files | Searching
)

// meets reports whether two scopes have a pane or a dialog in common.
func (s Scope) meets(other Scope) bool {
	if s == Anywhere {
		s = panes
	}
	if other == Anywhere {
		other = panes
	}
	return s&other != 0
}

// Dialogs is the group of the keys inside dialogs.
const Dialogs = "dialog"

// actions is the one table of keys, in the order of the help.
var actions = []Action{
	{Name: "up", Keys: []string{"up", "k"}, Help: "line up", Group: "move"},
	{Name: "down", Keys: []string{"down", "j"}, Help: "line down", Group: "move"},
	{Name: "page-up", Keys: []string{"pgup", "ctrl+b"}, Help: "page up", Group: "move"},
	{Name: "page-down", Keys: []string{"pgdown", "ctrl+f"}, Help: "page down", Group: "move"},
	{Name: "first", Keys: []string{"g", "home"}, Help: "go to the start", Group: "move"},
	{Name: "last", Keys: []string{"G", "end"}, Short: "follow", Help: "go to end and follow", Group: "move"},
	{Name: "left", Keys: []string{"left", "h"}, Help: "fold, or scroll left", Group: "move"},
	{Name: "right", Keys: []string{"right", "l"}, Help: "unfold, or scroll right", Group: "move"},
	{Name: "next-pane", Keys: []string{"tab"}, Short: "pane", Help: "next pane", Group: "move"},
	{Name: "previous-pane", Keys: []string{"shift+tab"}, Help: "previous pane", Group: "move"},
	{Name: "steps", Keys: []string{"1"}, Short: "steps", Help: "show the steps", Group: "move"},
	{Name: "text", Keys: []string{"2"}, Help: "show the step's text", Group: "move"},
	{Name: "output", Keys: []string{"3"}, Short: "output", Help: "show the step's output", Group: "move"},
	{Name: "why", Keys: []string{"4"}, Short: "why", Help: "show why it went there", Group: "move"},
	{Name: "go-to", Keys: []string{"'", "ctrl+g"}, Short: "go to", Help: "select any step by name", Group: "move"},
	{Name: "open", Keys: []string{"enter"}, Short: "open", Help: "fold, or open output", Group: "move", In: Steps | Text},
	{Name: "back", Keys: []string{"esc"}, Help: "go to where the run is", Group: "move"},

	{Name: "continue", Keys: []string{"c"}, Short: "continue", Help: "continue until a person is needed", Group: "run", Acts: OnCurrentState},
	{Name: "over", Keys: []string{"n"}, Short: "step", Help: "run one step, over included documents", Group: "run", Acts: OnCurrentState},
	{Name: "into", Keys: []string{"i"}, Short: "into", Help: "run one step, into included documents", Group: "run", Acts: OnCurrentState},
	{Name: "out", Keys: []string{"o"}, Short: "out", Help: "run to the group's end", Group: "run", Acts: OnCurrentState},
	{Name: "pause", Keys: []string{"space"}, Short: "pause", Help: "pause, or continue", Group: "run", Acts: OnCurrentState},
	{Name: "run-to", Keys: []string{"."}, Short: "to here", Help: "run to the selected step", Group: "run", Acts: OnCurrentState},
	{Name: "break", Keys: []string{"b"}, Short: "break", Help: "toggle a breakpoint", Group: "run", Acts: OnCurrentState},
	{Name: "breaks", Keys: []string{"B"}, Help: "edit the breakpoints", Group: "run"},
	{Name: "inputs", Keys: []string{"T"}, Short: "inputs", Help: "change inputs before the first step", Group: "run", Acts: OnCurrentState},
	{Name: "slower", Keys: []string{"<"}, Short: "slower", Help: "replay slower", Group: "run"},
	{Name: "faster", Keys: []string{">"}, Short: "faster", Help: "replay faster", Group: "run"},
	{Name: "reload", Keys: []string{"ctrl+r"}, Short: "reload", Help: "reload the document", Group: "run", Acts: OnCurrentState},
	{Name: "take-control", Keys: []string{"R"}, Short: "take control", Help: "take control of the run", Group: "run", Acts: OnCurrentState},
	{Name: "shell", Keys: []string{"!"}, Short: "shell", Help: "open a shell where the step runs", Group: "run", Acts: OnCurrentState},
	{Name: "interrupt", Keys: []string{"ctrl+c"}, Short: "interrupt", Help: "interrupt; twice quits", Group: "run"},

	{Name: "answer", Keys: []string{"a"}, Short: "answer", Help: "answer the question", Group: "decide", Acts: OnCurrentState},
	{Name: "pass", Keys: []string{"p"}, Short: "pass", Help: "answer or set to pass", Group: "decide", Acts: OnCurrentState},
	{Name: "fail", Keys: []string{"f"}, Short: "fail", Help: "answer or set to fail", Group: "decide", Acts: OnCurrentState},
	{Name: "pass-note", Keys: []string{"P"}, Help: "pass, with a note", Group: "decide", Acts: OnCurrentState},
	{Name: "fail-note", Keys: []string{"F"}, Help: "fail, with a note", Group: "decide", Acts: OnCurrentState},
	{Name: "rerun", Keys: []string{"r"}, Short: "rerun", Help: "run a step again", Group: "decide", Acts: OnCurrentState},
	{Name: "skip", Keys: []string{"s"}, Short: "skip", Help: "skip without an outcome", Group: "decide", Acts: OnCurrentState},
	{Name: "undo", Keys: []string{"u"}, Short: "undo", Help: "undo what you did last", Group: "decide", Acts: OnCurrentState},
	{Name: "redo", Keys: []string{"U"}, Short: "redo", Help: "redo what was undone", Group: "decide", Acts: OnCurrentState},
	{Name: "rewind", Keys: []string{"enter"}, Short: "rewind here", Help: "rewind to the selected event", Group: "decide", In: Why, Acts: OnRun},
	{Name: "approvals", Keys: []string{"Y"}, Short: "approvals", Help: "set when tool calls need approval", Group: "decide", Acts: OnCurrentState},
	{Name: "fork", Keys: []string{"K"}, Short: "fork", Help: "fork the run from here", Group: "decide"},
	{Name: "jump", Keys: []string{"J"}, Short: "jump", Help: "jump to the selected step", Group: "decide", Acts: OnCurrentState},

	{Name: "source", Keys: []string{"S"}, Short: "source", Help: "choose a reply source", Group: "reply", Acts: OnRun},
	{Name: "manual-reply", Keys: []string{"H"}, Short: "manual", Help: "reply yourself, or stop", Group: "reply", Acts: OnRun},
	{Name: "now", Keys: []string{"N"}, Short: "retry now", Help: "retry a call at once", Group: "reply", Acts: OnRun},
	{Name: "reasoning", Keys: []string{"I"}, Short: "reasoning", Help: "show the reasoning", Group: "reply"},

	{Name: "find", Keys: []string{"/"}, Short: "find", Help: "find here, any case", Group: "look"},
	{Name: "next-match", Keys: []string{"]"}, Short: "next", Help: "next match", Group: "look"},
	{Name: "previous-match", Keys: []string{"["}, Short: "previous", Help: "previous match", Group: "look"},
	{Name: "next-call", Keys: []string{"}"}, Short: "next call", Help: "open the next reply or call", Group: "look"},
	{Name: "previous-call", Keys: []string{"{"}, Short: "previous call", Help: "open the previous reply or call", Group: "look"},
	{Name: "type", Keys: []string{"enter"}, Short: "type", Help: "type into the command until ctrl+]", Group: "look", In: Output, Acts: OnRun},
	{Name: "values", Keys: []string{"v"}, Short: "values", Help: "show values and environment", Group: "look"},
	{Name: "summary", Keys: []string{"A"}, Short: "summary", Help: "show the result and the final output", Group: "look"},
	{Name: "edit", Keys: []string{"e"}, Short: "edit", Help: "change a step, or a value", Group: "look", Acts: OnRun},
	{Name: "change-steps", Keys: []string{"+"}, Short: "change steps", Help: "insert, move or remove steps", Group: "look", Acts: OnRun},
	{Name: "write-back", Keys: []string{"D"}, Short: "write back", Help: "write an edit into the document", Group: "look", Acts: OnRun},
	{Name: "what-if", Keys: []string{"w"}, Short: "what if", Help: "see where a change would lead", Group: "look", Acts: OnRun},
	{Name: "files", Keys: []string{"Z"}, Short: "changed files", Help: "show changed files", Group: "look"},
	{Name: "compare", Keys: []string{"d"}, Short: "compare", Help: "compare with another run", Group: "look"},
	{Name: "history", Keys: []string{"t"}, Short: "timeline", Help: "open the timeline", Group: "look"},
	{Name: "map", Keys: []string{"m"}, Short: "map", Help: "open the map of routes", Group: "look"},
	{Name: "document", Keys: []string{"L"}, Short: "document", Help: "show the document", Group: "look"},
	{Name: "coverage", Keys: []string{"C"}, Short: "coverage", Help: "mark routes never taken", Group: "look"},
	{Name: "zoom", Keys: []string{"z"}, Short: "zoom", Help: "show one pane, or all", Group: "look"},
	{Name: "split-left", Keys: []string{"ctrl+left", "alt+left"}, Help: "narrow the steps pane", Group: "look"},
	{Name: "split-right", Keys: []string{"ctrl+right", "alt+right"}, Help: "widen the steps pane", Group: "look"},
	{Name: "split-up", Keys: []string{"ctrl+up", "alt+up"}, Help: "move the border up", Group: "look"},
	{Name: "split-down", Keys: []string{"ctrl+down", "alt+down"}, Help: "move the border down", Group: "look"},
	{Name: "hide", Keys: []string{"-"}, Help: "hide the pane", Group: "look"},
	{Name: "usual-layout", Keys: []string{"="}, Help: "reset the panes", Group: "look"},
	{Name: "present", Keys: []string{"V"}, Short: "present", Help: "present: one large pane", Group: "look"},
	{Name: "wrap", Keys: []string{"W"}, Short: "wrap", Help: "wrap long lines", Group: "look"},
	{Name: "raw", Keys: []string{"M"}, Short: "raw", Help: "show text as written", Group: "look"},

	{Name: "copy", Keys: []string{"y"}, Short: "copy", Help: "copy what is selected", Group: "else"},
	{Name: "outside", Keys: []string{"E"}, Short: "open outside", Help: "open the document or a copy in $EDITOR", Group: "else"},
	{Name: "export", Keys: []string{"x"}, Short: "export", Help: "save output or report", Group: "else"},
	{Name: "end-leftovers", Keys: []string{"X"}, Short: "end leftover processes", Help: "end leftover processes", Group: "else", Acts: OnRun},
	{Name: "theme", Keys: []string{"ctrl+t"}, Short: "theme", Help: "try another theme", Group: "else"},
	{Name: "actions", Keys: []string{":", "ctrl+p"}, Short: "actions", Help: "find an action by name", Group: "else"},
	{Name: "help", Keys: []string{"?"}, Short: "help", Help: "list the keys", Group: "else"},
	{Name: "suspend", Keys: []string{"ctrl+z"}, Short: "to the shell", Help: "go to the shell; fg returns", Group: "else"},
	{Name: "quit", Keys: []string{"q"}, Short: "quit", Help: "quit; the run is kept", Group: "else"},

	{Name: "accept", Keys: []string{"enter"}, Short: "accept", Help: "use the selection or the text", Group: Dialogs, In: dialogs &^ (Confirm | Trust)},
	{Name: "close", Keys: []string{"esc"}, Short: "back", Help: "close the dialog", Group: Dialogs, In: dialogs},
	{Name: "yes", Keys: []string{"y"}, Short: "yes", Help: "confirm", Group: Dialogs, In: Confirm | Trust},
	{Name: "no", Keys: []string{"n"}, Short: "no", Help: "cancel", Group: Dialogs, In: Confirm | Trust},
	{Name: "yes-note", Keys: []string{"Y"}, Help: "yes, with a note", Group: Dialogs, In: Question},
	{Name: "no-note", Keys: []string{"N"}, Help: "no, with a note", Group: Dialogs, In: Question},
	{Name: "rerun-note", Keys: []string{"R"}, Help: "run it again, with a note", Group: Dialogs, In: Question},
	{Name: "allow-tool", Keys: []string{"t"}, Short: "allow tool", Help: "allow this tool from now on", Group: Dialogs, In: Question},
	{Name: "allow-all", Keys: []string{"A"}, Short: "allow all", Help: "allow all tools from now on", Group: Dialogs, In: Question},
	{Name: "trust-and-step", Keys: []string{"s"}, Short: "trust and step", Help: "trust the document, and pause before each step", Group: Dialogs, In: Trust},
	{Name: "run-prompted", Keys: []string{"m"}, Short: "run them yourself", Help: "run the commands yourself, and report their results", Group: Dialogs, In: Trust},
	{Name: "send", Keys: []string{"ctrl+s"}, Short: "send", Help: "send a text of several lines", Group: Dialogs, In: Field | Question},
	{Name: "editor", Keys: []string{"ctrl+e"}, Short: "editor", Help: "write it in $EDITOR", Group: Dialogs, In: Field | Question},
	{Name: "next-field", Keys: []string{"tab"}, Short: "next", Help: "next field", Group: Dialogs, In: Field | Question | RouteMap | Files},
	{Name: "previous-field", Keys: []string{"shift+tab"}, Short: "previous", Help: "previous field", Group: Dialogs, In: Field | Question | RouteMap | Files},
	{Name: "toggle", Keys: []string{"space"}, Short: "on, off", Help: "switch on or off", Group: Dialogs, In: Field | Question | Breaks},
	{Name: "set-true", Keys: []string{"t"}, Help: "set to true", Group: Dialogs, In: Field},
	{Name: "set-false", Keys: []string{"f"}, Help: "set to false", Group: Dialogs, In: Field},
	{Name: "as-json", Keys: []string{"ctrl+t"}, Short: "JSON", Help: "write it as JSON, or as text", Group: Dialogs, In: Field | Question},
	{Name: "choose-source", Keys: []string{"ctrl+o"}, Short: "source", Help: "choose where the reply comes from", Group: Dialogs, In: Question},
	{Name: "note", Keys: []string{"n"}, Short: "note…", Help: "add a note to the answer", Group: Dialogs, In: Question},
	{Name: "restore-file", Keys: []string{"r"}, Short: "restore it", Help: "restore the file to its content before the run", Group: Dialogs, In: Files},
	{Name: "restore-all", Keys: []string{"A"}, Short: "restore all", Help: "restore all files to their content before the run", Group: Dialogs, In: Files},
	{Name: "adjust", Keys: []string{"e"}, Short: "edit it", Help: "edit the chosen item", Group: Dialogs, In: Question | Breaks},
	{Name: "remove", Keys: []string{"x", "delete", "backspace"}, Short: "remove", Help: "remove the chosen item", Group: Dialogs, In: Breaks},
	{Name: "previous-node", Keys: []string{"backspace"}, Help: "go back along the route", Group: Dialogs, In: RouteMap},
	{Name: "previous-item", Keys: []string{"ctrl+p"}, Help: "go to the item above, while you type", Group: Dialogs, In: List},
	{Name: "next-item", Keys: []string{"ctrl+n"}, Help: "go to the item below, while you type", Group: Dialogs, In: List},
	{Name: "clear", Keys: []string{"ctrl+u"}, Help: "clear what is written", Group: Dialogs, In: List | Field | Question | Searching},
}
