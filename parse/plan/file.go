package plan

import (
	"bytes"
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

// utf16SampleSize is the number of bytes that are examined for UTF-16.
const utf16SampleSize = 64

// IsUTF16 reports whether a file is UTF-16 text: it has a byte order mark, or every other byte at its
// beginning is zero, as for Latin letters.
func IsUTF16(file []byte) bool {
	if bytes.HasPrefix(file, []byte("\xff\xfe")) || bytes.HasPrefix(file, []byte("\xfe\xff")) {
		return true
	}
	head := file[:min(len(file), utf16SampleSize)&^1]
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most, least := max(zeros[0], zeros[1]), min(zeros[0], zeros[1])
	return least == 0 && most > 1 && most*4 >= len(head)
}
