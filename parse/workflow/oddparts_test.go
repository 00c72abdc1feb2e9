package workflow

import (
	"strings"
	"testing"
)

// TestOddParts: parts in other Markdown than the format's are read as far as possible, and the rest is reported (§3.1,
// §3.3).
func TestOddParts(t *testing.T) {
	for _, tt := range []struct{ name, lines, read, told string }{
		{"nested bullets", "- a\n  - b\n    * c\n      1. d\n- e\n", "a|b|c|d|e", "9:5 list-form, 10:7 list-form"},
		{"tabs", "\t-\ta\tb\n", "a\tb", "7:2 list-form"},
		{"indented by other blanks", "- a\n\u00a0- b\n\u3000\u00a0- c\n\n\u00a0\u00a0d\n", "a|b|c d", "11:3 wrapped-item"},
		{"fence in a list", "- a\n  ```\n  - b\n  ```\n- c\n", "a", "8:3 extra-fence, 11:1 item-dropped"},
		{"fence as an item", "- ```\n  b\n  ```\n- c\n", "``` b", "8:3 wrapped-item, 9:3 extra-fence, E 9:3 unclosed-block"},
		{"table before the list", "\n| a |\n|---|\n- b\n", "b", "8:1 item-dropped, 9:1 item-dropped"},
		{"prose around the list", "These:\n\n- a\n\n  more\n\nThat is all.\n\n- b\n", "a more", "7:1 item-dropped, 11:3 wrapped-item, 13:1 item-dropped, 15:1 item-dropped"},
		{"comments", "- a <!-- b -->\n<!-- c\n- d\n-->\n- e\n", "a <!-- b -->|e", ""},
		{"check boxes", "- [ ] a\n- [x] b\n", "[ ] a|[x] b", ""},
		{"quoted heading", "- a\n> ### 📥 INPUTS:\n- b\n", "a", "8:3 heading-ignored"},
		{"heading as an item", "- a\n- # TOOL is shown\n- b\n", "a|# TOOL is shown|b", "8:3 heading-ignored"},
		{"ordinary headings", "- a\n### Goals:\n### Assets: x\n#### Output A:\n", "a", ""},
		{"misspelt keyword", "- a\n### 📥 INPTS:\n### INPTS:\n", "a", "8:1 heading-ignored"},
		{"no-break blanks", "- a\n###\u00a0📥 INPUTS:\n### 📥\u00a0INPUTS:\n", "a", "8:1 heading-form, 9:1 heading-form, 9:1 repeated-part"},
		{"damaged marker that ends in a blank", "- a\n### \u00e2\u009c\u0085 ASSERT:\n- b\n", "a|b", "8:1 marker-damaged, 8:1 repeated-part, 8:1 text-repaired"},
		{"indented part again", "- a\n   ### ✅ ASSERT:\n- b\n", "a|b", "8:4 heading-form, 8:4 repeated-part"},
		{"another part within", "- a\n### Notes\n- b\n", "a", ""},
		{"part again", "- a\n### ✅ ASSERT:\n- b\n", "a|b", "8:1 repeated-part"},
	} {
		p := parse(head + "### ✅ ASSERT:\n" + tt.lines)
		if got := strings.Join(messageOf(steps(p)[0]).Assertions, "|"); got != tt.read || told(p) != tt.told {
			t.Errorf("%s: read %q, told %q", tt.name, got, told(p))
		}
	}
}
