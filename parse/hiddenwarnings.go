package parse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"playhead/parse/hidden"
	"playhead/parse/plan"
	"playhead/parse/source"
)

// maxLinesWithHiddenWarnings limits how many lines of a file are reported for hidden characters.
const maxLinesWithHiddenWarnings = 100

// hiddenCharacterWarnings warns of hidden characters in everything that a plan was made from, in any format,
// because what a person reads there is not what runs. prompts are the files that a playbook names.
func hiddenCharacterWarnings(p *plan.Plan, prompts []plan.File) []plan.Diagnostic {
	var out []plan.Diagnostic
	seen := map[*plan.Plan]bool{}
	var visit func(*plan.Plan)
	visit = func(p *plan.Plan) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		files := p.Files
		if len(files) == 0 {
			files = []plan.File{{Path: p.Path, Source: p.Source}}
		}
		for _, f := range files {
			out = append(out, fileHiddenCharacterWarnings(f)...)
		}
		for _, c := range p.IncludedDocuments {
			visit(c.Plan)
		}
	}
	visit(p)
	for _, f := range prompts {
		out = append(out, fileHiddenCharacterWarnings(f)...)
	}
	return out
}

// fileHiddenCharacterWarnings returns a warning for each line of a file that has hidden characters, placed
// at the first of them. As in the parsers, a CR alone ends a line too.
func fileHiddenCharacterWarnings(f plan.File) []plan.Diagnostic {
	text := string(f.Source)
	if _, problem := source.NotTextReason(text); problem != "" { // that is an error already
		return nil
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "\n") { // an old text whose lines end with CR
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	escapes := isJSONName(f.Path) && strings.Contains(text, `\`)
	decoded := text // as the file's users read it
	if escapes {
		decoded = decodeJSONEscapes(text)
	}
	if hidden.Index(decoded) < 0 {
		return nil
	}
	var out []plan.Diagnostic
	var scan hidden.Scanner
	var chars []string // of the current line
	lines, line, column, first := 0, 1, 1, 1
	end := func() {
		if len(chars) > 0 {
			if lines++; lines <= maxLinesWithHiddenWarnings {
				out = append(out, lineHiddenCharacterWarning(f.Path, line, first, chars))
			}
		}
		line, column, chars = line+1, 0, nil
	}
	for decoded != "" {
		size, isHidden := scan.Next(decoded)
		char, written, columns := decoded[:size], size, 1
		if escapes {
			if _, n := readJSONEscape(text); n > 0 {
				written, columns = n, n
			}
		}
		if isHidden {
			if len(chars) == 0 {
				first = column
			}
			if escaped := hidden.Escape(char); !slices.Contains(chars, escaped) {
				chars = append(chars, escaped)
			}
		}
		if columns == 1 && (char == "\n" || char == "\r" && isHidden) {
			end()
		}
		column += columns
		decoded, text = decoded[size:], text[written:]
	}
	end()
	if more := lines - maxLinesWithHiddenWarnings; more > 0 {
		last := &out[maxLinesWithHiddenWarnings-1]
		last.Message += fmt.Sprintf(" (further lines with hidden characters, not listed: %d)", more)
	}
	return out
}

// maxListedCharacters limits how many hidden characters of a line are listed.
const maxListedCharacters = 5

func lineHiddenCharacterWarning(file string, line, column int, chars []string) plan.Diagnostic {
	if more := len(chars) - maxListedCharacters; more > 0 {
		chars = append(chars[:maxListedCharacters], "and "+plan.CountText(more, "other"))
	}
	return plan.Diagnostic{
		File: file, Line: line, Column: column, Severity: plan.Warning, Code: "parse/hidden-characters",
		Message:    "the line has hidden characters: " + strings.Join(chars, " "),
		Suggestion: "remove them: readers of the document do not see them",
	}
}

// decodeJSONEscapes returns JSON text with its escapes replaced by the characters.
func decodeJSONEscapes(text string) string {
	var b strings.Builder
	for {
		before, _, found := strings.Cut(text, `\`)
		b.WriteString(before)
		if !found {
			break
		}
		text = text[len(before):]
		char, size := readJSONEscape(text)
		if size == 0 {
			char, size = `\`, 1
		}
		b.WriteString(char)
		text = text[size:]
	}
	return b.String()
}

// readJSONEscape returns the character of the escape with which a text begins, and the length of the
// escape in bytes, 0 if there is none.
func readJSONEscape(text string) (char string, size int) {
	if len(text) < 2 || text[0] != '\\' {
		return "", 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, text[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	r, size := readUTF16Escape(text)
	if utf16.IsSurrogate(r) {
		low, n := readUTF16Escape(text[size:])
		r, size = utf16.DecodeRune(r, low), size+n
	}
	if size == 0 || r == utf8.RuneError {
		return "", 0
	}
	return string(r), size
}

// readUTF16Escape returns the value of an escape with four hexadecimal digits, and its length, 0 if there
// is none.
func readUTF16Escape(text string) (r rune, size int) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), 6
}
