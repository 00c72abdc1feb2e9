package themes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// ours returns the palettes that come with Playhead, except the one without colours.
func ours(t *testing.T) []Palette {
	t.Helper()
	var all []Palette
	for _, name := range BuiltInNames() {
		p, err := LoadBuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name || p.Description == "" {
			t.Errorf("%s has the name %q and the description %q", name, p.Name, p.Description)
		}
		if !p.IsColourless() {
			all = append(all, p)
		}
	}
	return all
}

func TestPalettesAreWhole(t *testing.T) {
	for _, p := range ours(t) {
		for role, c := range p.colourByRole() {
			if *c == "" && p.Background != "" {
				t.Errorf("%s: %s is missing", p.Name, role)
			}
		}
	}
}

// TestBackgroundAndTextColours: a palette paints its background and its default text colour only on a terminal of the
// other kind, dark or light.
func TestBackgroundAndTextColours(t *testing.T) {
	for _, p := range append(ours(t), PlainPalette()) {
		for _, dark := range []bool{true, false} {
			back, text := p.BackgroundAndTextColours(dark)
			if painted := p.Background != "" && p.IsForDark != dark; painted != (back != nil) || painted != (text != nil) {
				t.Errorf("%s on a background that is dark: %v: painted %v, written %v", p.Name, dark, back, text)
			}
		}
	}
}

// TestContrast: every text colour of a palette has a contrast of at least 4.5:1 with its background, and of 7:1 in a
// high-contrast palette.
func TestContrast(t *testing.T) {
	for _, p := range ours(t) {
		if p.Background == "" {
			continue // the terminal's own colours
		}
		least := 4.5
		if strings.HasPrefix(p.Name, "contrast") {
			least = 7
		}
		if faint := p.LowContrastTexts(least); faint != nil {
			t.Errorf("%s: %q", p.Name, faint)
		}
	}
}

// TestLowContrastTexts: LowContrastTexts names each text that is hard to read, and the background that it is on.
func TestLowContrastTexts(t *testing.T) {
	p, err := ParsePalette("mine.yaml", []byte("base: dark\ntext: '#303030'\npass: red\nonhigh: '#7aa2f7'\n"))
	want := []string{"text on raised has a contrast of 1.1:1", "onhigh on accent has a contrast of 1.0:1"}
	if got := p.LowContrastTexts(MinLegibleContrast); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if p, _ := ParsePalette("mine.yaml", []byte("text: '#303030'")); p.LowContrastTexts(MinLegibleContrast) != nil {
		t.Error("a contrast is reported although the terminal's own background is unknown")
	}
}

// TestSignalsAreNotGreyIn256Colours: on a terminal with 256 colours, as in tmux, no signal colour becomes a grey,
// because grey marks what matters less.
func TestSignalsAreNotGreyIn256Colours(t *testing.T) {
	for _, p := range ours(t) {
		for role, c := range map[string]string{
			"pass": p.Pass, "fail": p.Fail, "warn": p.Warn, "wait": p.Wait, "accent": p.Accent,
			"command": p.Command, "model": p.Model, "tool": p.Tool, "person": p.Person,
		} {
			if got := ansi.Convert256(parseColour(c)); strings.HasPrefix(c, "#") && got >= firstGrey {
				t.Errorf("%s: %s is the grey %d", p.Name, role, got)
			}
		}
	}
}

// firstGrey is the index of the first grey of the 256 colours.
const firstGrey = 232

func TestPreviewIsStraight(t *testing.T) {
	for _, line := range NewStyles(mustLoadBuiltIn(DefaultDark)).Preview() {
		if w := lipgloss.Width(line); w != 77 {
			t.Errorf("%d cells: %q", w, line)
		}
	}
}

// TestListWraps: a long description continues in its own column. Without a terminal (width 0), it stays on one line.
func TestListWraps(t *testing.T) {
	all := []Palette{{Name: "dawn", Description: "First light over a quiet sea of greys and a little pink"}}
	for width, want := range map[int]string{
		0:  "dawn            any    First light over a quiet sea of greys and a little pink\n",
		60: "dawn            any    First light over a quiet sea of greys\n                       and a little pink\n",
	} {
		if got := ListText(all, nil, width); got != want {
			t.Errorf("in %d columns:\n%s", width, got)
		}
	}
}

