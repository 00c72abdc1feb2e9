package themes

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

func TestPalettesAreWhole(t *testing.T) {
	names, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range names {
		name := strings.TrimSuffix(f.Name(), ".yaml")
		p, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name {
			t.Errorf("%s is named %q", name, p.Name)
		}
		v := reflect.ValueOf(p)
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String && v.Field(i).String() == "" {
				t.Errorf("%s: %s is missing", name, v.Type().Field(i).Name)
			}
		}
	}
}

// Whatever is read has to stand out from the background it is meant for.
func TestContrast(t *testing.T) {
	for _, dark := range []bool{true, false} {
		p := For(dark)
		back := "#ffffff"
		if dark {
			back = "#16181d"
		}
		for role, c := range map[string]string{
			"text": p.Text, "muted": p.Muted, "accent": p.Accent, "pass": p.Pass, "fail": p.Fail, "warn": p.Warn,
			"wait": p.Wait, "command": p.Command, "model": p.Model, "tool": p.Tool, "person": p.Person,
		} {
			for _, on := range []string{back, p.Raised} {
				if r := contrast(c, on); r < 4.1 {
					t.Errorf("%s: %s on %s has contrast %.1f", p.Name, role, on, r)
				}
			}
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	r, g, b, _ := lipgloss.Color(hex).RGBA()
	linear := func(c uint32) float64 {
		v := float64(c) / 0xffff
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestInk(t *testing.T) {
	s := New(For(true))
	if got := s.Pass.Paint("ok"); got != "\x1b[38;2;143;191;127mok\x1b[m" {
		t.Errorf("painted %q", got)
	}
	bar := s.Selected.Over("a" + s.Pass.Paint("b") + "c")
	if strings.Count(bar, "48;2;42;48;59") != 2 {
		t.Errorf("the selection ends early: %q", bar)
	}
}

func TestPlainHasNoColour(t *testing.T) {
	s := New(Plain())
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		if ink, ok := v.Field(i).Interface().(Ink); ok && (strings.Contains(ink.open, "38;") || strings.Contains(ink.open, "48;")) {
			t.Errorf("%s is %q", v.Type().Field(i).Name, ink.open)
		}
	}
}
