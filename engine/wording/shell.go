package wording

import (
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// ShellHeading returns the heading of a shell: the step at which it is opened, and the command that
// the step ran last or will run.
func ShellHeading(r *track.Row) string {
	text := "Shell at step " + strings.TrimSpace(sanitize.Plain(r.Label+" "+r.Title)) + "."
	if r.Title == r.Label {
		text = "Shell at step " + sanitize.Plain(r.Label) + "."
	}
	command, ran := lastCommand(r)
	switch {
	case ran:
		text += " The step's last command:"
	case command != "":
		text += " The step's command:"
	}
	for line := range strings.Lines(sanitize.PlainLines(command)) {
		text += "\n  " + strings.TrimSuffix(line, "\n")
	}
	return text + "\nExit the shell to return to Playhead.\n"
}

// lastCommand returns the command that a step ran last, else the first that it will run.
func lastCommand(r *track.Row) (text string, ran bool) {
	if x := r.NewestStepAttempt(); x != nil {
		for _, a := range x.Actions {
			if a.Kind == "command" && a.Text != "" {
				text, ran = a.Text, true
			}
		}
	}
	for i := 0; text == "" && i < len(r.Step.Actions); i++ {
		if _, command := r.Step.Actions[i].Work.(plan.Command); command {
			text = r.ActionText(i)
		}
	}
	return text, ran
}
