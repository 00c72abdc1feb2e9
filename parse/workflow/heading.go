package workflow

import (
	"regexp"
	"strings"
	"unicode"

	"playhead/parse/near"
)

// documentPart is what part of a document a heading begins.
type documentPart int

const (
	stepPart documentPart = iota
	toolsPart
	inputsPart
	outputsPart
	assertsPart
)

// canonicalPartHeadings are the markers and keywords of the canonical form (§3.1).
var canonicalPartHeadings = [...]struct{ marker, keyword string }{
	{"🔧", "WORKFLOW STEP"}, {"🛠️", "TOOLS"}, {"📥", "INPUTS"}, {"📤", "OUTPUTS"}, {"✅", "ASSERT"},
}

// canonicalHeading returns the heading as it should be written, up to its colon. If a text follows the colon, the heading
// of tools has the singular TOOL.
func (p documentPart) canonicalHeading(inlineText string) string {
	keyword := canonicalPartHeadings[p].keyword
	if p == toolsPart && inlineText != "" {
		keyword = "TOOL"
	}
	return "### " + canonicalPartHeadings[p].marker + " " + keyword + ":"
}

// heading is a line that begins a step or a part of a step.
type heading struct {
	line             int
	documentPart     documentPart
	decoration       string // the text between # and the keyword
	inlineText       string // the text after the colon
	inlineTextOffset int    // its offset in the line
	isCanonical      bool   // written as the format demands, apart from its marker
	isSingularTool   bool   // the singular TOOL
}

const (
	blankClass     = `[\t\n\v\f\r \x{85}\p{Z}]`
	combiningClass = `[\x{0300}-\x{036F}]`
)

// anyCasePattern returns a regular expression for a word in any ASCII case.
func anyCasePattern(word string) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteString("[" + string(unicode.ToUpper(r)) + string(unicode.ToLower(r)) + "]")
	}
	return b.String()
}

var (
	stepWordsPattern = anyCasePattern("WORKFLOW") + blankClass + `+` + anyCasePattern("STEP")
	headingPattern   = regexp.MustCompile(`^( {0,3})(#{3,6})((?:[A-Za-z]` + combiningClass + `|[^A-Za-z0-9#])*)(` + strings.Join([]string{
		stepWordsPattern, anyCasePattern("TOOL") + `[Ss]?`, anyCasePattern("INPUT") + `[Ss]?`, anyCasePattern("OUTPUT") + `[Ss]?`,
		anyCasePattern("ASSERT") + `(?:` + anyCasePattern("ION") + `)?[Ss]?`,
	}, "|") + `)((?:` + blankClass + `|[*_])*)([:：])`)
	keywordPattern     = regexp.MustCompile(`\b(?:` + stepWordsPattern + `|TOOLS?|INPUTS?|OUTPUTS?|ASSERT(?:ION)?S?)\b`)
	stepKeywordPattern = regexp.MustCompile(`\b` + stepWordsPattern + `\b`)
	closingHashPattern = regexp.MustCompile(blankClass + `#+` + blankClass + `*$`)
)

// readHeading reads a heading of §3.1. It returns nil if the line is not one.
func readHeading(line int, text string) *heading {
	if !strings.HasPrefix(strings.TrimLeft(text, " "), "###") {
		return nil
	}
	m := headingPattern.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	group := func(n int) string { return text[m[2*n]:m[2*n+1]] }
	keyword := group(4)
	h := &heading{line: line, documentPart: partOfKeyword(keyword), decoration: group(3), inlineTextOffset: m[1]}
	h.isSingularTool = len(keyword) == len("TOOL")
	h.isCanonical = group(1) == "" && group(2) == "###" && group(5) == "" && group(6) == ":" && isCanonicalDecoration(h.decoration)
	h.readInlineText(text[m[1]:], leavesEmphasisOpen(h.decoration) && !strings.ContainsAny(group(5), "*_"))
	if h.documentPart == toolsPart && h.inlineText != "" && h.isSingularTool {
		h.isCanonical = h.isCanonical && keyword == "TOOL"
	} else {
		h.isCanonical = h.isCanonical && keyword == canonicalPartHeadings[h.documentPart].keyword
	}
	return h
}

// leavesEmphasisOpen reports whether a decoration contains emphasis marks that it does not close.
func leavesEmphasisOpen(decoration string) bool {
	open := false
	for i, c := range decoration {
		if mark := c == '*' || c == '_'; mark && (i == 0 || decoration[i-1] != byte(c)) {
			open = !open
		}
	}
	return open
}