// TestParsePalette: a palette file changes colours of a built-in palette, and an error names the place and the problem.
func TestParsePalette(t *testing.T) {
	p, err := ParsePalette("my/mine.yaml", []byte("base: dark\nabout: Mine.\naccent: \"#ff8800\"\npass: bright green\nraised: ''\n"))
	want := mustLoadBuiltIn(DefaultDark)
	want.Name, want.Description, want.Accent, want.Pass, want.SelectionBackground = "mine", "Mine.", "#ff8800", "bright green", ""
	if err != nil || p != want {
		t.Errorf("%+v, %v", p, err)
	}
	if got := NewStyles(p).Pass.Paint("x"); got != "\x1b[92mx\x1b[m" {
		t.Errorf("bright green paints %q", got)
	}
	for source, wrong := range map[string]string{
		"accent: '#ff88'":           `1:9: accent: expected a colour like "#8fbf7f" (in quotes) or one of black, red,`,
		"text: white\naccent: #fff": "2:8: accent is empty: write a colour in quotes",
		"dark:":                     "1:6: dark is empty: write a value",
		"\nglow: red":               `2:1: there is no role "glow": the roles are back, text,`,
		"dark: maybe":               `1:7: dark: expected true or false, not "maybe"`,
		"text: [a]":                 "1:7: text: expected a single value",
		"back: red":                 `1:7: back: expected a colour like "#16181d" (in quotes)`,
		"base: none":                `1:7: base: there is no theme "none": choose from dark, light,`,
		"base: [dark]":              "1:7: base: expected a single value",
		"- a":                       "1:1: expected roles with colours",
		"pass: red\npass: blue":     `2:1: "pass" occurs twice`,
		"a: {":                      "1:1: this is not valid YAML: ",
		"wait: 1\nglow: 2":          "1:7: wait: expected a colour like",
	} {
		lines := strings.Split(wrongOf("my/mine.yaml", source), "\n")
		if !strings.HasPrefix(lines[0], "my/mine.yaml:"+wrong) || len(lines) != 1+strings.Count(source, "glow: 2") {
			t.Errorf("%q: %q, want %s", source, lines, wrong)
		}
	}
}

// wrongOf returns the error that ParsePalette reports for a file.
func wrongOf(path, source string) string {
	_, err := ParsePalette(path, []byte(source))
	return fmt.Sprint(err)
}

// FuzzRead: ParsePalette refuses a file or returns a palette from which styles can be made.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"base: dark\ntext: red", "base: &a x\ntext: *a", "text: !!binary x", "? [a]\n: b", "back: '#00000g'"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if p, err := ParsePalette("any", source); err == nil {
			NewStyles(p).Preview()
		}
	})
}

func TestStyle(t *testing.T) {
	s := NewStyles(mustLoadBuiltIn(DefaultDark))
	if got := s.Pass.Paint("ok"); got != "\x1b[38;2;143;191;127mok\x1b[m" {
		t.Errorf("painted %q", got)
	}
	bar := s.Selected.PaintOver("a" + s.Pass.Paint("b") + "c")
	if strings.Count(bar, "48;2;51;57;68") != 2 {
		t.Errorf("the selection ends early: %q", bar)
	}
}

func TestPlainHasNoColour(t *testing.T) {
	s := NewStyles(PlainPalette())
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		if style, ok := v.Field(i).Interface().(Style); ok && (strings.Contains(style.startSequence, "38;") || strings.Contains(style.startSequence, "48;")) {
			t.Errorf("%s is %q", v.Type().Field(i).Name, style.startSequence)
		}
	}
}

// TestForProfile: in 256 colours, each colour is one of the 256 and texts stay readable. In 16 colours, the palette
// "terminal" replaces every other one, and without colours a palette has none.
func TestForProfile(t *testing.T) {
	for _, p := range ours(t) {
		if got := p.ForProfile(colorprofile.TrueColor); got != p {
			t.Errorf("%s changes on a terminal with all colours", p.Name)
		}
		if got := p.ForProfile(colorprofile.ANSI); got != mustLoadBuiltIn("terminal") {
			t.Errorf("%s in sixteen colours is %s", p.Name, got.Name)
		}
		if got := p.ForProfile(colorprofile.ASCII); !got.IsColourless() {
			t.Errorf("%s has colours on a terminal without colours", p.Name)
		}
		if p.Background == "" {
			continue
		}
		few := p.ForProfile(colorprofile.ANSI256)
		for role, c := range few.colourByRole() {
			if slices.Contains([]string{"back", "subtle", "raised", "onhigh"}, role) {
				continue
			}
			for _, on := range []string{few.Background, few.SelectionBackground} {
				if r := contrast(*c, on); r < 4.5 {
					t.Errorf("%s in 256 colours: %s on %s has contrast %.1f", p.Name, role, on, r)
				}
			}
			if r, g, b, _ := ansi.Convert256(parseColour(*c)).RGBA(); hexColour(int(r>>8), int(g>>8), int(b>>8)) != *c {
				t.Errorf("%s in 256 colours: %s is %s, which is not one of the 256", p.Name, role, *c)
			}
		}
	}
}

