package registry

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// text is a text taken apart at its placeholders (spec §5). What is put in is never
// looked at again.
type text []piece

// piece is literal text; a variable, {uv-NAME}; or another name, {NAME}. Text is how
// it is written.
type piece struct {
	Text, Name string
	Variable   bool
}

var (
	inSteps  = regexp.MustCompile(`^\w+$`)
	inSystem = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// parseText takes a text apart. variable matches the names of variables; nil: there are
// none.
func parseText(s string, variable *regexp.Regexp) text {
	var out text
	for {
		from, to := braces(s)
		if from > 0 {
			out = append(out, piece{Text: s[:from]})
		}
		if from == len(s) {
			return out
		}
		p := piece{Text: s[from:to], Name: s[from+1 : to-1]}
		if name, ok := strings.CutPrefix(p.Name, "uv-"); ok && variable != nil && variable.MatchString(name) {
			p.Name, p.Variable = name, true
		}
		out = append(out, p)
		s = s[to:]
	}
}

// braces finds the first braces without others in them. from is the text's end if there
// are none.
func braces(s string) (from, to int) {
	for from = strings.IndexByte(s, '{'); from >= 0; from = to {
		more := strings.IndexAny(s[from+1:], "{}")
		if more < 0 {
			break
		}
		if to = from + 1 + more; s[to] == '}' {
			return from, to + 1
		}
	}
	return len(s), len(s)
}

// String is the text as it is written.
func (t text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

// variables are the names of those that the text uses, each once.
func (t text) variables() []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range t {
		if p.Variable && !seen[p.Name] {
			seen[p.Name] = true
			out = append(out, p.Name)
		}
	}
	return out
}

// missing says what becomes of a variable that has no value.
type missing int

const (
	fails  missing = iota // the text cannot be produced
	empty                 // empty text
	stays                 // as it is written
	warned                // empty text, and a warning
)

// filling is how a text is filled in.
type filling struct {
	variable func(name string) (string, bool)
	named    func(name string) (string, bool) // nil: other names stay as they are
	missing  missing
	origin   *plan.Origin // where it is noted
	notes    []plan.Note
}

// fill puts values in.
func (f *filling) fill(t text) (string, error) {
	var b strings.Builder
	for _, p := range t {
		value, err := f.value(p)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

func (f *filling) value(p piece) (string, error) {
	switch {
	case p.Variable:
		if v, ok := f.variable(p.Name); ok {
			f.origin.Fill(p.Name, v)
			return v, nil
		}
	case p.Name != "" && f.named != nil:
		if v, ok := f.named(p.Name); ok {
			return v, nil
		}
		return p.Text, nil
	default:
		return p.Text, nil
	}
	switch f.missing {
	case fails:
		return "", fmt.Errorf("the variable %s has no value", p.Name)
	case stays:
		return p.Text, nil
	case warned:
		f.notes = append(f.notes, note("template", "the variable %s has no value", p.Name))
	}
	return "", nil
}

func note(code, format string, args ...any) plan.Note {
	return plan.Note{Code: climpt.Code + code, Message: fmt.Sprintf(format, args...)}
}
