package plan

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

var drive = regexp.MustCompile(`^[A-Za-z]:`)

// Outside returns why a name cannot be a path below the document's folder, whatever files exist, ""
// if it can.
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

// sample is the number of bytes that UTF16 examines.
const sample = 64

// UTF16 reports whether a file is UTF-16 text: it has a byte order mark, or every other byte at its
// beginning is zero, as for Latin letters.
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
