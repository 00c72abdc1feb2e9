package plan

import (
	"bytes"
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

// sample is how much of a file tells whether it is UTF-16, in bytes.
const sample = 64

// UTF16 reports whether a file is text in UTF-16: it says so by its mark, or every other
// byte of its beginning is zero, as those of Latin letters are.
func UTF16(file []byte) bool {
	if bytes.HasPrefix(file, []byte("\xff\xfe")) || bytes.HasPrefix(file, []byte("\xfe\xff")) {
		return true
	}
	head := file[:min(len(file), sample)&^1]
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most, least := max(zeros[0], zeros[1]), min(zeros[0], zeros[1])
	return least == 0 && most > 1 && most*4 >= len(head)
}
