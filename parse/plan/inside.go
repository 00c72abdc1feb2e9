package plan

import (
	"path"
	"regexp"
	"strings"
)

var drive = regexp.MustCompile(`^[A-Za-z]:`)

// Outside says why a name cannot be that of a file in a document's folder, or below it,
// whatever lies there; empty: it can.
func Outside(name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case name == "":
		return "there is no path"
	case path.IsAbs(slashed) || drive.MatchString(name):
		return "the path " + name + " is absolute"
	case strings.Contains("/"+slashed+"/", "/../"):
		return "the path " + name + " may leave the document's folder"
	}
	return ""
}
