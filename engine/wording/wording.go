// Package wording turns events and values into the text that all front ends show.
package wording

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// ResumeCommand returns the shell command that resumes a run. secrets are the inputs whose values it needs
// again. args follow, quoted for the shell if necessary.
func ResumeCommand(run string, secrets []string, args ...string) string {
	out := "playhead resume " + sanitize.Plain(run)
	for _, name := range secrets {
		args = append(args, "--input", name+"=VALUE")
	}
	for _, arg := range args {
		out += " " + shellArgument(arg)
	}
	return out
}

// unquotedArgumentPattern matches what a shell takes literally.
var unquotedArgumentPattern = regexp.MustCompile(`^[\w.,:/@%+=-]+$`)

// shellArgument returns a text as one argument of a shell command. A person may copy the command, so a
// document's words must not become commands.
func shellArgument(text string) string {
	if text = sanitize.Plain(text); unquotedArgumentPattern.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// DurationText returns a duration for running text: 40 ms, 3.2 s, 2 min 05 s, 1 h 10 min.
func DurationText(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	default:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
}

// SecondsText returns a duration for the line interface: 3.2s. It is "" for a duration that would be 0.0s.
func SecondsText(d time.Duration) string {
	if d < 50*time.Millisecond {
		return ""
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// ColumnDuration returns a duration for a column, in at most six cells: 3.2s, 42s, 02:05, 1h10. It is "" where
// SecondsText is.
func ColumnDuration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return SecondsText(d)
	case d < time.Minute:
		return fmt.Sprintf("%.0fs", d.Truncate(time.Second).Seconds())
	case d < time.Hour:
		return RunningDuration(d)
	}
	return fmt.Sprintf("%dh%02d", int(d.Hours()), int(d.Minutes())%60)
}

// RunningDuration returns the duration of something that is running, without tenths, so that the text changes
// only once a second.
func RunningDuration(d time.Duration) string {
	if d < time.Hour {
		return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return ColumnDuration(d)
}

// ByteSize returns a number of bytes in a rounded unit: 5 B, 12 kB, 3.1 MB.
func ByteSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.0f kB", float64(n)/1000)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// WaitingForText returns what a run that is not over waits for, such as "pass or fail" or "a model's
// reply".
func WaitingForText(w *machine.Waiting) string {
	switch w.Kind {
	case machine.KindPause:
		return "somebody to continue it"
	case machine.KindReply:
		if w.Tool != "" {
			return "the result of " + sanitize.Plain(w.Tool)
		}
	}
	return sanitize.Plain(track.NeededAnswerText(w.Kind, w.Prompt, w.Options))
}

// PauseText returns where a run is paused, such as "paused before 3".
func PauseText(w *machine.Waiting) string {
	return sanitize.Plain(cmp.Or(w.Prompt, "paused before "+w.Step))
}

// ApprovalPolicyText returns when a person approves tool calls of models under a policy.
func ApprovalPolicyText(policy string) string {
	switch policy {
	case machine.ApproveEach:
		return "before each call, except calls to Playhead's own tools that neither change files nor run commands"
	case machine.ApproveOnce:
		return "before the first call to each tool of a tool server, before each command, and before file changes unless the step's permission mode allows them"
	}
	return "never"
}

// ChangeText returns a change of a document on one line, such as "3 Deploy: text, 1 route".
func ChangeText(c match.Change) string {
	s := c.NewestStep()
	if s == nil {
		return sanitize.Plain(c.Describe())
	}
	name := s.ID
	switch {
	case s.IsArm():
		name = fmt.Sprintf("line %d, %s", s.Span.Line, s.ArmText())
	case s.Title != "" && s.Title != s.ID:
		name += " " + s.Title
	}
	return sanitize.Plain(name + ": " + c.Describe())
}

// AcceptedValues returns which values an input accepts, such as "one of: search, mail", "" for any text.
func AcceptedValues(in plan.Input) string {
	switch {
	case in.Type == "enum" && len(in.Options) > 0:
		return "one of: " + strings.Join(in.Options, ", ")
	case in.Type == "number":
		return "a number" + rangeText(in.Min, in.Max)
	case in.Type == "boolean":
		return "true or false"
	case in.Type == "array":
		return "a list, as JSON or separated by commas"
	case in.Pattern != "":
		return "text that matches " + in.Pattern
	}
	return ""
}

// rangeText returns the range of a number as text.
func rangeText(least, most *float64) string {
	number := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case least != nil && most != nil:
		return " from " + number(least) + " to " + number(most)
	case least != nil:
		return ", at least " + number(least)
	case most != nil:
		return ", at most " + number(most)
	}
	return ""
}

// What a status means for a step or group that has no outcome.
const (
	LeftUndecidedText = "exited without an outcome"
	TargetOnlyText    = "only an explicit route leads here"
)

// MissingNeedsText introduces the problems that were found before a run.
const MissingNeedsText = "Something that the run needs may be missing."

// NoReplySourceText says why a person is asked for a reply source before a run. lacks is what the configuration of the
// model server lacks, "" if no server is configured.
func NoReplySourceText(lacks string) string {
	return "This document asks a model, but " +
		cmp.Or(lacks, "no model is configured (set OPENAI_API_KEY or OPENAI_BASE_URL, or use a configuration file)") + "."
}

// UndoneText returns a sentence that names the person's action that was undone or redone.
func UndoneText(done machine.UndoStep) string {
	verb := UndoneVerb(done)
	return strings.ToUpper(verb[:1]) + verb[1:] + ": " + sanitize.Plain(track.InterventionText(done.Event)) + "."
}

// UndoneVerb returns whether a person's action was undone or redone. It is not the name of the key that did it: redo
// undoes a rewind that was the last action.
func UndoneVerb(done machine.UndoStep) string {
	if done.Repeats {
		return "redone"
	}
	return "undone"
}

// StillContainsText returns a sentence, with a blank at its end, that a file still contains an edit that is undone, "" for no file.
func StillContainsText(file string) string {
	if file == "" {
		return ""
	}
	return "The file " + sanitize.Plain(file) + " still contains the edit. "
}

// MissingLogText says which log of the run's folder is missing.
func MissingLogText(file string) string {
	return "The log of this output is missing from the run's folder: " + sanitize.Plain(file)
}

// ErrorSentence returns the text of an error as a sentence. A file name at its beginning stays as it is.
func ErrorSentence(err error) string {
	text := err.Error()
	if word, _, _ := strings.Cut(text, " "); !strings.ContainsAny(word, "./") {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}
