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

// Terminal says how to notify a person through their terminal. The zero value does not notify.
type Terminal struct {
	way  string
	tmux bool // the terminal is inside tmux
	Bar  bool // the terminal can show the progress of a run
}

// For returns how to notify a person in one of the ways, in the terminal that an environment describes.
func For(way string, getenv func(string) string) Terminal {
	t := Terminal{way: way, tmux: getenv("TMUX") != ""}
	if way == Auto {
		t.way = t.known(getenv("TERM_PROGRAM"), getenv("TERM"))
	}
	// The Linux console and older versions of iTerm2 interpret the sequence in another way.
	t.Bar = way != Off && getenv("TERM") != "linux" && getenv("TERM_PROGRAM") != "iTerm.app"
	return t
}

// known returns the way to notify that a terminal is known to support.
func (t Terminal) known(program, term string) string {
	switch {
	case t.tmux:
		return Bell // it handles the bell itself, and drops notifications
	case program == "iTerm.app", program == "ghostty", program == "WezTerm", term == "xterm-kitty", term == "xterm-ghostty":
		return OSC9
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"):
		return OSC777
	}
	return Bell
}

// On reports whether the person is notified at all.
func (t Terminal) On() bool { return t.way != "" && t.way != Off }

// Sequence returns the control sequence that notifies with a text, "" for none.
func (t Terminal) Sequence(text string) string {
	text = "Playhead: " + sanitize.Plain(text) // OSC 9 with a number at the beginning has another meaning
	switch t.way {
	case Bell:
		return "\a"
	case OSC9:
		return t.through(ansi.Notify(text))
	case OSC777:
		return t.through("\x1b]777;notify;Playhead;" + strings.ReplaceAll(strings.TrimPrefix(text, "Playhead: "), ";", ",") + "\a")
	}
	return ""
}

// through wraps a sequence for tmux, which passes it on if it is configured to.
func (t Terminal) through(sequence string) string {
	if t.tmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}
