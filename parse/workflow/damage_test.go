package workflow

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

// codePage is a wrong encoding that UTF-8 was decoded with.
type codePage struct {
	name      string
	page      *charmap.Charmap
	undefined string // bytes that it does not define, which are dropped
}

var (
	cp1254 = codePage{"cp1254", charmap.Windows1254, "\x81\x8d\x8e\x8f\x90\x9d\x9e"}
	cp1252 = codePage{"cp1252", charmap.Windows1252, "\x81\x8d\x8f\x90\x9d"}
	latin1 = codePage{"latin-1", charmap.ISO8859_1, ""}
	// kept is cp1252 as browsers implement it: no byte is lost.
	kept = codePage{"windows-1252", charmap.Windows1252, ""}
)

// damage decodes the bytes of a text with the encoding.
func (c codePage) damage(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(c.undefined, text[i]) < 0 {
			b.WriteRune(c.char(text[i]))
		}
	}
	return b.String()
}

// char decodes a byte; an undefined byte becomes a control character.
func (c codePage) char(b byte) rune {
	if r := c.page.DecodeByte(b); r != utf8.RuneError {
		return r
	}
	return rune(b)
}

// rich has every part, with text beyond ASCII.
const rich = `# Überprüfung — täglich
## Größe
### 🔧 WORKFLOW STEP: Prüfe „das Archiv“ – à fond
` + "```" + `
Öffne [HOST] → café, naïve; 50 €.
` + "```" + `
### 🛠️ TOOL: list_archives

### 📥 INPUTS:
- HOST: Rechner, älter

### 📤 OUTPUTS:
- résultat.été → ARCHIVE

### ✅ ASSERT:
- größer als 3 · «ok»

## Zweite
### 🔧 WORKFLOW STEP: Melde
` + "```" + `
Sende [ARCHIVE].
` + "```" + `
### 🛠️ TOOLS:
- post
- mail
`

// read returns the prompts of all steps of a document.
func read(doc string) []stepPrompt {
	var out []stepPrompt
	for _, s := range steps(parse(doc, "HOST=x")) {
		out = append(out, messageOf(s))
	}
	return out
}

// survives reports whether the encoding drops no byte of the text.
func (c codePage) survives(text string) bool {
	for i := range len(text) {
		if strings.IndexByte(c.undefined, text[i]) >= 0 {
			return false
		}
	}
	return true
}

// TestDamage: a document decoded with a wrong encoding one to three times has the same steps (§9).
func TestDamage(t *testing.T) {
	want := read(rich)
	if len(want) != 2 || want[0].Description != "Öffne [HOST] → café, naïve; 50 €." {
		t.Fatalf("undamaged: %+v", want)
	}
	layers := map[string]func(string) string{
		"latin-1":               latin1.damage,
		"windows-1252":          kept.damage,
		"latin-1 twice":         func(s string) string { return latin1.damage(latin1.damage(s)) },
		"windows-1252 twice":    func(s string) string { return kept.damage(kept.damage(s)) },
		"windows-1252, latin-1": func(s string) string { return latin1.damage(kept.damage(s)) },
		"three times":           func(s string) string { return kept.damage(kept.damage(kept.damage(s))) },
	}
	for name, damage := range layers {
		p := parse(damage(rich), "HOST=x")
		if diff := cmp.Diff(want, read(damage(rich))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got := told(p); !strings.Contains(got, "1:1 text-repaired") || strings.Count(got, "marker-damaged") != 7 || strings.Contains(got, "arrow-form") {
			t.Errorf("%s: %s", name, got)
		}
		if p.Title != "Überprüfung — täglich" || p.Steps[0].Title != "Größe" {
			t.Errorf("%s: title %q, section %q", name, p.Title, p.Steps[0].Title)
		}
		as := Parse("x.md", []byte(damage(rich)), Options{Flags: map[string][]string{"no-repair": {"true"}}})
		if got := told(as); strings.Contains(got, "text-repaired") || len(as.Steps) != 2 || messageOf(steps(as)[0]).Description == want[0].Description {
			t.Errorf("%s, not repaired: %s", name, got)
		}
	}
}

// TestDamageOfMarkers: the same holds for a document whose only damaged characters are markers and arrows, even if
// bytes are lost: its steps need no repair (§9).
func TestDamageOfMarkers(t *testing.T) {
	file, err := os.ReadFile("testdata/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	survives(t, "backup.md", string(file))
}

// survives checks that a document has the same steps when it is damaged once or twice, with other line ends and a byte
// order mark (§3.1, §9).
func survives(t *testing.T, name, doc string) {
	t.Helper()
	want := read(doc)
	for _, ends := range []string{"\n", "\r\n"} {
		for _, first := range []string{"", "\ufeff"} {
			whole := first + strings.ReplaceAll(doc, "\n", ends)
			for _, once := range []codePage{cp1252, cp1254, latin1, kept} {
				broken := once.damage(whole)
				if d := cmp.Diff(want, read(broken)); d != "" {
					t.Errorf("%s: %q %q %s: %s", name, ends, first, once.name, d)
				}
				for _, twice := range []codePage{cp1252, cp1254, latin1, kept} {
					if d := cmp.Diff(want, read(twice.damage(broken))); d != "" {
						t.Errorf("%s: %q %q %s, %s: %s", name, ends, first, once.name, twice.name, d)
					}
				}
			}
		}
	}
}

// TestDamagedBOM: a damaged byte order mark hides neither a step nor a title in the first line (§1, §9).
func TestDamagedBOM(t *testing.T) {
	for _, doc := range []string{head, "# Titel\n" + head} {
		want := read(doc)
		for _, once := range []codePage{cp1252, cp1254, latin1, kept} {
			for _, broken := range []string{
				once.damage("\ufeff" + doc), "\ufeff" + once.damage("\ufeff"+doc), once.damage(once.damage("\ufeff" + doc)),
				"\ufeff" + kept.damage(once.damage("\ufeff"+doc)),
			} {
				p := parse(broken)
				if d := cmp.Diff(want, read(broken)); d != "" || p.Title != parse(doc).Title || !strings.HasPrefix(told(p), "1:1 bom, ") {
					t.Errorf("%q: title %q, %s %s", broken, p.Title, told(p), d)
				}
			}
		}
	}
	if got := told(parse("é" + head)); !strings.Contains(got, "no-steps") {
		t.Errorf("a character that is not a byte order mark is skipped: %s", got)
	}
}

// TestDamageProperty: the same holds for any text that the encodings can represent (§9).
func TestDamageProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := rapid.SampledFrom([]codePage{cp1252, cp1254, latin1, kept}).Draw(t, "page")
		again := rapid.SampledFrom([]codePage{kept, latin1}).Draw(t, "again")
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab äéß→—€ž🔧✅“日本[]X_-:")))
		word := func(label string) string {
			s := "x" + strings.Join(strings.Fields(text.Draw(t, label)), " ") + "x"
			if !page.survives(s) {
				return "plain"
			}
			return s
		}
		doc := "### 🔧 WORKFLOW STEP: " + word("name") + "\n```\n" + word("description") + "\n```\n### 🛠️ TOOL: t\n### ✅ ASSERT:\n- " + word("assertion") + "\n"
		broken := page.damage(doc)
		if rapid.Bool().Draw(t, "twice") {
			broken = again.damage(broken)
		}
		if diff := cmp.Diff(read(doc), read(broken)); diff != "" {
			t.Errorf("%s: %s", page.name, diff)
		}
	})
}

