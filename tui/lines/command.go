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

// Command is what a person can type at every question: its name behind a colon. Names are those
// of the screen's actions.
type Command struct {
	Name  string
	Takes string // what may stand behind the name
	Help  string
	Do    func(arg string) error

	looks bool // it prints what there is, and nothing else
	moves bool // the run moves because of it, so the open question is not asked again
}

// colon stands before a command where a line is an answer.
const colon = ":"

// Commands returns all commands, in the order of the help.
func (t *LineUI) Commands() []Command {
	acting := slices.Concat(t.actions(), []Command{{Name: "what-if", Takes: "[STEP] [NAME=VALUE]", Help: "what would be decided; :what-if yes applies it", Do: t.whatIf}})
	if t.play != nil {
		acting = t.play.commands()
	}
	return slices.Concat(acting, t.viewCommands(), t.others, []Command{
		{Name: "help", Takes: "[COMMAND]", Help: "this list", Do: t.help},
		{Name: "quit", Help: "leave; the run is kept", Do: func(string) error { t.leave(); return nil }, moves: true},
	})
}

// runCommand runs a command. It reports whether the open question has to be asked again.
func (t *LineUI) runCommand(line string) (again bool, err error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	c := t.commandNamed(name)
	if c == nil {
		return true, t.unknownCommand(name)
	}
	err = c.Do(strings.TrimSpace(arg))
	return !c.moves || err != nil, err
}

func (t *LineUI) commandNamed(name string) *Command {
	all := t.Commands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == control.CurrentName(name) }); i >= 0 {
		return &all[i]
	}
	return nil
}

// unknownCommand returns the error for a name that is no command here.
func (t *LineUI) unknownCommand(name string) error {
	if t.play != nil && (control.Find(name) != nil || name == "what-if") {
		return replay.ErrReplay
	}
	return fmt.Errorf("there is no command %q: %s", name, t.suggestion(name))
}

func (t *LineUI) suggestion(name string) string {
	var names []string
	for _, c := range t.Commands() {
		names = append(names, c.Name)
	}
	if like := near.Name(name, names); like != "" {
		return "did you mean " + colon + like + "?"
	}
	return colon + "help lists them"
}

// help lists the commands, or describes one.
func (t *LineUI) help(name string) error {
	if name = strings.TrimPrefix(name, colon); name != "" {
		c := t.commandNamed(name)
		if c == nil {
			return t.unknownCommand(name)
		}
		t.line("  %s", c)
		return nil
	}
	for _, c := range t.Commands() {
		t.line("  %s", c)
	}
	t.line("Names come from :steps, :history, :compare. STEP left out is where the run is.")
	t.line("A name of several words can stand in quotes: :break \"Log it\":after")
	return nil
}

// String returns the command's line in the help.
func (c Command) String() string {
	return fmt.Sprintf("%-28s %s", strings.TrimSpace(colon+c.Name+" "+c.Takes), c.Help)
}

// handleLine handles a line: a command behind a colon, an answer to the open question, or nothing,
// which continues a paused run.
func (t *LineUI) handleLine(line string) {
	order, is := strings.CutPrefix(line, colon)
	again, err := true, error(nil)
	switch state := t.status.State; {
	case is:
		again, err = t.runCommand(order)
	case t.play != nil && line == "" && state != engine.Over:
		t.hasAsked = false
		again, err = false, t.play.toggle()
	case state == engine.Running && t.play == nil:
		return // it was not meant for what comes next
	case state == engine.Waits:
		again, err = false, t.answer(line)
	case line == "?":
		err = t.help("")
	case line != "":
		again, err = t.runCommand(line)
	case state == engine.Over:
		t.leave()
		return
	default:
		again, err = false, t.act(action("continue"), "")
	}
	if err != nil {
		t.line("  %s", sanitize.Plain(err.Error()))
	}
	if again || err != nil {
		t.hasAsked = false
		t.update(t.watcher.Take()) // it may be another question by now
	}
}
