package lines

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/replay"
	"playhead/engine/sanitize"
	"playhead/parse/near"
)

// Command is a command that a person can type at every question: a colon and its name. Commands have
// the names of the screen's actions.
type Command struct {
	Name  string
	Usage string // the arguments, as shown in the help
	Help  string
	Do    func(arg string) error

	details   [][2]string // what can be written as the argument, and what it means, for the help about this command
	isViewing bool        // the command only prints something about the run
	movesRun  bool        // the command makes the run move, so the open question is not asked again
}

// commandPrefix is the prefix of commands. Other lines are answers.
const commandPrefix = ":"

// Commands returns all commands, in the order of the help.
func (ui *LineUI) Commands() []Command {
	acting := slices.Concat(ui.actionCommands(), []Command{{Name: "what-if", Usage: "[STEP] [NAME=VALUE]", Help: "where a change leads; :what-if yes applies it", Do: ui.handleWhatIf}})
	if ui.playback != nil {
		acting = ui.playback.commands()
	}
	return slices.Concat(acting, ui.viewCommands(), ui.extraCommands, []Command{
		{Name: "help", Usage: "[COMMAND]", Help: "list the commands, or describe COMMAND", Do: ui.printHelp},
		{Name: "quit", Help: "quit; the run is kept", Do: func(string) error { ui.closeSession(); return nil }, movesRun: true},
	})
}

// executeCommand runs a command, and reports whether the open question must be asked again.
func (ui *LineUI) executeCommand(line string) (again bool, err error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	c := ui.findCommand(name)
	if c == nil {
		return true, ui.unknownCommand(name)
	}
	err = c.Do(strings.TrimSpace(arg))
	return !c.movesRun || err != nil, err
}

func (ui *LineUI) findCommand(name string) *Command {
	all := ui.Commands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == control.CurrentActionName(name) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// unknownCommand returns the error for a name that is not a command here.
func (ui *LineUI) unknownCommand(name string) error {
	if ui.playback != nil && (control.FindAction(name) != nil || name == "what-if") {
		return replay.ErrReadOnly
	}
	return fmt.Errorf("there is no command %q: %s", name, ui.suggestCommand(name))
}

func (ui *LineUI) suggestCommand(name string) string {
	var names []string
	for _, c := range ui.Commands() {
		names = append(names, c.Name)
	}
	if like := near.MostSimilar(name, names); like != "" {
		return "did you mean " + commandPrefix + like + "?"
	}
	return commandPrefix + "help lists the commands"
}

// printHelp lists the commands, or describes one.
func (ui *LineUI) printHelp(name string) error {
	if name = strings.TrimPrefix(name, commandPrefix); name != "" {
		c := ui.findCommand(name)
		if c == nil {
			return ui.unknownCommand(name)
		}
		for _, line := range c.Describe() {
			ui.printLine("  %s", line)
		}
		return nil
	}
	for _, c := range ui.Commands() {
		ui.printLine("  %s", c)
	}
	ui.printLine("To list steps, events or runs, type :steps, :timeline or :compare.")
	ui.printLine("Without STEP, a command uses the current step.")
	ui.printLine("Quote a name of several words: :output \"Log it\"")
	return nil
}

// String returns the command's line in the help.
func (c Command) String() string {
	return fmt.Sprintf("%-28s %s", strings.TrimSpace(commandPrefix+c.Name+" "+c.Usage), c.Help)
}

// Describe returns the lines of the help about the command alone.
func (c Command) Describe() []string {
	out := []string{c.String()}
	for _, d := range c.details {
		out = append(out, fmt.Sprintf("  %-20s %s", d[0], d[1]))
	}
	return out
}

// handleLine handles a line: a command with its colon, an answer to the open question, or an empty
// line, which continues a paused run.
func (ui *LineUI) handleLine(line string) {
	command, isCommand := strings.CutPrefix(line, commandPrefix)
	again, err := true, error(nil)
	switch state := ui.status.State; {
	case isCommand:
		again, err = ui.executeCommand(command)
	case ui.playback != nil && line == "" && state != engine.Over:
		ui.hasAskedQuestion = false
		again, err = false, ui.playback.togglePlaying()
	case state == engine.Running && ui.playback == nil:
		return // the line was meant for the command, which has ended
	case state == engine.Waiting:
		again, err = false, ui.answerOrAct(line)
	case line == "?":
		err = ui.printHelp("")
	case line != "":
		again, err = ui.executeCommand(line)
	case state == engine.Over:
		ui.closeSession()
		return
	default:
		again, err = false, ui.parseAndPerform(control.FindAction("continue"), "")
	}
	if err != nil {
		ui.printLine("  %s", sanitize.Plain(err.Error()))
	}
	if again || err != nil {
		ui.hasAskedQuestion = false
		ui.handleUpdate(ui.watcher.Take()) // the question may have changed
	}
}