// TestASelectionIsOneBar: in a reversed selection, only the mark at the beginning of the row keeps its colour.
func TestASelectionIsOneBar(t *testing.T) {
	p, err := LoadBuiltIn("terminal")
	if err != nil {
		t.Fatal(err)
	}
	s := NewStyles(p)
	hex := NewStyle(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#0c0508")))
	got := s.Selected.PaintOver(s.Pass.Paint("✓") + " " + s.Accent.Paint("Step") + " " + hex.Paint("x"))
	if bare := "\x1b[7m✓\x1b[m\x1b[7m \x1b[1mStep\x1b[m\x1b[7m \x1b[1mx\x1b[m\x1b[7m\x1b[m"; got != bare {
		t.Errorf("%q", got)
	}
	for row, want := range map[string]string{
		s.Accent.Paint("▌") + " " + s.Pass.Paint("✓ done"): "\x1b[1;94m▌\x1b[m\x1b[7m ✓ done\x1b[m\x1b[7m\x1b[m",
		"▌ (a)": "▌\x1b[7m (a)\x1b[m",
		"▌   ":  "▌\x1b[7m   \x1b[m",
		s.Match.Paint("match") + " " + s.Muted.Paint("faint"): "\x1b[7m\x1b[1;4;4mmatch\x1b[m\x1b[7m faint\x1b[m\x1b[7m\x1b[m",
	} {
		if got := s.Selected.PaintOver(row); got != want {
			t.Errorf("%q is %q, want %q", row, got, want)
		}
	}
}

// TestSelectionAndBordersAreVisible: the selection and the borders between panes stand out from the background.
func TestSelectionAndBordersAreVisible(t *testing.T) {
	for _, whole := range ours(t) {
		for _, p := range []Palette{whole, whole.ForProfile(colorprofile.ANSI256)} {
			if p.Background == "" {
				continue // the terminal's own colours
			}
			least := 1.5
			if !p.IsForDark {
				least = 1.35
			}
			if r := contrast(p.SelectionBackground, p.Background); r < least {
				t.Errorf("%s: the selection has a contrast of %.2f", p.Name, r)
			}
			if r := contrast(p.Subtle, p.Background); r < 2 {
				t.Errorf("%s: borders have a contrast of %.2f", p.Name, r)
			}
		}
	}
}

// TestSignalsAreApart: the colours for waiting, focus, passed, failed, warnings and persons are easy to tell apart.
func TestSignalsAreApart(t *testing.T) {
	for _, whole := range ours(t) {
		for _, p := range []Palette{whole, whole.ForProfile(colorprofile.ANSI256)} {
			roles := p.colourByRole()
			for i, a := range signalRoles {
				for _, b := range signalRoles[:i] {
					x, y := *roles[a], *roles[b]
					switch {
					case a == "pass" && b == "accent": // green may have the focus
					case x == y:
						t.Errorf("%s: %s and %s are both %q", p.Name, a, b, x)
					case p.Background != "" && colourDistance(x, y) < minSignalDistance:
						t.Errorf("%s: %s %s and %s %s look alike: %.3f", p.Name, a, x, b, y, colourDistance(x, y))
					}
				}
			}
		}
	}
}

// TestWaitingAlone: no other role has the colour for waiting.
func TestWaitingAlone(t *testing.T) {
	for _, whole := range ours(t) {
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			p := whole.ForProfile(profile)
			for role, c := range p.colourByRole() {
				if role != "wait" && *c == p.Wait && p.Wait != "" {
					t.Errorf("%s: %s has the colour for waiting", p.Name, role)
				}
			}
		}
	}
}
