// Package shellwords reads the words of shell commands as the shell passes them to programs.
package shellwords

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// maxBraceWords limits how many words from the braces of one word are examined.
const maxBraceWords = 100

// OfSimpleCommand returns the words of a file that is one simple command. It returns nil for a list,
// pipe, background command, assignment, redirection or expansion.
func OfSimpleCommand(file *syntax.File) []string {
	if len(file.Stmts) != 1 {
		return nil
	}
	s := file.Stmts[0]
	call, is := s.Cmd.(*syntax.CallExpr)
	if !is || s.Negated || s.Background || s.Coprocess || len(s.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	var words []string
	for _, w := range call.Args {
		text, whole := LiteralText(w)
		if !whole || len(ExpandBraces(w)) != 1 {
			return nil
		}
		words = append(words, text)
	}
	return words
}

// LiteralText returns the text of a word without its quotes. If whole is false, the word contains an expansion,
// so the text may differ from what the shell passes to the program.
func LiteralText(w *syntax.Word) (text string, whole bool) {
	var b strings.Builder
	whole = true
	var add func(parts []syntax.WordPart)
	add = func(parts []syntax.WordPart) {
		for _, part := range parts {
			switch part := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescape(part.Value))
			case *syntax.SglQuoted:
				b.WriteString(part.Value)
				whole = whole && !part.Dollar
			case *syntax.DblQuoted:
				add(part.Parts)
				whole = whole && !part.Dollar
			default:
				whole = false
			}
		}
	}
	add(w.Parts)
	return b.String(), whole
}

// unescape removes the backslashes that a shell removes.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	escaped := false
	for _, r := range text {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		if escaped = false; r != '\n' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ExpandBraces returns the words into which bash expands the braces of a word, at most maxBraceWords.
func ExpandBraces(arg *syntax.Word) (words []*syntax.Word) {
	split := *arg // whose parts are replaced
	syntax.SplitBraces(&split)
	for w, err := range expand.BracesSeq(nil, &split) {
		if err != nil || len(words) == maxBraceWords {
			break
		}
		words = append(words, w)
	}
	return words
}
