package engine

import (
	"strconv"
	"strings"
)

// separators end a step's name where more may stand behind it.
const separators = " \t\r\n:"

// Quoted is a step's name as it is written where more may stand behind it: in quotes if
// it would end too early.
func Quoted(step string) string {
	if strings.ContainsAny(step, separators+`"`) {
		return strconv.Quote(step)
	}
	return step
}

// CutQuoted reads a step's name in quotes that a line begins with, and reports whether it
// does.
func CutQuoted(line string) (step, rest string, is bool) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil || line[0] != '"' {
		return "", line, false
	}
	step, err = strconv.Unquote(quoted)
	return step, line[len(quoted):], err == nil
}

// Unquoted is a step's name without the quotes that it may have been written in.
func Unquoted(name string) string {
	if step, rest, is := CutQuoted(name); is && rest == "" {
		return step
	}
	return name
}
