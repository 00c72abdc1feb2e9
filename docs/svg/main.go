// Command svg draws a terminal's screen, lines with colours as tmux capture-pane -e
// prints them, as an SVG picture: docs/screen makes the pictures of the pages with it.
package main

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/themes"
)

// The size of a cell, and of the margin around all cells, in pixels.
const (
	cellWidth, cellHeight = 8.4, 16.4
	margin                = 14.0
)

// ansiColours are the terminal's own colours, which a picture has to choose.
var ansiColours = [...]string{
	"#2a303b", "#e87c86", "#8fbf7f", "#e5c76b", "#7aa2f7", "#d096b4", "#7fb6b0", "#d5d9e0",
	"#8b93a1", "#e87c86", "#8fbf7f", "#e5c76b", "#7aa2f7", "#d096b4", "#7fb6b0", "#ffffff",
}

var styleSequence = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

func main() {
	palette, err := themes.LoadBuiltIn(themes.DefaultDark)
	if err != nil {
		log.Fatal(err)
	}
	var lines []string
	wide := 0
	pen := "" // what is left of a line's style is the next one's
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		lines = append(lines, pen+in.Text())
		wide = max(wide, ansi.StringWidth(in.Text()))
		pen += strings.Join(styleSequence.FindAllString(in.Text(), -1), "")
	}
	fmt.Print(linesToSVG(lines, wide, palette))
}

// linesToSVG draws lines of at most wide cells.
func linesToSVG(lines []string, wide int, p themes.Palette) string {
	w, h := float64(wide)*cellWidth+2*margin, float64(len(lines))*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", p.Background)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="%s">`+"\n", p.Text)
	for y, line := range lines {
		x := 0
		for _, s := range sanitize.OutputSpans(line) {
			cells := ansi.StringWidth(s.Text)
			writeSpan(&b, s, margin+float64(x)*cellWidth, margin+float64(y)*cellHeight, float64(cells)*cellWidth, p)
			x += cells
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// writeSpan draws a text that is all of one style, w pixels wide.
func writeSpan(b *strings.Builder, s sanitize.StyledSpan, x, y, w float64, p themes.Palette) {
	fore, back := svgColour(s.Foreground), svgColour(s.Background)
	if s.Reverse {
		fore, back = cmp.Or(back, p.Background), cmp.Or(fore, p.Text)
	}
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, w, cellHeight, back)
	}
	text := strings.TrimLeft(s.Text, " ")
	x += float64(len(s.Text)-len(text)) * cellWidth
	if text = strings.TrimRight(text, " "); text == "" {
		return
	}
	w = float64(ansi.StringWidth(text)) * cellWidth
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>`, x, y+cellHeight-4, w, textAttributes(s.SpanStyle, fore))
	_ = xml.EscapeText(b, []byte(strings.ReplaceAll(text, " ", "\u00a0"))) // a builder takes everything
	b.WriteString("</text>\n")
}

// textAttributes returns the SVG attributes of a style, except for its background.
func textAttributes(s sanitize.SpanStyle, fore string) string {
	out := ""
	add := func(yes bool, attribute string) {
		if yes {
			out += " " + attribute
		}
	}
	add(fore != "", `fill="`+fore+`"`)
	add(s.Bold, `font-weight="bold"`)
	add(s.Italic, `font-style="italic"`)
	add(s.Faint, `opacity="0.6"`)
	add(s.Underline, `text-decoration="underline"`)
	add(s.Strike, `text-decoration="line-through"`)
	return out
}

// svgColour returns the #rrggbb of a colour that may be the number of an ANSI colour.
func svgColour(c string) string {
	if c == "" || strings.HasPrefix(c, "#") {
		return c
	}
	n := 0
	_, _ = fmt.Sscan(c, &n) // a number, by what a Style is
	return ansiColours[n]
}
