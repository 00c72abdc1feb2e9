package logs

import "bytes"

// maxLine is how long a line gets before it is cut, in bytes. A cut never divides a character,
// so that a line may be up to three bytes longer.
const maxLine = 16 << 10

// A cutter divides a stream into lines. It sees the stream in pieces of any size and cuts it the
// same way, so that what was indexed while it was written reads the same later.
type cutter struct {
	length int // bytes of the current line so far
}

// next reads from p, up to the end of the current line. It returns how many bytes it read, and
// whether the line ends with them; a line that was cut can end with none.
func (c *cutter) next(p []byte) (n int, ended bool) {
	if room := maxLine - c.length; room >= 0 {
		window := p[:min(len(p), room+1)]
		if i := bytes.IndexByte(window, '\n'); i >= 0 {
			c.length = 0
			return i + 1, true
		}
		if len(window) <= room {
			c.length += len(window)
			return len(window), false
		}
		n, c.length = room, maxLine
	}
	for ; n < len(p); n++ {
		inside := p[n]&0xc0 == 0x80 // this byte continues a character
		if !inside || c.length == maxLine+3 {
			c.length = 0
			if p[n] == '\n' {
				n++
			}
			return n, true
		}
		c.length++
	}
	return n, false
}
