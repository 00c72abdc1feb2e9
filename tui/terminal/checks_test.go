package terminal

import (
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// intervals records the intervals that a ticker is set to.
type intervals []time.Duration

func (i *intervals) Reset(d time.Duration) { *i = append(*i, d) }

// TestTickerOf: tickerOf finds the library's ticker in a running program.
func TestTickerOf(t *testing.T) {
	var p *tea.Program
	var found bool
	p = tea.NewProgram(quitter{}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			found = found || tickerOf(p) != nil
			return msg
		}))
	if _, err := p.Run(); err != nil || !found {
		t.Errorf("found: %v, %v", found, err)
	}
}

// quitter is a model that quits at once.
type quitter struct{}

func (quitter) Init() tea.Cmd                       { return tea.Quit }
func (quitter) Update(tea.Msg) (tea.Model, tea.Cmd) { return quitter{}, nil }
func (quitter) View() tea.View                      { return tea.View{} }

// TestFrameChecks: the library checks seldom while no message arrives, and often after a key and after the message that
// ends an idle time. While messages follow each other, it checks at one rate.
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
