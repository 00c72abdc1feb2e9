package start_test

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/terminal"
)

var run = &runview.Run{DrawContext: draw.New(themes.PlainPalette(), keymap.Map{})}

// press sends keys to a dialog and returns what the last of them requests.
func press(d dialog.Dialog, keys ...string) (requests []tea.Msg) {
	for _, k := range keys {
		requests, _ = d.Update(run, terminal.KeyPress(k))
	}
	return requests
}

// TestTrust: only an answer closes the dialog. A resumed run does not accept m, which executes nothing.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		key     string
		resumed bool
		want    []tea.Msg
	}{
		{"y", false, []tea.Msg{dialog.Close{}, start.TrustCommands{}}},
		{"s", false, []tea.Msg{dialog.Close{}, start.TrustCommands{PauseFirst: true}}},
		{"m", false, []tea.Msg{dialog.Close{}, start.ExecuteNothing{}}},
		{"m", true, nil},
		{"n", false, []tea.Msg{request.PressKeyOf{Action: "quit"}}},
		{"enter", false, nil},
	} {
		d := &start.TrustDialog{Commands: []start.Command{{StepLabel: "1", Text: "make"}}, IsResumed: c.resumed}
		if got := press(d, c.key); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", c.key, got)
		}
	}
}

// TestCommandLinesIntro: the first line names what would run: commands, tools or both.
func TestCommandLinesIntro(t *testing.T) {
	command, tools := start.Command{StepLabel: "1", Text: "make"}, start.Command{StepLabel: "2", Text: "read", IsToolUse: true}
	for want, commands := range map[string][]start.Command{
		"These commands would run under your account:":           {command},
		"These tools would run under your account:":              {tools},
		"These commands and tools would run under your account:": {command, tools},
	} {
		if got := start.CommandLines(run.DrawContext, commands, 80)[0]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTrustTitle: the title counts the commands and the steps with tools, and leaves out what the list does not have.
func TestTrustTitle(t *testing.T) {
	command, tools := start.Command{StepLabel: "1", Text: "make"}, start.Command{StepLabel: "2", Text: "read", IsToolUse: true}
	for want, commands := range map[string][]start.Command{
		"1 command":                   {command},
		"tools in 1 step":             {tools},
		"1 command · tools in 1 step": {command, tools},
	} {
		d := &start.TrustDialog{Commands: commands}
		if got := d.Title(run).Right; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestInputs: an invalid value is refused, and an optional input that is left empty has no value.
func TestInputs(t *testing.T) {
	d := start.NewAskInputsDialog([]plan.Input{
		{Name: "size", Type: "number", Required: true}, {Name: "note", Type: "string"},
	}, nil)
	if got := press(d, "x", "enter"); got != nil || d.RejectionReason == "" {
		t.Errorf("x is accepted as a number: %v", got)
	}
	got := press(d, "backspace", "7", "enter", "enter", "enter")
	want := []tea.Msg{dialog.Close{}, start.InputsGiven{Values: map[string]string{"size": "7"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestInputsWithDefaults: if all inputs have a value, one enter starts the run, in whatever order the inputs are.
func TestInputsWithDefaults(t *testing.T) {
	for _, fields := range [][]plan.Input{
		{{Name: "size", Type: "number", Default: "7"}, {Name: "note", Type: "text", Default: "a\nb"}},
		{{Name: "note", Type: "text", Default: "a\nb"}, {Name: "size", Type: "number", Default: "7"}},
	} {
		got := press(start.NewAskInputsDialog(fields, nil), "enter")
		want := []tea.Msg{dialog.Close{}, start.InputsGiven{Values: map[string]string{"size": "7", "note": "a\nb"}}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s first: got %v", fields[0].Name, got)
		}
	}
}

// TestOptionalInputs: enter gives no value to an optional input without a default, but the person can choose one.
func TestOptionalInputs(t *testing.T) {
	fields := []plan.Input{{Name: "dry", Type: "boolean"}, {Name: "mode", Type: "enum", Options: []string{"fast", "slow"}}}
	for want, keys := range map[string][]string{"": {"enter", "enter"}, "dry": {"down", "down", "enter", "enter"}, "mode": {"tab", "down", "enter"}} {
		got := press(start.NewAskInputsDialog(fields, nil), keys...)
		values := map[string]string{"dry": "false", "mode": "fast"}
		for name := range values {
			if name != want {
				delete(values, name)
			}
		}
		if want := []tea.Msg{dialog.Close{}, start.InputsGiven{Values: values}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %v", keys, got)
		}
	}
}

// TestReloadDuringInputs: the document can be reloaded before the run, unless the key would be typed into a text field.
func TestReloadDuringInputs(t *testing.T) {
	for d, want := range map[*start.InputsDialog]bool{
		start.NewAskInputsDialog([]plan.Input{{Name: "host"}}, nil):                                            false,
		start.NewAskInputsDialog([]plan.Input{{Name: "host", Type: "enum", Options: []string{"a", "b"}}}, nil): true,
	} {
		if got := dialog.AllowsAction(d, keymap.FindKeyAction("reload")); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
