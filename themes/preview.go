package themes

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
)

// SampleLine returns a line with every role in it: 77 cells, which fit into 80 with their indent.
func (s *Styles) SampleLine() string {
	return s.background().PaintOver(s.Accent.Paint("▶ next") + "  " + s.Pass.Paint("✓ pass") + "  " + s.Fail.Paint("✗ fail") + "  " +
		s.Warn.Paint("! edit") + "  " + s.Wait.Paint("? waits") + " " + s.Command.Paint("command") + " " +
		s.Model.Paint("model") + " " + s.Tool.Paint("tool") + " " + s.Person.Paint("person") + " " +
		s.Muted.Paint("muted") + " " + s.Match.Paint("match"))
}

// background paints the background that the palette is meant for.
func (s *Styles) background() Style {
	return NewStyle(lipgloss.NewStyle().Foreground(parseColour(s.Palette.Text)).Background(parseColour(s.Palette.Background)))
}

// The widths of the panes of the preview.
const (
	previewLeftWidth  = 30
	previewRightWidth = 40
)

// Preview returns a small screen of a run, 77 cells wide, on the background of the palette.
func (s *Styles) Preview() []string {
	line := s.Border.Paint
	pad := func(text string, w int) string { return text + strings.Repeat(" ", max(0, w-lipgloss.Width(text))) }
	row := func(left, right string) string {
		return line("│") + " " + pad(left, previewLeftWidth) + " " + line("│") + " " + pad(right, previewRightWidth) + " " + line("│")
	}
	edge := func(open, text, shut string) string {
		rest := previewLeftWidth + previewRightWidth + 2 - lipgloss.Width(text)
		return line(open+"─") + " " + text + " " + line(strings.Repeat("─", rest)+shut)
	}
	keys := ""
	for _, k := range []string{"c continue", "n step", "b break", "r rerun", "s skip", "? help"} {
		keys += s.Key.Paint(k[:1]) + k[1:] + "  "
	}
	rail := s.Pass.Paint("━━") + s.Fail.Paint("✗") + s.Accent.Paint("╸") + s.Border.Paint("┄┄┄")
	lines := []string{
		edge("╭", s.Title.Paint("release.runbook.md")+" "+line("─")+" "+rail+" "+line("─")+s.Muted.Paint(" Rundown · run 7f3a ")+line("──")+" "+s.Title.Paint("running 02:13"), "╮"),
		row("  "+s.Pass.Paint("✓")+" 1   Preflight      "+s.Muted.Paint("0.4s"), s.Title.Paint("2.2 Push image")+s.Muted.Paint("   attempt 2 of 3")),
		row("  "+s.Fail.Paint("✗")+" 2.1 Build         "+s.Muted.Paint("12.1s"), "Push the "+s.Bold.Paint("image")+" with "+s.Code.Paint("make push")+"."),
		row(s.Selected.PaintOver(pad(s.Accent.Paint("▌ ⠹")+" 2.2 Push image", previewLeftWidth)), s.Command.Paint("$ make push")+s.Muted.Paint("   1,204 lines")),
		row("  "+s.Muted.Paint("○")+" 3   Smoke test", "#4 "+s.Match.Paint("sha256")+":5f3c… "+s.CurrentMatch.Paint("sha256")+":77aa…"),
		row("  "+s.Wait.Paint("?")+" 4   Approve", s.Muted.Paint("31")+" "+s.Bold.Paint("━▸ PASS ALL: CONTINUE → 3")),
		row("  "+s.Warn.Paint("!")+" 5   Tell the team", s.Model.Paint("model")+"  "+s.Tool.Paint("tool")+"  "+s.Person.Paint("person")+"  "+s.Pass.Paint("+ new")+"  "+s.Fail.Paint("- gone")),
		edge("╰", keys, "╯"),
	}
	for i, line := range lines {
		lines[i] = s.background().PaintOver(line)
	}
	return lines
}

// minDescriptionWidth is the minimum width at which the description of a theme is wrapped.
const minDescriptionWidth = 24

// ListText returns the name and the description of each theme, and with a profile of colours a sample of
// each. It wraps descriptions at words in a terminal of the given width; 0 is no terminal.
func ListText(all []Palette, profile *colorprofile.Profile, width int) string {
	var out strings.Builder
	for _, p := range all {
		name, about := fmt.Sprintf("%-15s %-5s  ", sanitize.Plain(p.Name), backgroundKind(p)), sanitize.Plain(p.Description)
		if width > 0 {
			about = ansi.Wrap(about, max(minDescriptionWidth, width-len(name)), "")
		}
		fmt.Fprintln(&out, name+strings.ReplaceAll(about, "\n", "\n"+strings.Repeat(" ", len(name))))
		if profile != nil {
			fmt.Fprintf(&out, "  %s\n\n", NewStyles(p.ForProfile(*profile)).SampleLine())
		}
	}
	return out.String()
}

// backgroundKind returns which kind of background a theme is meant for.
func backgroundKind(p Palette) string {
	switch {
	case p.Background == "":
		return "any"
	case p.IsForDark:
		return "dark"
	}
	return "light"
}
