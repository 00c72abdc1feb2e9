package terminal

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// intervals records what a ticker is set to.
type intervals []time.Duration

func (i *intervals) Reset(d time.Duration) { *i = append(*i, d) }

// TestFrameChecks sees the library check seldom while no message arrives, often after a key and after the
// message that ends an idle time, and at one rate while messages follow each other.
func TestFrameChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set intervals
		c := newFrameChecks(&set)
		expect := func(when string, want ...time.Duration) {
			t.Helper()
			c.mu.Lock()
			defer c.mu.Unlock()
			if !slices.Equal(set, want) {
				t.Errorf("%s: the ticker was set to %v, want %v", when, set, want)
			}
			set = nil
		}
		stream := func() {
			for range 100 {
				c.messageArrived("output")
				time.Sleep(idleAfter / 4)
			}
		}
		stream()
		expect("while output arrives")
		c.messageArrived(tea.KeyPressMsg{})
		stream()
		expect("after a key in the output", quickInterval, activeInterval)
		time.Sleep(time.Minute)
		expect("after the output", idleInterval)
		c.messageArrived("output")
		time.Sleep(time.Minute)
		expect("after one message", quickInterval, activeInterval, idleInterval)
		for range 10 {
			c.messageArrived(tea.KeyPressMsg{})
			time.Sleep(quickFor / 2)
		}
		expect("while a key is held", quickInterval)
	})
}
