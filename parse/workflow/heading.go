package workflow

import (
	"regexp"
	"strings"
	"unicode"

	"playhead/parse/near"
)

// part is the part of a document that a heading begins.
type part int

const (
	stepPart part = iota
	toolsPart
	inputsPart
	outputsPart
	assertsPart
)

// parts are the markers and keywords of the canonical form (§3.1).
var parts = [...]struct{ marker, keyword string }{
	{"🔧", "WORKFLOW STEP"}, {"🛠️", "TOOLS"}, {"📥", "INPUTS"}, {"📤", "OUTPUTS"}, {"✅", "ASSERT"},
}

// canonical returns the heading as it should be written, followed by rest.
func (p part) canonical(rest string) string {
	keyword := parts[p].keyword
	if p == toolsPart && rest != "" {
		keyword = "TOOL"
	}
	return "### " + parts[p].marker + " " + keyword + ":"
}

// heading is a line that begins a step or a part of a step.
type heading struct {
	line        int
	part        part
	decoration  string // the text between # and the keyword
	rest        string
	at          int  // the offset of the rest
	isCanonical bool // written as the format demands, apart from its marker
	single      bool // the singular TOOL
}

const (
	blankClass = `[\t\n\v\f\r \x{85}\p{Z}]`
	combining  = `[\x{0300}-\x{036F}]`
)

// anyCase returns a regular expression for a word in any ASCII case.
func anyCase(word string) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteString("[" + string(unicode.ToUpper(r)) + string(unicode.ToLower(r)) + "]")
	}
	return b.String()
}

var (
	stepWords   = anyCase("WORKFLOW") + blankClass + `+` + anyCase("STEP")
	headingLine = regexp.MustCompile(`^( {0,3})(#{3,6})((?:[A-Za-z]` + combining + `|[^A-Za-z0-9#])*)(` + strings.Join([]string{
		stepWords, anyCase("TOOL") + `[Ss]?`, anyCase("INPUT") + `[Ss]?`, anyCase("OUTPUT") + `[Ss]?`,
		anyCase("ASSERT") + `(?:` + anyCase("ION") + `)?[Ss]?`,
	}, "|") + `)((?:` + blankClass + `|[*_])*)([:：])`)
	keywords = regexp.MustCompile(`\b(?:` + stepWords + `|TOOLS?|INPUTS?|OUTPUTS?|ASSERT(?:ION)?S?)\b`)
	stepNear = regexp.MustCompile(`\b` + stepWords + `\b`)
	closing  = regexp.MustCompile(blankClass + `#+` + blankClass + `*$`)
)

// readHeading reads a heading of §3.1. It returns nil if the line is not one.
func readHeading(line int, text string) *heading {
	if !strings.HasPrefix(strings.TrimLeft(text, " "), "###") {
		return nil
	}
	m := headingLine.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	group := func(n int) string { return text[m[2*n]:m[2*n+1]] }
	keyword := group(4)
	h := &heading{line: line, part: partOf(keyword), decoration: group(3), at: m[1]}
	h.single = len(keyword) == len("TOOL")
	h.isCanonical = group(1) == "" && group(2) == "###" && group(5) == "" && group(6) == ":" && spaced(h.decoration)
	h.readRest(text[m[1]:], opens(h.decoration) && !strings.ContainsAny(group(5), "*_"))
	if h.part == toolsPart && h.rest != "" && h.single {
		h.isCanonical = h.isCanonical && keyword == "TOOL"
	} else {
		h.isCanonical = h.isCanonical && keyword == parts[h.part].keyword
	}
	return h
}

// opens reports whether a decoration contains emphasis marks that it does not close.
func opens(decoration string) bool {
	open := false
	for i, c := range decoration {
		if mark := c == '*' || c == '_'; mark && (i == 0 || decoration[i-1] != byte(c)) {
			open = !open
		}
	}
	return open
}

