package terminal

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The library checks at these intervals whether there is a new frame to draw.
const (
	quickInterval  = 8 * time.Millisecond   // after a key, and after the message that ends an idle time
	activeInterval = 30 * time.Millisecond  // while other messages arrive
	idleInterval   = 200 * time.Millisecond // only a frame that took longer than idleAfter waits for it
)

const (
	quickFor  = 6 * quickInterval // a frame may take that long
	idleAfter = 100 * time.Millisecond
)

// framesPerSecond is the rate of activeInterval.
const framesPerSecond = int(time.Second / activeInterval)

// frameChecks makes the library check seldom while no message arrives, since without a message no frame
// changes, and often after a key. The library itself checks at one rate all the time, which would be most of
// what an idle screen costs and how long the effect of a key takes.
type frameChecks struct {
	ticker interface{ Reset(time.Duration) }

	mu          sync.Mutex
	interval    time.Duration
	lastMessage time.Time
	slower      *time.Timer // stopped while idle
}

// withFrameChecks is a program option.
func withFrameChecks(p *tea.Program) {
	var c *frameChecks
	tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if c == nil {
			c = newFrameChecks(tickerOf(p)) // a program makes its ticker before it handles the first message
		}
		c.messageArrived(msg)
		return msg
	})(p)
}

// tickerOf returns the ticker of a running program. The library has no other way to change the rate of a
// running program than this private field.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	return *(**time.Ticker)(field.Addr().UnsafePointer())
}

func newFrameChecks(ticker interface{ Reset(time.Duration) }) *frameChecks {
	c := &frameChecks{ticker: ticker, interval: activeInterval}
	c.slower = time.AfterFunc(idleAfter, c.slowDown)
	return c
}

// messageArrived must be called before the program handles msg.
func (c *frameChecks) messageArrived(msg tea.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastMessage = time.Now()
	_, isKey := msg.(tea.KeyMsg)
	_, isMouse := msg.(tea.MouseMsg)
	if isKey || isMouse || c.interval == idleInterval {
		c.setInterval(quickInterval)
		c.slower.Reset(quickFor)
	}
}

func (c *frameChecks) slowDown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch quiet := time.Since(c.lastMessage); {
	case c.interval == quickInterval:
		c.setInterval(activeInterval)
		c.slower.Reset(idleAfter)
	case quiet < idleAfter:
		c.slower.Reset(idleAfter - quiet)
	default:
		c.setInterval(idleInterval)
	}
}

func (c *frameChecks) setInterval(d time.Duration) {
	if c.interval != d {
		c.interval = d
		c.ticker.Reset(d)
	}
}
