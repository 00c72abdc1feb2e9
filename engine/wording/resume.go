// Package wording is what all front ends say in the same words.
package wording

import (
	"regexp"
	"strings"

	"playhead/engine/sanitize"
)

// Resume is the command that goes on with a run, for a shell. secrets are the inputs whose
// values it needs again; args stand behind it, quoted where a shell would take them apart.
func Resume(run string, secrets []string, args ...string) string {
	out := "playhead resume " + sanitize.Plain(run)
	for _, name := range secrets {
		args = append(args, "--input", name+"=VALUE")
	}
	for _, arg := range args {
		out += " " + argument(arg)
	}
	return out
}

// harmless is what a shell takes as it stands.
var harmless = regexp.MustCompile(`^[\w.,:/@%+=-]+$`)

// argument is a text as one argument of a command for a shell: it is to be copied, and
// a document's words must not become commands by that.
func argument(text string) string {
	if text = sanitize.Plain(text); harmless.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
