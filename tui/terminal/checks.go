package terminal

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The library checks at these intervals whether there is a new frame to draw.
const (
	quickInterval  = 8 * time.Millisecond   // after a key or a click, and after the message that ends an idle time
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
// changes, and often after a key. The library itself checks at one rate all the time. Those checks would be most
// of the cost of an idle screen, and most of the delay of a key.
type frameChecks struct {
	ticker interface{ Reset(time.Duration) }

	mu          sync.Mutex
	interval    time.Duration
	lastMessage time.Time
	quickUntil  time.Time
	slower      *time.Timer // stopped while idle
}

// withFrameChecks is a program option. It takes the only filter that a program can have.
func withFrameChecks(p *tea.Program) {
	var c *frameChecks
	tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if c == nil {
			ticker := tickerOf(p) // a program makes its ticker before it handles the first message
			if ticker == nil {
				return msg
			}
			c = newFrameChecks(ticker)
		}
		c.messageArrived(msg)
		return msg
	})(p)
}

// tickerOf returns the ticker of a running program. The library has no other way to change the rate of a
// running program than this private field. Without it, the result is nil, and the rate stays as it is.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
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
	_, isClick := msg.(tea.MouseClickMsg)
	if isKey || isClick || c.interval == idleInterval {
		c.setInterval(quickInterval)
		c.quickUntil = c.lastMessage.Add(quickFor)
		c.slower.Reset(quickFor)
	}
}

func (c *frameChecks) slowDown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch quiet := now.Sub(c.lastMessage); {
	case now.Before(c.quickUntil): // the timer fired just before the last key
		c.slower.Reset(c.quickUntil.Sub(now))
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
