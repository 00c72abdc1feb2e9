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

	isViewing bool // the command only prints something about the run
	movesRun  bool // the command makes the run move, so the open question is not asked again
}

// commandPrefix is the prefix of commands. Other lines are answers.
const commandPrefix = ":"

// Commands returns all commands, in the order of the help.
func (t *LineUI) Commands() []Command {
	acting := slices.Concat(t.actionCommands(), []Command{{Name: "what-if", Usage: "[STEP] [NAME=VALUE]", Help: "where a change leads; :what-if yes applies it", Do: t.handleWhatIf}})
	if t.playback != nil {
		acting = t.playback.commands()
	}
	return slices.Concat(acting, t.viewCommands(), t.extraCommands, []Command{
		{Name: "help", Usage: "[COMMAND]", Help: "this list", Do: t.printHelp},
		{Name: "quit", Help: "leave; the run is kept", Do: func(string) error { t.closeSession(); return nil }, movesRun: true},
	})
}

// executeCommand runs a command, and reports whether the open question must be asked again.
func (t *LineUI) executeCommand(line string) (again bool, err error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	c := t.findCommand(name)
	if c == nil {
		return true, t.unknownCommand(name)
	}
	err = c.Do(strings.TrimSpace(arg))
	return !c.movesRun || err != nil, err
}

func (t *LineUI) findCommand(name string) *Command {
	all := t.Commands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == control.CurrentActionName(name) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// unknownCommand returns the error for a name that is not a command here.
func (t *LineUI) unknownCommand(name string) error {
	if t.playback != nil && (control.FindAction(name) != nil || name == "what-if") {
		return replay.ErrReplay
	}
	return fmt.Errorf("there is no command %q: %s", name, t.suggestCommand(name))
}

func (t *LineUI) suggestCommand(name string) string {
	var names []string
	for _, c := range t.Commands() {
		names = append(names, c.Name)
	}
	if like := near.MostSimilar(name, names); like != "" {
		return "did you mean " + commandPrefix + like + "?"
	}
	return commandPrefix + "help lists all commands"
}

// printHelp lists the commands, or describes one.
func (t *LineUI) printHelp(name string) error {
	if name = strings.TrimPrefix(name, commandPrefix); name != "" {
		c := t.findCommand(name)
		if c == nil {
			return t.unknownCommand(name)
		}
		t.printLine("  %s", c)
		return nil
	}
	for _, c := range t.Commands() {
		t.printLine("  %s", c)
	}
	t.printLine("To list steps, events or runs, type :steps, :history or :compare.")
	t.printLine("Without STEP, a command uses the current step.")
	t.printLine("Quote a name of several words: :output \"Log it\"")
	return nil
}

// String returns the command's line in the help.
func (c Command) String() string {
	return fmt.Sprintf("%-28s %s", strings.TrimSpace(commandPrefix+c.Name+" "+c.Usage), c.Help)
}

// handleLine handles a line: a command with its colon, an answer to the open question, or an empty
// line, which continues a paused run.
func (t *LineUI) handleLine(line string) {
	order, is := strings.CutPrefix(line, commandPrefix)
	again, err := true, error(nil)
	switch state := t.status.State; {
	case is:
		again, err = t.executeCommand(order)
	case t.playback != nil && line == "" && state != engine.Over:
		t.hasAskedQuestion = false
		again, err = false, t.playback.togglePlaying()
	case state == engine.Running && t.playback == nil:
		return // the line was meant for the command, which has ended
	case state == engine.Waiting:
		again, err = false, t.answerOrAct(line)
	case line == "?":
		err = t.printHelp("")
	case line != "":
		again, err = t.executeCommand(line)
	case state == engine.Over:
		t.closeSession()
		return
	default:
		again, err = false, t.parseAndPerform(controlAction("continue"), "")
	}
	if err != nil {
		t.printLine("  %s", sanitize.Plain(err.Error()))
	}
	if again || err != nil {
		t.hasAskedQuestion = false
		t.handleUpdate(t.watcher.Take()) // the question may have changed
	}
}