// TestMarkers: a missing or wrong marker of a heading gives a diagnostic, but does not change what is read (§3.1).
func TestMarkers(t *testing.T) {
	for heading, want := range map[string]string{
		"### 🛠️ TOOL: t":                          "",
		"### TOOL: t":                             "marker-missing",
		"### 🛠 TOOL: t":                           "marker-other",
		"### 🔧 TOOL: t":                           "marker-other",
		"### -> TOOL: t":                          "marker-other",
		"### ? TOOL: t":                           "marker-damaged",
		"### \ufffd\ufffd TOOL: t":                "marker-damaged",
		"### ğŸ› ï¸ TOOL: t":                      "marker-damaged", // a no-break space became a space
		"### ğŸ›ï¸ TOOL: t":                       "marker-damaged", // or was lost
		"### " + cp1252.damage("🛠️") + " TOOL: t": "marker-damaged text-repaired",
		"### " + latin1.damage("🛠️") + " TOOL: t": "marker-damaged text-repaired",
		"### " + cp1252.damage("🔧") + " TOOL: t":  "marker-damaged", // the marker of another part
	} {
		p := parse("### 🔧 WORKFLOW STEP: A\n```\nx\n```\n" + heading + "\n")
		if got := names(p); got != want || len(messageOf(steps(p)[0]).Tools) != 1 {
			t.Errorf("%s: %s, want %s", heading, got, want)
		}
	}
}

// names returns the codes of a Plan's diagnostics without their positions.
func names(p *plan.Plan) string {
	var out []string
	for _, d := range p.Diagnostics {
		out = append(out, strings.TrimPrefix(d.Code, Format+"/"))
	}
	return strings.Join(out, " ")
}

// TestRepairNeedsDamagedHeading: text is repaired only if a damaged heading proves that the document is damaged (§9).
func TestRepairNeedsDamagedHeading(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"CAFÉ… Ğ”", "CAFÉ… Ğ”"},
		{"Ã©", "Ã©"},
	} {
		doc := head + "### ✅ ASSERT:\n- " + c.text + "\n"
		if got := messageOf(steps(parse(doc))[0]).Assertions[0]; got != c.want {
			t.Errorf("clean document: %q", got)
		}
	}
	damaged := cp1254.damage("### 🔧 WORKFLOW STEP: Ä\n") + "```\nÃ©, CAFÉ…\n\u00c3\n```\n### 🛠️ TOOL: t\n"
	p := parse(damaged)
	if got := messageOf(steps(p)[0]); got.StepName != "Ä" || got.Description != "é, CAFÉ…\nÃ" && got.Description != "é, CAF\u0245\nÃ" {
		t.Errorf("damaged document: %+v", got)
	}
	if got := told(p); got != "1:1 marker-damaged, 1:1 text-repaired" {
		t.Error(got)
	}
}

// TestColumns: columns are those of the file on disk, also in repaired lines (§5).
func TestColumns(t *testing.T) {
	doc := head + "### ✅ ASSERT:\n- é🔧 [ONE] 日 [TWO]\n"
	if got := told(parse(doc)); got != "7:6 unknown-placeholder, 7:14 unknown-placeholder" {
		t.Error(got)
	}
	got := told(parse(kept.damage(doc)))
	if want := "7:10 unknown-placeholder, 7:20 unknown-placeholder"; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
