package workflow

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Output is a variable that a step reports, as shown by `show` (§2). Source is guidance for the
// model and is never evaluated.
type Output struct {
	Source   string `json:"source"`
	Variable string `json:"variable"`
}

// placedOutput is an Output with the place of its variable.
type placedOutput struct {
	Output
	place place
}

// readOutput reads an item of a list of outputs: a source, an arrow and a variable.
func (d *document) readOutput(s *step, it *item, defined map[string]bool) {
	a, ok := parseOutput(it.text)
	if !ok {
		d.warnUnnamedItem(s, it, "output", "`- source → NAME`")
		return
	}
	out := placedOutput{Output{a.sourceText, a.name}, it.placeAt(a.nameOffset)}
	d.warnUnusableName(s, out.place, a.name)
	if a.hasNonstandardArrow {
		d.add(it.placeAt(0), s, finding{"arrow-form", "this output's arrow is neither `→` nor `->`", "write `→` or `->`"})
	}
	if a.hasMarksOrNote || a.sourceText == "" {
		d.add(it.placeAt(0), s, finding{"item-form", "an output should be just a source, an arrow and a name", "write `- source → " + a.name + "`"})
	}
	if defined[a.name] {
		d.warnDuplicate(s, out.place, "output", a.name)
	}
	defined[a.name] = true
	s.outputs = append(s.outputs, out)
}

// parsedOutput is an item of a list of outputs, as parseOutput reads it.
type parsedOutput struct {
	sourceText, name    string
	nameOffset          int  // in the item's text
	hasNonstandardArrow bool // the arrow is neither → nor ->
	hasMarksOrNote      bool // the name has marks around it or a note after it
}

// arrowSigns are the signs of rules 1 to 3 of §3.3. Of two that end alike, the longer comes first.
var arrowSigns = []string{
	"→",
	"â†’", "â†'", "â\u0086\u0092", "в†’", "‚Üí", "ΓåÆ", "ÔåÆ", "тЖТ", "Б├▓", "鈫\ufffd", "鈫?", "鈫", "Ã¢â€\u00a0â€™", "Ã¢â€ â€™",
	"-->", "==>", "->", "=>", "⟶", "⇒", "➔", "➜",
}

// parseOutput reads an output from its end: the name, and what is before it.
func parseOutput(text string) (a parsedOutput, ok bool) {
	body := trimTrailingNotes(text)
	a.nameOffset = trailingNameStart(body)
	a.name = body[a.nameOffset:]
	before := strings.TrimRight(body[:a.nameOffset], marksAroundName)
	a.hasMarksOrNote = len(before) < a.nameOffset || strings.TrimSpace(text) != body
	if !isValidName(a.name) {
		return a, false
	}
	trimmed := strings.TrimRightFunc(before, unicode.IsSpace)
	for _, sign := range arrowSigns {
		if source, found := strings.CutSuffix(trimmed, sign); found {
			a.sourceText, a.hasNonstandardArrow = strings.TrimSpace(source), sign != "→" && sign != "->"
			return a, true
		}
	}
	a.hasNonstandardArrow = true
	return a, isPlaceholderName(a.name) && (a.readTokenArrow(before, trimmed) || a.readGapArrow(before, trimmed))
}

// readTokenArrow reads an arrow by rule 4: a token of characters outside ASCII or ?, with blanks around
// it.
func (p *parsedOutput) readTokenArrow(before, trimmed string) bool {
	if len(before) == len(trimmed) {
		return false
	}
	p.sourceText = trimmed
	for p.sourceText != "" {
		word := lastWord(p.sourceText)
		if strings.ContainsFunc(word, func(r rune) bool { return r < utf8.RuneSelf && r != '?' }) {
			break
		}
		p.sourceText = strings.TrimRightFunc(strings.TrimSuffix(p.sourceText, word), unicode.IsSpace)
	}
	return len(p.sourceText) < len(trimmed)
}

// lastWord returns the text after the last blank.
func lastWord(text string) string {
	i := strings.LastIndexFunc(text, unicode.IsSpace)
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// readGapArrow reads an arrow by rule 5: a source without blanks, then two or more blanks or a tab.
func (p *parsedOutput) readGapArrow(before, trimmed string) bool {
	gap := before[len(trimmed):]
	p.sourceText = strings.TrimSpace(trimmed)
	return (utf8.RuneCountInString(gap) > 1 || gap == "\t") && p.sourceText != "" && firstBlankOffset(p.sourceText) == len(p.sourceText)
}