// readInlineText sets the text after the colon, without blanks around it, without closing #s, and without the emphasis
// marks that end an emphasis around the keyword. isEmphasisOpen says that such an emphasis is open before the colon.
func (h *heading) readInlineText(rest string, isEmphasisOpen bool) {
	if m := closingHashPattern.FindStringIndex(rest); m != nil {
		rest, h.isCanonical = rest[:m[0]], false
	}
	if left := strings.TrimLeft(rest, "*_"); len(left) < len(rest) && firstBlankOffset(left) == 0 { // marks before a blank begin no emphasis
		h.inlineTextOffset += len(rest) - len(left)
		rest, isEmphasisOpen, h.isCanonical = left, false, false
	}
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	h.inlineTextOffset += len(rest) - len(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
	h.inlineText = trimmed
	if !isEmphasisOpen {
		return
	}
	if h.inlineText = strings.TrimLeft(trimmed, "*_"); h.inlineText == trimmed {
		h.inlineText = strings.TrimRight(trimmed, "*_")
	}
	inner := strings.TrimLeftFunc(h.inlineText, unicode.IsSpace)
	if !strings.HasPrefix(trimmed, h.inlineText) {
		h.inlineTextOffset += len(trimmed) - len(inner)
	}
	h.inlineText = strings.TrimSpace(inner)
}

func partOfKeyword(keyword string) documentPart {
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

// isCanonicalDecoration reports whether a decoration is a marker between single spaces, or a single space,
// without emphasis marks.
func isCanonicalDecoration(decoration string) bool {
	inner := strings.TrimSuffix(strings.TrimPrefix(decoration, " "), " ")
	if inner == "" {
		return decoration == " "
	}
	hasBlanks := strings.Trim(inner, " \t") != inner || strings.TrimSpace(inner) != inner && repairEncoding(inner, 1) == inner // a damaged marker may end in one
	return len(inner) == len(decoration)-2 && !hasBlanks && !strings.ContainsAny(inner, "*_")
}

// markerInDecoration returns the marker in a heading's decoration, without blanks and emphasis marks around it.
func markerInDecoration(decoration string) string {
	return strings.TrimFunc(decoration, func(r rune) bool { return unicode.IsSpace(r) || r == '*' || r == '_' })
}

// markerProblemCode returns the code for what is wrong with the heading's marker, "" if nothing is.
func (h *heading) markerProblemCode() string {
	sign, canonical := markerInDecoration(h.decoration), canonicalPartHeadings[h.documentPart].marker
	switch {
	case sign == canonical:
		return ""
	case sign == "":
		return "marker-missing"
	case withoutVariationSelectors(sign) == withoutVariationSelectors(canonical):
		return "marker-other"
	case strings.ContainsAny(sign, "?\uFFFD") || repairEncoding(h.decoration, 1) != h.decoration:
		return "marker-damaged"
	}
	return "marker-other"
}

// findMalformedHeading returns the offset of the first # in a line that is nearly a heading, and the heading's keyword.
// The keyword is "" for any other line.
func findMalformedHeading(text string) (at int, keyword string) {
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r == '>' || unicode.IsSpace(r) })
		n := listMarkLength(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	if !strings.HasPrefix(rest, "#") {
		return 0, ""
	}
	return len(text) - len(rest), keywordPattern.FindString(rest)
}

// intendedMarkerAndKeyword returns the marker and the keyword with which a title was probably meant to begin: it has the
// marker, and its word resembles the keyword. It returns "" for any other title.
func intendedMarkerAndKeyword(title string) string {
	label, _, found := strings.Cut(title, ":")
	if !found {
		return ""
	}
	plainLabel := withoutVariationSelectors(label)
	var known []string
	for _, p := range canonicalPartHeadings {
		known = append(known, p.keyword)
	}
	label = strings.ToUpper(strings.TrimFunc(label, func(r rune) bool { return !unicode.IsLetter(r) }))
	meant := near.MostSimilar(label, known)
	for _, p := range canonicalPartHeadings {
		if p.keyword == meant && strings.HasPrefix(plainLabel, withoutVariationSelectors(p.marker)) {
			return p.marker + " " + p.keyword
		}
	}
	return ""
}

// readMarkdownHeading reads a line as a Markdown heading with one to six #.
func readMarkdownHeading(text string) (level int, title string, ok bool) {
	inner := strings.TrimLeft(text, " ")
	if len(text)-len(inner) > 3 {
		return 0, "", false
	}
	rest := strings.TrimLeft(inner, "#")
	level = len(inner) - len(rest)
	if level < 1 || level > 6 || rest != "" && firstBlankOffset(rest) > 0 {
		return 0, "", false
	}
	if m := closingHashPattern.FindStringIndex(rest); m != nil {
		rest = rest[:m[0]]
	}
	return level, strings.TrimSpace(rest), true
}
