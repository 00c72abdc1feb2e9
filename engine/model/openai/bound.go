package openai

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"
)

// How large a reply may get, in bytes: a server that does not heed the limit of tokens must
// not fill the memory.
const (
	bytesPerToken = 64 // few tokens are longer, and none on average
	leastBound    = 64 << 10
	mostBound     = 4 << 20
)

var errEndless = errors.New("the server does not end the reply")

// bound is how large a reply may get, with its reasoning and calls.
func (c Config) bound() int {
	return max(leastBound, bytesPerToken*min(c.MaxTokens, mostBound/bytesPerToken))
}

// fits makes room for a piece of a reply. Of one that is too large it leaves as much of the
// text as there is room for.
func (k *call) fits(d *delta) bool {
	size := len(d.Content) + len(d.reasoning()) + len(d.Refusal)
	for _, c := range d.Calls {
		size += len(c.Function.Name) + len(c.Function.Arguments)
	}
	room := k.conf.bound() - k.reply.size
	k.reply.size += size
	if size <= room {
		return true
	}
	room = min(max(room, 0), len(d.Content))
	for room < len(d.Content) && room > 0 && !utf8.RuneStart(d.Content[room]) {
		room--
	}
	*d = delta{Content: d.Content[:room]}
	return false
}

// A pieceReader is the body of an answer in which no piece may be endless.
type pieceReader struct {
	io.ReadCloser
	most, left int // bytes of a piece
}

// next begins a piece.
func (r *pieceReader) next() { r.left = r.most }

func (r *pieceReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, bufio.ErrTooLong
	}
	n, err := r.ReadCloser.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
