package output

import (
	"strings"
	"testing"

	"playhead/themes"
	"playhead/tui/session/sessiontest"
)

var replyLines = []string{
	"## Checkout, error 502", "", "Every **third** visitor cannot pay, which costs money every minute, but search and mail are not concerned.", "",
	"| | |", "|---|---|", "| rating | **high** |", "| area | gateway |", "",
	"1. **The upstream pool**: one dead server of three?", "2. The deployment of 09:30.", "",
	"```json", `{"severity": "high",`, "", ` "area": "gateway"}`, "```",
}

// TestPageGrows: a reply that arrives line by line finally shows like the whole reply, and its finished blocks are not
// rendered again.
func TestPageGrows(t *testing.T) {
	styles := themes.NewStyles(themes.PlainPalette())
	log := &sessiontest.Log{}
	grown := &logPage{styles: styles, width: 60}
	for _, line := range replyLines {
		log.LogLines = append(log.LogLines, line)
		if _, err := grown.render(log, true); err != nil {
			t.Fatal(err)
		}
	}
	if grown.firstUnfinishedLine != 12 {
		t.Errorf("%d lines are finished, want the 12 before the fence", grown.firstUnfinishedLine)
	}
	whole, _ := (&logPage{styles: styles, width: 60}).render(log, false)
	if got := strings.Join(grown.allLines, "\n"); got != strings.Join(whole, "\n") {
		t.Errorf("grown to\n%s\nwant\n%s", got, strings.Join(whole, "\n"))
	}
}

func TestFinishedBlocks(t *testing.T) {
	for text, want := range map[string]int{
		"a":                           0,
		"a\n\nb":                      2,
		"a\n\n":                       0,
		"- a\n\n  b":                  0,
		"```\na\n\nb":                 0,
		"```\na\n\nb\n```\n\nc":       6,
		"````\n```\n\nb":              0,
		"```if x == \"a\"```\n\nb":    2,
		"~~~\n\n```\n\nb\n~~~\n\nc\n": 7,
	} {
		if got := finishedLineCount(strings.Split(text, "\n")); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// BenchmarkStreaming renders a reply of 4 KB that arrives four bytes at a time.
func BenchmarkStreaming(b *testing.B) {
	text := strings.Repeat("Some *prose* with `code`, and **more** of it.\n\n- an item\n- another\n\n", 60)
	styles := themes.NewStyles(themes.PlainPalette())
	for b.Loop() {
		log, p := &sessiontest.Log{}, &logPage{styles: styles, width: 80}
		for end := 4; end < len(text); end += 4 {
			log.LogLines, log.IsLastLineOpen = strings.Split(text[:end], "\n"), true
			p.render(log, true)
		}
	}
}
