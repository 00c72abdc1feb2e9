package shell

import (
	"fmt"
	"io"
	"sync"
)

// mostCaptured is how much of an output a Result carries.
const mostCaptured = 1 << 20

// A capture keeps the beginning of what is written and passes all of it on.
type capture struct {
	pass io.Writer

	mu   sync.Mutex
	kept []byte
	lost int
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	n := min(len(p), mostCaptured-len(c.kept))
	c.kept = append(c.kept, p[:n]...)
	c.lost += len(p) - n
	c.mu.Unlock()
	return c.pass.Write(p)
}

func (c *capture) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == 0 {
		return string(c.kept)
	}
	return fmt.Sprintf("%s\n… %d more bytes left out …\n", c.kept, c.lost)
}

// A shared writer lets several write in turn.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