// readRest trims the text after the colon, and removes emphasis marks that belong to the keyword,
// and closing #s.
func (h *heading) readRest(rest string, open bool) {
	if m := closing.FindStringIndex(rest); m != nil {
		rest, h.isCanonical = rest[:m[0]], false
	}
	if left := strings.TrimLeft(rest, "*_"); len(left) < len(rest) && firstBlank(left) == 0 { // marks before a blank begin no emphasis
		h.at += len(rest) - len(left)
		rest, open, h.isCanonical = left, false, false
	}
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	h.at += len(rest) - len(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
	h.rest = trimmed
	if !open {
		return
	}
	if h.rest = strings.TrimLeft(trimmed, "*_"); h.rest == trimmed {
		h.rest = strings.TrimRight(trimmed, "*_")
	}
	inner := strings.TrimLeftFunc(h.rest, unicode.IsSpace)
	if !strings.HasPrefix(trimmed, h.rest) {
		h.at += len(trimmed) - len(inner)
	}
	h.rest = strings.TrimSpace(inner)
}

func partOf(keyword string) part {
	switch keyword[0] | 0x20 {
	case 'w':
		return stepPart
	case 't':
		return toolsPart
	case 'i':
		return inputsPart
	case 'o':
		return outputsPart
	}
	return assertsPart
}

// spaced reports whether a decoration is a marker between single spaces, or a single space, without
// emphasis marks.
func spaced(decoration string) bool {
	inner := strings.TrimSuffix(strings.TrimPrefix(decoration, " "), " ")
	if inner == "" {
		return decoration == " "
	}
	return len(inner) == len(decoration)-2 && strings.Trim(inner, " \t") == inner && !strings.ContainsAny(inner, "*_")
}

// bare returns the marker in a heading's decoration, without blanks and emphasis marks around it.
func bare(decoration string) string {
	return strings.TrimFunc(decoration, func(r rune) bool { return unicode.IsSpace(r) || r == '*' || r == '_' })
}

// markerCode returns the code for what is wrong with the heading's marker, "" if nothing is.
func (h *heading) markerCode() string {
	sign, own := bare(h.decoration), parts[h.part].marker
	switch {
	case sign == own:
		return ""
	case sign == "":
		return "marker-missing"
	case withoutSelectors(sign) == withoutSelectors(own):
		return "marker-other"
	case strings.ContainsAny(sign, "?\uFFFD") || repaired(h.decoration, 1) != h.decoration:
		return "marker-damaged"
	}
	return "marker-other"
}

// nearly returns the offset of the # in a line that is nearly a heading, and the heading's keyword,
// "" if the line is none.
func nearly(text string) (at int, keyword string) {
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r == '>' || unicode.IsSpace(r) })
		n := markSize(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	if !strings.HasPrefix(rest, "#") {
		return 0, ""
	}
	return len(text) - len(rest), keywords.FindString(rest)
}

// misspelt returns the marker and keyword that a title was probably meant to have, "" for none.
func misspelt(title string) string {
	label, _, found := strings.Cut(title, ":")
	if !found {
		return ""
	}
	var known []string
	for _, p := range parts {
		known = append(known, p.keyword)
	}
	label = strings.ToUpper(strings.TrimFunc(label, func(r rune) bool { return !unicode.IsLetter(r) }))
	for _, p := range parts {
		if p.keyword == near.Name(label, known) {
			return p.marker + " " + p.keyword
		}
	}
	return ""
}

// otherHeading reads a line as a Markdown heading with one to six #.
func otherHeading(text string) (level int, title string, ok bool) {
	inner := strings.TrimLeft(text, " ")
	if len(text)-len(inner) > 3 {
		return 0, "", false
	}
	rest := strings.TrimLeft(inner, "#")
	level = len(inner) - len(rest)
	if level < 1 || level > 6 || rest != "" && firstBlank(rest) > 0 {
		return 0, "", false
	}
	if m := closing.FindStringIndex(rest); m != nil {
		rest = rest[:m[0]]
	}
	return level, strings.TrimSpace(rest), true
}
