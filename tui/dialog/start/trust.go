package start

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Command is a command that a document would run.
type Command struct {
	StepLabel     string // the label of its step
	StepTitle     string // "": it has none
	ValidatorName string // the name of the validator, if the command is one; "": it is none
	IsToolUse     bool   // Text names the tools that a model may call: there is no command
	File          string // its file; "": the document itself
	Line          int
	Language      string // as the document names it
	Text          string
}

// Requests of the trust dialog.
type (
	// TrustCommands allows the commands. The field makes the run pause before anything is executed.
	TrustCommands struct{ PauseFirst bool }
	// ExecuteNothing begins a run that executes nothing and asks a person for each outcome instead.
	ExecuteNothing struct{}
)

// TrustDialog lists every command of a document that is not trusted yet, before any of them runs.
type TrustDialog struct {
	Commands            []Command
	CommandsHaveChanged bool                // the person trusted another version of the document
	IsResumed           bool                // the run is resumed, so it cannot become one that executes nothing
	PresetInputs        func() []plan.Input // inputs with values that can be changed; nil: none
	dialog.OutputCoverer
	list.Scroller
}

// Title returns the number of commands, and of steps with tools.
func (d *TrustDialog) Title(run *runview.Run) layout.PaneTitle {
	tools := toolUseCount(d.Commands)
	var counts []string
	if commands := len(d.Commands) - tools; commands > 0 {
		counts = append(counts, plan.CountText(commands, "command"))
	}
	if tools > 0 {
		counts = append(counts, "tools in "+plan.CountText(tools, "step"))
	}
	return layout.PaneTitle{Left: "Trust this document?", Right: run.DrawContext.Muted.Paint(strings.Join(counts, " · "))}
}

// toolUseCount returns how many of the commands name tools.
func toolUseCount(commands []Command) (n int) {
	for _, c := range commands {
		if c.IsToolUse {
			n++
		}
	}
	return n
}

// View implements dialog.Dialog.
func (d *TrustDialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLinesAboveFixed(run.DrawContext, d.bodyLines(run.DrawContext, w), run.DrawContext.AnswerLines(d.AnswerHints(run), w), h)
}

func (d *TrustDialog) bodyLines(dc *draw.Context, w int) []string {
	all := dc.WarningLines(HiddenCharacterWarning(d.Commands), w)
	if d.CommandsHaveChanged {
		all = append(all, dc.Wrap("It has changed since you trusted it.", w)...)
	}
	all = append(all, d.inputsLine(dc, w)...)
	return append(all, CommandLines(dc, d.Commands, w)...)
}

// CommandLines returns the exact text of commands that a person must allow, in lines of w cells.
func CommandLines(dc *draw.Context, commands []Command, w int) []string {
	what, tools := "commands", toolUseCount(commands)
	switch {
	case tools > 0 && tools == len(commands):
		what = "tools"
	case tools > 0:
		what = "commands and tools"
	}
	all := dc.Wrap("These "+what+" would run under your account:", w)
	for _, c := range commands {
		all = append(append(all, ""), dc.PaintLines(dc.Muted, c.placeText(), w)...)
		text := sanitize.PlainLines(sanitize.MarkPadding(c.Text))
		if !c.IsToolUse {
			all = append(all, markdown.CodeBlock(text, cmp.Or(c.Language, markdown.DefaultLanguage), "", draw.CleanLine(c.Language), w, dc.Styles, dc.Measure)...)
			continue
		}
		all = append(all, dc.MarkedLines("  ", dc.PaintLines(dc.Command, text, w-2))...)
	}
	return all
}

// inputsLine returns the given values on one line, with the key that shows all of them.
func (d *TrustDialog) inputsLine(dc *draw.Context, w int) []string {
	if d.PresetInputs == nil || len(d.PresetInputs()) == 0 {
		return nil
	}
	var values []string
	for _, in := range d.PresetInputs() {
		values = append(values, draw.CleanLine(in.Name)+" = "+draw.CleanLine(in.Default))
	}
	return []string{dc.Cut(dc.Key.Paint(dc.Keys.FirstKeyText("inputs"))+" inputs: "+strings.Join(values, ", "), w), ""}
}

// CommandsOf returns the commands of a document and of those that it includes.
func CommandsOf(all []trust.Item, document string) (out []Command) {
	for _, c := range all {
		item := Command{StepLabel: c.StepID, StepTitle: c.StepTitle, ValidatorName: c.ValidatorName, Line: c.Line, Language: c.Language, Text: c.Text, IsToolUse: c.IsToolList}
		if c.ServerName != "" || c.IsToolList {
			item.StepLabel, item.StepTitle = c.ExecutedBy(), ""
		}
		if c.File != document {
			item.File = strings.TrimPrefix(c.File, strings.TrimRight(document, "/")+"/")
		}
		out = append(out, item)
	}
	return out
}

// HiddenCharacterWarning returns a warning if commands have hidden characters, "" if none has.
func HiddenCharacterWarning(commands []Command) string {
	var texts []string
	for _, c := range commands {
		texts = append(texts, c.StepLabel, c.ValidatorName, c.File, c.Text)
	}
	return sanitize.HiddenCharacterWarning(texts...)
}

// placeText returns the step of a command, and where the command is written.
func (c Command) placeText() string {
	s := draw.JoinWords(draw.CleanLine(c.StepLabel), draw.CleanLine(c.StepTitle))
	if c.ValidatorName != "" {
		s += ", validator " + draw.CleanLine(c.ValidatorName)
	}
	if c.Line > 0 {
		s += fmt.Sprintf(", line %d", c.Line)
	}
	if c.File != "" {
		s += " of " + draw.CleanLine(c.File)
	}
	return s
}

// WantedHeight implements dialog.Dialog.
func (d *TrustDialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.bodyLines(run.DrawContext, w)) + len(run.DrawContext.AnswerLines(d.AnswerHints(run), w))
}

// BlocksRun returns true: nothing runs before a person allows it.
func (d *TrustDialog) BlocksRun() bool { return true }

// AllowsAction implements dialog.ActionFilter: a person can read the document, and prepare its run.
func (d *TrustDialog) AllowsAction(a *keymap.KeyAction) bool {
	return dialog.IsHarmlessInDialogs(a) || slices.Contains([]string{"break", "inputs", "document", "reload"}, a.Name)
}

// Update implements dialog.Dialog.
func (d *TrustDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.DrawContext.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "yes"):
		return dialog.Handled(dialog.Close{}, TrustCommands{})
	case keys.IsKeyOf(k, "trust-and-step"):
		return dialog.Handled(dialog.Close{}, TrustCommands{PauseFirst: true})
	case keys.IsKeyOf(k, "run-prompted") && !d.IsResumed:
		return dialog.Handled(dialog.Close{}, ExecuteNothing{})
	case keys.IsKeyOf(k, "no"):
		return dialog.Handled(request.PressKeyOf{Action: "quit"})
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(request.FocusPanes{}, nothingRunsNotice)
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *TrustDialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.LookAroundHint(), quitHint(run.DrawContext))
}

// AnswerHints implements dialog.AnswerLister.
func (d *TrustDialog) AnswerHints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := []draw.Hint{dc.ActionHint("yes", "trust and run"), dc.ActionHint("trust-and-step", "trust and step")}
	if d.IsResumed {
		out[0].Text = "trust and continue"
	} else {
		out = append(out, dc.ActionHint("run-prompted", "run them yourself"))
	}
	return out
}
