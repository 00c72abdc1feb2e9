package notify_test

import (
	"testing"

	"playhead/tui/notify"
)

func TestControlSequence(t *testing.T) {
	const text = "2 Push; passed\x1b]9;4;1;50\x07 in 12s\n"
	for name, c := range map[string]struct {
		way  string
		env  map[string]string
		want string
	}{
		"off":                    {notify.Off, nil, ""},
		"bell":                   {notify.Bell, nil, "\a"},
		"osc9":                   {notify.OSC9, nil, "\x1b]9;Playhead: 2 Push; passed\\x1b]9;4;1;50\\a in 12s\a"},
		"osc777":                 {notify.OSC777, nil, "\x1b]777;notify;Playhead;2 Push, passed\\x1b]9,4,1,50\\a in 12s\a"},
		"osc9 in tmux":           {notify.OSC9, map[string]string{"TMUX": "x"}, "\x1bPtmux;\x1b\x1b]9;Playhead: 2 Push; passed\\x1b]9;4;1;50\\a in 12s\a\x1b\\"},
		"auto":                   {notify.Auto, nil, "\a"},
		"auto in iTerm2":         {notify.Auto, map[string]string{"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;Playhead: 2 Push; passed\\x1b]9;4;1;50\\a in 12s\a"},
		"auto in kitty":          {notify.Auto, map[string]string{"TERM": "xterm-kitty"}, "\x1b]9;Playhead: 2 Push; passed\\x1b]9;4;1;50\\a in 12s\a"},
		"auto in foot":           {notify.Auto, map[string]string{"TERM": "foot-extra"}, "\x1b]777;notify;Playhead;2 Push, passed\\x1b]9,4,1,50\\a in 12s\a"},
		"auto in tmux in iTerm2": {notify.Auto, map[string]string{"TERM_PROGRAM": "iTerm.app", "TMUX": "x"}, "\a"},
	} {
		got := notify.NewNotifier(c.way, func(name string) string { return c.env[name] }).ControlSequence(text)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := (notify.Notifier{}).ControlSequence(text); got != "" {
		t.Errorf("the zero value says %q", got)
	}
}

func TestProgressBar(t *testing.T) {
	for term, want := range map[string]bool{"xterm-256color": true, "linux": false} {
		env := func(name string) string { return map[string]string{"TERM": term}[name] }
		if got := notify.NewNotifier(notify.Auto, env).ShowsProgress; got != want {
			t.Errorf("%s: %v", term, got)
		}
		if notify.NewNotifier(notify.Off, env).ShowsProgress {
			t.Errorf("%s: it is off", term)
		}
	}
}
