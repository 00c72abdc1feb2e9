package plan

import "bytes"

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
