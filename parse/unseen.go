package parse

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/hidden"
	"playhead/parse/plan"
)

// mostUnseen is how many lines of a file are reported for their hidden characters.
const mostUnseen = 100

// hiddenWarnings warns of the hidden characters in all that a plan was made from, whatever its format:
// what a person reads there is not what runs. Prompts are files that a playbook names.
func hiddenWarnings(p *plan.Plan, prompts []plan.File) []plan.Diagnostic {
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
			out = append(out, unseenIn(f)...)
		}
		for _, c := range p.Children {
			visit(c.Plan)
		}
	}
	visit(p)
	for _, f := range prompts {
		out = append(out, unseenIn(f)...)
	}
	return out
}

// unseenIn warns of each line of a file that has hidden characters, at the first of them.
// Lines are those of the parsers, to which a CR alone is a line end too.
func unseenIn(f plan.File) []plan.Diagnostic {
	if unreadable(f.Source) != "" { // which is an error already
		return nil
	}
	text := strings.TrimPrefix(string(f.Source), "\ufeff")
	if !strings.Contains(text, "\n") { // a text of old, whose line ends are CR
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	if hidden.Index(text) < 0 {
		return nil
	}
	var out []plan.Diagnostic
	var scan hidden.Scanner
	var chars []string // of the line at hand
	lines, line, column, first := 0, 1, 1, 1
	end := func() {
		if len(chars) > 0 {
			if lines++; lines <= mostUnseen {
				out = append(out, unseenAt(f.Path, line, first, chars))
			}
		}
		line, column, chars = line+1, 0, nil
	}
	for text != "" {
		size, isHidden := scan.Next(text)
		char := text[:size]
		if isHidden {
			if len(chars) == 0 {
				first = column
			}
			if shown := hidden.Escape(char); !slices.Contains(chars, shown) {
				chars = append(chars, shown)
			}
		}
		if char == "\n" || char == "\r" && isHidden {
			end()
		}
		column++
		text = text[size:]
	}
	end()
	if more := lines - mostUnseen; more > 0 {
		last := &out[mostUnseen-1]
		last.Message += fmt.Sprintf(" (and %d more lines of the file have some)", more)
	}
	return out
}

// mostListed is how many hidden characters of a line are listed.
const mostListed = 5

func unseenAt(file string, line, column int, chars []string) plan.Diagnostic {
	if more := len(chars) - mostListed; more > 0 {
		chars = append(chars[:mostListed], fmt.Sprintf("and %d others", more))
	}
	return plan.Diagnostic{
		File: file, Line: line, Column: column, Severity: plan.Warning, Code: "parse/hidden-characters",
		Message:    "the line has hidden characters: " + strings.Join(chars, " "),
		Suggestion: "remove them: who reads the document does not see them",
	}
}
