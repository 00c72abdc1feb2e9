package tui

import (
	"image/color"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"playhead/themes"
	"playhead/tui/terminal"
)

// openWithColours returns a screen of 80 × 24 on which most roles of a theme occur: with a failure and a retry.
func openWithColours(t *testing.T, adjust ...func(*Config)) *testScreen {
	sc := open(t, release(t), 80, 24, adjust...)
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
	sc.run(0, 200*time.Millisecond, "30298176")
	sc.run(1, 3*time.Second, "connection reset by peer")
	sc.s.print("\x1b[32mok\x1b[0m uploading 20 %")
	sc.send(spinnerTickMsg{})
	return sc
}

func TestColours(t *testing.T) {
	for name, back := range map[string]color.Color{"dark": color.Black, "light": color.White} {
		t.Run(name, func(t *testing.T) {
			sc := openWithColours(t)
			sc.send(tea.BackgroundColorMsg{Color: back})
			golden.RequireEqual(t, sc.m.View().Content+"\n")
		})
	}
}

var colours = regexp.MustCompile(`\x1b\[[0-9;:]*(3[0-7]|38|4[0-7]|48|9[0-7])[0-9;:]*m`)

func TestNoColour(t *testing.T) {
	sc := openWithColours(t, func(c *Config) { c.NoColor = true })
	sc.send(tea.BackgroundColorMsg{Color: color.White})
	frame := sc.m.View().Content
	golden.RequireEqual(t, frame+"\n")
	for line := range strings.SplitSeq(frame, "\n") {
		line = strings.ReplaceAll(line, "\x1b[32m", "") // a colour of the command, which the renderer drops
		if c := colours.FindString(line); c != "" {
			t.Errorf("the frame has a colour: %q", c)
		}
	}
	for _, word := range []string{"running", "attempt 2 of 3", "✓", "⠙"} {
		sc.want(word)
	}
}

func loadPalette(t *testing.T, name string) themes.Palette {
	t.Helper()
	p, err := themes.LoadBuiltIn(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTheme: the screen previews the theme that is selected in the list, and keeps the theme that is chosen, whatever
// background the terminal reports later.
func TestTheme(t *testing.T) {
	dark := loadPalette(t, "ember")
	sc := openWithColours(t, func(c *Config) {
		c.LoadPalettes = func() []themes.Palette { return []themes.Palette{dark, themes.PlainPalette()} }
	})
	before := sc.m.View().Content
	sc.press("ctrl+t", "down")
	sc.want("Which theme?", "No colours")
	if frame := sc.m.View().Content; colours.MatchString(strings.ReplaceAll(frame, "\x1b[32m", "")) {
		t.Error("the selected theme does not show")
	}
	sc.press("esc")
	if sc.m.View().Content != before {
		t.Error("esc does not restore the earlier theme")
	}
	sc.press("ctrl+t", "1")
	sc.want("The theme is ember until you quit.")
	sc.send(tea.BackgroundColorMsg{Color: color.White})
	if got := sc.m.drawContext.Palette.Name; got != "ember" {
		t.Errorf("after the terminal reported its background, the theme is %s", got)
	}
	if v := sc.m.View(); v.BackgroundColor == nil || v.ForegroundColor == nil {
		t.Error("a dark theme does not set its colours on a white terminal")
	}
	sc.send(tea.BackgroundColorMsg{Color: color.Black})
	if sc.m.View().BackgroundColor != nil {
		t.Error("a dark theme sets its background on a black terminal")
	}
	mute := openWithColours(t, func(c *Config) { c.ThemePair = themes.UniformPair(loadPalette(t, "paper")) })
	mute.send(terminal.NoAnswer{}) // the terminal does not report its background
	if mute.m.View().BackgroundColor == nil {
		t.Error("a light theme does not set its background if the terminal does not report one")
	}
	none := openWithColours(t, func(c *Config) { c.NoColor = true })
	none.press("ctrl+t")
	none.want("Colours are off.")
}
