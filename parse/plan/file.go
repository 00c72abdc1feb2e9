package plan

import (
	"path"
	"regexp"
	"strings"
)

var drivePrefix = regexp.MustCompile(`^[A-Za-z]:`)

// PathProblem returns why a name cannot be a path below the document's folder, "" if it can. It does not
// look at files.
func PathProblem(name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return "the path is empty"
	case path.IsAbs(slashed) || drivePrefix.MatchString(name):
		return "the path " + name + " is absolute"
	case strings.Contains("/"+slashed+"/", "/../"):
		return "the path " + name + " contains .. and could lead out of the document's folder"
	}
	return ""
}
