package workflow

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// This file repairs UTF-8 that was read in another encoding (§9).

// maxRepairPasses limits how many layers of damage are repaired.
const maxRepairPasses = 3

// repairEncodingDamage repairs damaged lines if a heading proves the damage. It uses the smallest number of
// passes that turns the decoration of a heading into its marker.
func (d *document) repairEncodingDamage() {
	d.repairPassCount = d.outline.fewestEncodingRepairPasses()
	if len(d.options.Flags[noRepairFlag]) > 0 {
		d.repairPassCount = 0
	}
	if d.repairPassCount == 0 {
		return
	}
	first, count := -1, 0
	d.lines = make([]string, len(d.linesOnDisk))
	for i, raw := range d.linesOnDisk {
		d.lines[i] = repairEncoding(raw, d.repairPassCount)
		if d.lines[i] == raw {
			continue
		}
		if count++; first < 0 {
			first = i
		}
	}
	d.add(place{Line: first}, nil, finding{"text-repaired",
		fmt.Sprintf("lines saved in the wrong encoding: %d (the first is line %d); Playhead repairs them when it reads the file (repair passes: %d)", count, first+1, d.repairPassCount),
		"correct these lines in the file, and save it as UTF-8"})
}

// fewestEncodingRepairPasses returns the smallest number of passes that turns the decoration of a heading into its
// marker, 0 if no number of passes does.
func (o *outline) fewestEncodingRepairPasses() int {
	fewest := 0
	for _, h := range o.headingByLine {
		if n := h.passesToMarker(); n > 0 && (fewest == 0 || n < fewest) {
			fewest = n
		}
	}
	return fewest
}

// passesToMarker returns the number of passes that turns the heading's decoration into its marker. It is 0 if the marker
// is not damaged, and if no number of passes does.
func (h *heading) passesToMarker() int {
	want := withoutVariationSelectors(canonicalPartHeadings[h.documentPart].marker)
	text := h.decoration
	for n := range maxRepairPasses + 1 {
		if withoutVariationSelectors(markerInDecoration(text)) == want {
			return n
		}
		text = repairEncoding(text, 1)
	}
	return 0
}

var variationSelectorRemover = strings.NewReplacer("\ufe0e", "", "\ufe0f", "")

// withoutVariationSelectors returns a sign without variation selectors.
func withoutVariationSelectors(sign string) string { return variationSelectorRemover.Replace(sign) }

// repairEncoding returns a text after a number of passes.
func repairEncoding(text string, passes int) string {
	for range passes {
		if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			break
		}
		text, _ = repairEncodingOnce(text, nil)
	}
	return text
}

// repairEncodingOnce makes one pass: it replaces characters that stand for the bytes of one character by
// that character. columns has an entry for each byte and for the end, and is updated.
func repairEncodingOnce(text string, columns []int) (string, []int) {
	var b strings.Builder
	var moved []int
	for i := 0; i < len(text); {
		r, size := readGarbledRune(text[i:])
		if size == 0 {
			_, size = utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+size])
		} else {
			b.WriteRune(r)
		}
		for columns != nil && len(moved) < b.Len() {
			moved = append(moved, columns[i])
		}
		i += size
	}
	if columns != nil {
		moved = append(moved, columns[len(text)])
	}
	return b.String(), moved
}

// readGarbledRune reads the characters that stand for the bytes of one character r, and returns their
// length in the text, 0 if there are none. EF B8 without a third byte is read as the variation
// selector, which often loses that byte.
func readGarbledRune(text string) (r rune, size int) {
	var bytes [4]byte
	lead, size := readGarbledByte(text)
	n := runeLength(lead)
	if n == 0 {
		return 0, 0
	}
	bytes[0] = lead
	for i := 1; i < n; i++ {
		next, width := readGarbledByte(text[size:])
		if next&0xc0 != 0x80 {
			if i == 2 && bytes[0] == 0xef && bytes[1] == 0xb8 {
				return '\ufe0f', size + len(text[size:]) - len(strings.TrimPrefix(text[size:], "\uFFFD"))
			}
			return 0, 0
		}
		bytes[i] = next
		size += width
	}
	if r, width := utf8.DecodeRune(bytes[:n]); width == n {
		return r, size
	}
	return 0, 0
}

// runeLength returns the number of bytes of a character that begins with a byte, 0 if none does.
func runeLength(lead byte) int {
	switch {
	case lead >= 0xc2 && lead <= 0xdf:
		return 2
	case lead >= 0xe0 && lead <= 0xef:
		return 3
	case lead >= 0xf0 && lead <= 0xf4:
		return 4
	}
	return 0
}

// readGarbledByte returns the byte from 0x80 on that the first character of a text stands for in cp1252, in
// cp1254 or as a control, and 0 if there is none.
func readGarbledByte(text string) (b byte, size int) {
	r, size := utf8.DecodeRuneInString(text)
	if r < 0x80 || r == utf8.RuneError {
		return 0, size
	}
	if r < 0xa0 {
		return byte(r), size
	}
	for _, page := range []*charmap.Charmap{charmap.Windows1252, charmap.Windows1254} {
		if b, ok := page.EncodeRune(r); ok {
			return b, size
		}
	}
	return 0, size
}
