// Package notify notifies a person who looks elsewhere, in a way that their terminal supports.
package notify

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
)

// The ways to notify a person.
const (
	Off    = "off"
	Bell   = "bell"   // the bell of the terminal
	OSC9   = "osc9"   // a desktop notification: iTerm2, Ghostty, WezTerm, kitty
	OSC777 = "osc777" // a desktop notification with a title: foot, rxvt-unicode
	Auto   = "auto"   // a notification if the terminal is known to show it, else the bell
)

// Notifier says how to notify a person through their terminal. The zero value does not notify.
type Notifier struct {
	method        string
	isInTmux      bool // the terminal is inside tmux
	ShowsProgress bool // the terminal can show the progress of a run
}

// NewNotifier returns how to notify a person in one of the ways, in the terminal that an environment describes.
func NewNotifier(method string, getenv func(string) string) Notifier {
	n := Notifier{method: method, isInTmux: getenv("TMUX") != ""}
	if method == Auto {
		n.method = n.knownMethod(getenv("TERM_PROGRAM"), getenv("TERM"))
	}
	// The Linux console and older versions of iTerm2 interpret the sequence in another way.
	n.ShowsProgress = method != Off && getenv("TERM") != "linux" && getenv("TERM_PROGRAM") != "iTerm.app"
	return n
}

// knownMethod returns the way to notify that a terminal is known to support.
func (n Notifier) knownMethod(program, term string) string {
	switch {
	case n.isInTmux:
		return Bell // it handles the bell itself, and drops notifications
	case program == "iTerm.app", program == "ghostty", program == "WezTerm", term == "xterm-kitty", term == "xterm-ghostty":
		return OSC9
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"):
		return OSC777
	}
	return Bell
}

// IsOn reports whether the person is notified at all.
func (n Notifier) IsOn() bool { return n.method != "" && n.method != Off }

// ControlSequence returns the control sequence that notifies with a text, "" for none.
func (n Notifier) ControlSequence(text string) string {
	text = "Playhead: " + sanitize.Plain(text) // OSC 9 with a number at the beginning has another meaning
	switch n.method {
	case Bell:
		return "\a"
	case OSC9:
		return n.wrapForTmux(ansi.Notify(text))
	case OSC777:
		return n.wrapForTmux("\x1b]777;notify;Playhead;" + strings.ReplaceAll(strings.TrimPrefix(text, "Playhead: "), ";", ",") + "\a")
	}
	return ""
}

// wrapForTmux wraps a sequence for tmux, which passes it on if it is configured to.
func (n Notifier) wrapForTmux(sequence string) string {
	if n.isInTmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}
