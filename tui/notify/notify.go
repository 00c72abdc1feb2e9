// Package notify calls a person who looks elsewhere, with what their terminal has for that.
package notify

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
)

// The ways to call a person.
const (
	Off    = "off"
	Bell   = "bell"   // the terminal's own, whatever it makes of it
	OSC9   = "osc9"   // a desktop notification: iTerm2, Ghostty, WezTerm, kitty
	OSC777 = "osc777" // a desktop notification with a title: foot, rxvt-unicode
	Auto   = "auto"   // a notification where the terminal is known to show it, else the bell
)

// Terminal says how to notify a person through their terminal. The zero value does not notify.
type Terminal struct {
	way  string
	tmux bool // it is one inside tmux
	Bar  bool // it can be told how far a run is
}

// For returns how to notify in the terminal that an environment describes, in one of the ways.
func For(way string, getenv func(string) string) Terminal {
	t := Terminal{way: way, tmux: getenv("TMUX") != ""}
	if way == Auto {
		t.way = t.known(getenv("TERM_PROGRAM"), getenv("TERM"))
	}
	// Linux's console and older iTerm2 take it for something else.
	t.Bar = way != Off && getenv("TERM") != "linux" && getenv("TERM_PROGRAM") != "iTerm.app"
	return t
}

// known is what a terminal is known to have.
func (t Terminal) known(program, term string) string {
	switch {
	case t.tmux:
		return Bell // it has one of its own, and drops notifications
	case program == "iTerm.app", program == "ghostty", program == "WezTerm", term == "xterm-kitty", term == "xterm-ghostty":
		return OSC9
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"):
		return OSC777
	}
	return Bell
}

// On reports whether anybody is called at all.
func (t Terminal) On() bool { return t.way != "" && t.way != Off }

// Sequence is what to send to the terminal to say a line, "" for nothing.
func (t Terminal) Sequence(text string) string {
	text = "Playhead: " + sanitize.Plain(text) // an OSC 9 that begins with a number is something else
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

// through passes a sequence through tmux, which has to allow it.
func (t Terminal) through(sequence string) string {
	if t.tmux {
		return ansi.TmuxPassthrough(sequence)
	}
	return sequence
}
