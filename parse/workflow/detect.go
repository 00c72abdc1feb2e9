package workflow

import (
	"bytes"
	"strings"
)

// Claims reports whether a text reads as a workflow (§1): it has a step heading
// outside fences and comments. nearly: it has one inside, or what is nearly one.
func Claims(file []byte) (has, nearly bool) {
	if !bytes.Contains(bytes.ToUpper(file), []byte("STEP")) {
		return false, false
	}
	o := sortLines(strings.Split(decode(file).text, "\n"))
	if o.first >= 0 {
		broken := len(o.unclosed) > 0 && o.unclosed[0].at.line < o.first
		return !broken, true
	}
	return false, o.elsewhere() != ""
}
