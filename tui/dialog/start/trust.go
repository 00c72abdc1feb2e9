package start

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Command is a command that a document would run.
type Command struct {
	Step   string // the label of its step
	Checks string // the name of the validator that the command is; "": it is none
	Tools  bool   // it is not a command, but the tools that a model may call
	File   string // its file; "": the document itself
	Line   int
	Text   string
}

// Requests of the trust dialog.
type (
	// Trusted allows the commands. If Step is true, the run pauses before its first step.
	Trusted struct{ Step bool }
	// Prompted begins a run that executes nothing and asks a person for each outcome instead.
	Prompted struct{}
)

// Trust lists every command of a document that is not trusted yet, before any of them runs.
type Trust struct {
	Commands []Command
	Resumed  bool                // the run is resumed: whether it executes commands was chosen when it began
	Inputs   func() []plan.Input // inputs with values that can be changed; nil: none
	list.Scroller
}

// Title returns the number of commands.
func (d *Trust) Title(run *runview.Run) panes.Title {
	tools := 0
	for _, c := range d.Commands {
		if c.Tools {
			tools++
		}
	}
	right := wording.Count(len(d.Commands)-tools, "command")
	if tools > 0 {
		right += " · tools in " + wording.Count(tools, "step")
	}
	return panes.Title{Left: "Trust this document?", Right: run.Look.Muted.Paint(right)}
}

// View implements dialog.Dialog.
func (d *Trust) View(run *runview.Run, w, h int) []string {
	return d.WindowAbove(run.Look, d.all(run.Look, w), run.Look.Answers(d.Answers(run), w), h)
}

func (d *Trust) all(l *draw.Look, w int) []string {
	all := l.Warning(HiddenCharacterWarning(d.Commands), w)
	all = append(all, d.inputs(l, w)...)
	return append(all, CommandLines(l, d.Commands, w)...)
}

// CommandLines returns the exact text of commands that a person must allow, in lines of w cells.
func CommandLines(l *draw.Look, commands []Command, w int) []string {
	intro := "It would run these commands on this machine, as you:"
	if slices.ContainsFunc(commands, func(c Command) bool { return c.Tools }) {
		intro = "It would run these commands on this machine, as you, and let a model use these tools:"
	}
	all := l.Wrap(intro, w)
	for _, c := range commands {
		all = append(all, "")
		for _, line := range l.Wrap(c.place(), w) {
			all = append(all, l.Muted.Paint(line))
		}
		for _, line := range strings.Split(sanitize.Text(sanitize.Unpadded(c.Text)), "\n") {
			if c.Tools {
				for _, part := range l.Wrap(line, w-2) {
					all = append(all, "  "+l.Command.Paint(part))
				}
				continue
			}
			all = append(all, l.Code(line, w)...)
		}
	}
	return all
}

// inputs returns the inputs with their values on one line, with the key that shows all of them.
func (d *Trust) inputs(l *draw.Look, w int) []string {
	if d.Inputs == nil || len(d.Inputs()) == 0 {
		return nil
	}
	var values []string
	for _, in := range d.Inputs() {
		values = append(values, draw.Clean(in.Name)+" = "+draw.Clean(in.Default))
	}
	return []string{l.Cut(l.Key.Paint(l.Keys.Name("inputs"))+" inputs: "+strings.Join(values, ", "), w), ""}
}

// CommandsOf returns the commands of a document and of those that it includes.
func CommandsOf(all []trust.Item, document string) (out []Command) {
	for _, c := range all {
		item := Command{Step: c.StepID, Checks: c.Checks, Line: c.Line, Text: c.Text, Tools: c.Tools}
		if c.Server != "" || c.Tools {
			item.Step = c.Label()
		}
		if c.Document != document {
			item.File = strings.TrimPrefix(c.Document, strings.TrimRight(document, "/")+"/")
		}
		out = append(out, item)
	}
	return out
}

// HiddenCharacterWarning returns a warning if commands have hidden characters, "" if none has.
func HiddenCharacterWarning(commands []Command) string {
	var texts []string
	for _, c := range commands {
		texts = append(texts, c.Step, c.Checks, c.File, c.Text)
	}
	return sanitize.HiddenCharacterWarning(texts...)
}

func (c Command) place() string {
	s := draw.Clean(c.Step)
	if c.Checks != "" {
		s += ", validator " + draw.Clean(c.Checks)
	}
	if c.Line > 0 {
		s += fmt.Sprintf(", line %d", c.Line)
	}
	if c.File != "" {
		s += " of " + draw.Clean(c.File)
	}
	return s
}

// Height implements dialog.Dialog.
func (d *Trust) Height(run *runview.Run, w int) int {
	return len(d.all(run.Look, w)) + len(run.Look.Answers(d.Answers(run), w))
}

// MayCoverOutput implements dialog.Dialog.
func (d *Trust) MayCoverOutput(*runview.Run) bool { return true }

// BlocksRun returns true: nothing runs before a person allows it.
func (d *Trust) BlocksRun() bool { return true }

// Update implements dialog.Dialog.
func (d *Trust) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.Is(k, "yes"):
		return dialog.Send(dialog.Close{}, Trusted{})
	case keys.Is(k, "trust-and-step"):
		return dialog.Send(dialog.Close{}, Trusted{Step: true})
	case keys.Is(k, "run-prompted") && !d.Resumed:
		return dialog.Send(dialog.Close{}, Prompted{})
	case keys.Is(k, "no"):
		return dialog.Send(request.Press{Action: "quit"})
	case keys.Is(k, "close"):
		return dialog.Send(request.FocusPanes{}, untilAnswered)
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Trust) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.Look), run.Look.Press("close", "look around"))
}

// Answers implements dialog.Answering.
func (d *Trust) Answers(run *runview.Run) []draw.Hint {
	l := run.Look
	out := []draw.Hint{l.Press("yes", "trust and run"), l.Press("trust-and-step", "trust and step")}
	if d.Resumed {
		out[0].Text = "trust and continue"
	} else {
		out = append(out, l.Press("run-prompted", "run them yourself"))
	}
	return out
}
