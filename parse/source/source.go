// Package source has what the text formats share: a file's bytes as text, places, fences, the
// diagnostics of a document, and edits of its steps.
package source

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"playhead/parse/plan"
)

// Texts of diagnostics that formats share.
const (
	NoSuchFile = "there is no such file"
	NotUTF8    = "it is not valid UTF-8"
	SaveAsUTF8 = "save it as UTF-8 text" // a suggestion
)

// Place is a line, counted from 0, and a byte offset in it.
type Place struct{ Line, Offset int }

// Normalize removes a byte order mark and converts line endings to LF. Lines and columns do not
// change.
func Normalize(file []byte) string {
	text := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	return string(text)
}

// NotTextReason returns why a file is not text, and the offset of the first wrong byte. For text, the problem
// is "" and the offset its length.
func NotTextReason(text string) (at int, problem string) {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return len(text), ""
	}
	if isUTF16(text) {
		return 0, "it is UTF-16"
	}
	for i, r := range text {
		if r == 0 {
			return i, "it contains a NUL byte: this is not a text file"
		}
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i, fmt.Sprintf("%s (byte 0x%02x)", NotUTF8, text[i])
		}
	}
	return len(text), ""
}

// utf16SampleSize is the number of bytes that are examined for UTF-16.
const utf16SampleSize = 64

// isUTF16 reports whether a text is UTF-16: it has a byte order mark, or every other byte at its
// beginning is zero, as for Latin letters.
func isUTF16(text string) bool {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return true
	}
	head := text[:min(len(text), utf16SampleSize)&^1]
	var zeros [2]int
	for i, b := range []byte(head) {
		if b == 0 {
			zeros[i%2]++
		}
	}
	most, least := max(zeros[0], zeros[1]), min(zeros[0], zeros[1])
	return least == 0 && most > 1 && most*4 >= len(head)
}

// PlaceOf returns the place of a byte offset in a text.
func PlaceOf(text string, at int) Place {
	before := text[:at]
	return Place{strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n') - 1}
}

// IsBlank reports whether a line has nothing but white space.
func IsBlank(line string) bool { return strings.TrimSpace(line) == "" }

// IndentOf returns the width of a line's indentation, in columns with tab stops every four, and in bytes.
func IndentOf(line string) (columns, bytes int) {
	for ; bytes < len(line); bytes++ {
		switch line[bytes] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, bytes
		}
	}
	return columns, bytes
}

// NameWithoutFolder returns the name of a file without its folder.
func NameWithoutFolder(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// NameWithoutSuffix returns the name of a file without its folder, and without the first of the suffixes that it
// has in any letter case.
func NameWithoutSuffix(file string, suffixes ...string) string {
	base := NameWithoutFolder(file)
	for _, s := range suffixes {
		if n := len(base) - len(s); n > 0 && strings.EqualFold(base[n:], s) {
			return base[:n]
		}
	}
	return base
}

// Fence is a line that begins with at least three backticks or tildes.
type Fence struct {
	IndentColumns, IndentBytes int    // its indentation
	Char                       byte   // ` or ~
	Length                     int    // the number of characters
	Info                       string // the text after them
}

// CloseFenceSuggestion says how to close a fenced block.
const CloseFenceSuggestion = "close it with a line that contains only the same backticks or tildes as the opening line"

// MaxFenceIndent is how many columns a fence may be indented in CommonMark.
const MaxFenceIndent = 3

// ReadFence returns the fence that a line is, however far it is indented. ok is false if it is none.
func ReadFence(line string) (f Fence, ok bool) {
	columns, bytes := IndentOf(line)
	rest := line[bytes:]
	if rest == "" || rest[0] != '`' && rest[0] != '~' {
		return Fence{}, false
	}
	f = Fence{IndentColumns: columns, IndentBytes: bytes, Char: rest[0]}
	f.Info = strings.TrimLeft(rest, rest[:1])
	f.Length = len(rest) - len(f.Info)
	return f, f.Length >= 3
}

// CanOpen reports whether a fence can open a block: the text after backticks must not contain others.
func (f Fence) CanOpen() bool { return f.Char == '~' || strings.IndexByte(f.Info, '`') < 0 }

// Closes reports whether a fence closes the block of another one.
func (f Fence) Closes(opener Fence) bool {
	return f.Char == opener.Char && f.Length >= opener.Length && IsBlank(f.Info)
}

// CodeSpan returns a text as a Markdown code span.
func CodeSpan(text string) string {
	fence := BacktickFence(text, 1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// BacktickFence returns a run of backticks that is longer than any in a text, and at least least long.
func BacktickFence(text string, least int) string {
	run := 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		least = max(least, run+1)
	}
	return strings.Repeat("`", least)
}

// DiagnosticCollector collects the diagnostics of one document.
type DiagnosticCollector struct {
	File            string
	Format          string                   // the prefix of the codes
	SeverityByCode  map[string]plan.Severity // by code without the prefix
	DefaultSeverity plan.Severity            // of the other codes

	diagnostics []plan.Diagnostic
}

// Add reports a finding at a line and a column, counted from 1. The code has no prefix. It returns
// the diagnostic, which can be completed until the next one is added.
func (d *DiagnosticCollector) Add(line, column int, code, message, suggestion string) *plan.Diagnostic {
	severity, has := d.SeverityByCode[code]
	if !has {
		severity = d.DefaultSeverity
	}
	d.diagnostics = append(d.diagnostics, plan.Diagnostic{
		File: d.File, Line: line, Column: column, Severity: severity,
		Code: d.Format + "/" + code, Message: message, Suggestion: suggestion,
	})
	return &d.diagnostics[len(d.diagnostics)-1]
}

// Sorted returns the findings so far, by place.
func (d *DiagnosticCollector) Sorted() []plan.Diagnostic {
	plan.SortDiagnostics(d.diagnostics)
	return d.diagnostics
}
