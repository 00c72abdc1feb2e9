package track

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// SideEffects returns the commands that ran and the tools that were called in the events since,
// each with its step and a description. A rewind does not undo them. A call counts when its result
// arrives, because the person may have been asked about it in the events before.
func SideEffects(before, since []machine.Event) []string {
	var d sideEffects
	for _, e := range before {
		d.fold(e)
	}
	d.effects = nil
	for _, e := range since {
		d.fold(e)
	}
	if d.isCallRunning() {
		d.effects = append(d.effects, d.openCall)
	}
	var out []string
	for _, e := range d.effects {
		out = append(out, sanitize.Plain(e.Step+" "+describeActionStart(e.Body.(*machine.ActionStarted))))
	}
	return out
}

// SupersededEffectCount returns how many side effects a run had on branches that it abandoned by rewinding. In a fork,
// effects that the other run had after the event that it was forked from do not count.
func SupersededEffectCount(journal []machine.Event) int {
	var effectSeqs []int                                // the sequence numbers of the events at which an effect counts
	openCalls := make([]*machine.Event, len(journal)+1) // after each event, by its sequence number
	var d sideEffects
	for i, e := range journal {
		d.fold(e)
		rewind, isRewind := e.Body.(*machine.RunRewound)
		if len(d.effects) > 0 || isRewind && d.isCallRunning() {
			effectSeqs = append(effectSeqs, e.Seq)
		}
		d.effects = nil
		if isRewind {
			d = sideEffects{openCall: openCalls[rewind.ToSeq], isHeld: true}
		}
		openCalls[i+1] = d.openCall
		if machine.BeginsFork(journal, i) {
			abandoned := seqsOf(machine.BranchTo(journal, i))
			effectSeqs = slices.DeleteFunc(effectSeqs, func(seq int) bool { return seq > rewind.ToSeq && abandoned[seq] || seq == e.Seq })
		}
	}
	live := seqsOf(machine.LiveBranch(journal))
	return len(slices.DeleteFunc(effectSeqs, func(seq int) bool { return live[seq] }))
}

func seqsOf(events []machine.Event) map[int]bool {
	out := make(map[int]bool, len(events))
	for _, e := range events {
		out[e.Seq] = true
	}
	return out
}

type sideEffects struct {
	effects  []*machine.Event // the beginnings of commands and calls
	openCall *machine.Event   // the beginning of the tool call in progress
	isHeld   bool             // the call waits: for a person to approve it, or because the run was rewound to its beginning
}

func (s *sideEffects) isCallRunning() bool { return s.openCall != nil && !s.isHeld }

func (s *sideEffects) fold(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		switch b.Kind {
		case "command":
			s.effects = append(s.effects, &e)
		case "tool":
			s.openCall, s.isHeld = &e, false
		}
	case *machine.InputNeeded:
		s.isHeld = b.Kind == machine.KindApproveCall
	case *machine.InputGiven:
		if s.isHeld = false; b.Kind == machine.KindApproveCall && (b.Value == machine.DenyCall || b.Value == machine.AnsweredByPerson) {
			s.openCall = nil
		}
	case *machine.ActionFinished:
		if s.openCall != nil && e.By != machine.ByFile && e.By != "replay" {
			s.effects = append(s.effects, s.openCall)
		}
		s.openCall = nil
	}
}

// describeActionStart returns what an action does, on one line.
func describeActionStart(b *machine.ActionStarted) string {
	if b.Kind == "tool" && b.Call != nil {
		return strings.TrimSuffix(b.Tool+" "+strings.Join(strings.Fields(b.Args), " "), " {}")
	}
	return CommandExcerpt(b.Text)
}

// CommandExcerpt returns the line that stands for a command where there is room for one: the first that does something,
// without the comment after it, and "…" if more follows. It began if the command did, because the lines before it only
// print a text or set the shell up, or say why they failed. A later line may show more, but may not have been reached.
func CommandExcerpt(text string) string {
	excerpt, best, isFound, moreFollows := "", showsNothing, false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		command := withoutComment(line)
		worth := lineWorthOf(command)
		if isFound || excerpt != "" && worth <= best {
			moreFollows = moreFollows || command != ""
		} else {
			excerpt, best, moreFollows = cmp.Or(command, line), worth, false
		}
		isFound = isFound || worth == doesSomething || endOrWaitLinePattern.MatchString(command) || continuesBelow(command)
		if isFound && moreFollows {
			break
		}
	}
	if moreFollows {
		return strings.TrimRight(excerpt, ` \`) + " …"
	}
	return excerpt
}

// lineWorth is how much a line shows of what a command does.
type lineWorth int

const (
	showsNothing lineWorth = iota // a comment, an option of the shell, a change of the folder, a plain assignment …
	printsText
	doesSomething
)

var (
	uninformativeLinePattern = regexp.MustCompile(`^(#|//|--|(set [-+]|shopt |cd |trap |umask )[^;&|]*$|(true|:)$|export( \w+)*$|(export )?(\w+=([^\s$` + "`" + `]|\$[^(\s])*\s*)+$|$)`)
	printLinePattern         = regexp.MustCompile(`^(echo|printf)\b[^;&|>]*$`)
	endOrWaitLinePattern     = regexp.MustCompile(`^(exit|return|sleep)\b[^;&|]*$`)
	substitutionPattern      = regexp.MustCompile(`\$\(|` + "`")
	quotedTextPattern        = regexp.MustCompile(`'[^']*'|"[^"]*"`)
)

// lineWorthOf returns the worth of a line without its comment.
func lineWorthOf(line string) lineWorth {
	bare := quotedTextPattern.ReplaceAllString(line, "''")
	switch {
	case substitutionPattern.MatchString(line):
		return doesSomething
	case printLinePattern.MatchString(bare):
		return printsText
	case uninformativeLinePattern.MatchString(bare), endOrWaitLinePattern.MatchString(bare):
		return showsNothing
	}
	return doesSomething
}

// continuesBelow reports whether the next line belongs to the same command: after a backslash, or inside quotes.
func continuesBelow(line string) bool {
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "--") {
		return false // a comment of another language
	}
	return strings.HasSuffix(line, `\`) || strings.ContainsAny(quotedTextPattern.ReplaceAllString(line, ""), `'"`)
}

// withoutComment returns a line of a command without the comment that ends it. A # in quotes or
// after a backslash starts no comment.
func withoutComment(line string) string {
	var quote, before rune = 0, ' '
	for i, c := range line {
		switch {
		case before == '\\' && quote != '\'':
			c = 0 // it has no meaning, nor does it escape what follows
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '#' && unicode.IsSpace(before):
			return strings.TrimSpace(line[:i])
		}
		before = c
	}
	return line
}
