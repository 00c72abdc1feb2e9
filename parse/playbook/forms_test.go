package playbook

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The forms as the specification writes them, except that a title must not be empty: the specification trims it.
var (
	specStep      = regexp.MustCompile(`^##\s+STEP\s+(\d+):\s+(\S.*)$`)
	specSubstep   = regexp.MustCompile(`^###\s+STEP\s+(\d+[a-z]):\s+(\S.*)$`)
	specOutput    = regexp.MustCompile(`^@output\((\w+)(?:\s*:\s*(\w+))?((?:,\s*"[^"]*")*)?(?:,\s*extract:"(\w+)")?\)\s*$`)
	specCondition = regexp.MustCompile("^```(if|elif)\\s+(\\w+)\\s*(==|!=)\\s*\"([^\"]*)\"\\s*```\\s*$")
)

// forms are the pieces of random lines.
var forms = [][]string{
	{"#", "##", "###", " ", "\t", "STEP", "Step", "1", "12", "a", "ab", ":", " : ", ": ", "Title", "é", "  "},
	{"@output(", "@output", "(", "a", "a_1", " ", ":", ": ", " :", "json", "enum", ",", ", ", `"x"`, `"`, `""`, "extract:", `extract:"f"`, ")", "-"},
	{"```", "```if", "```elif", "``", " ", "if", "a", "b_1", "==", "!=", "=", `"x"`, `""`, `"`, "```", "and", "\t"},
}

// TestForms: the parser reads lines exactly like the specification's regular expressions.
func TestForms(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	matched := map[string]int{}
	for range 20_000 {
		words := forms[random.IntN(len(forms))]
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(words[random.IntN(len(words))])
		}
		checkForms(t, b.String(), matched)
	}
	for _, line := range []string{
		"## STEP 1: A", "##\tSTEP  12:  A b ", "### STEP 1a: A", "### STEP 12z:\tA", "### STEP 1aa: A",
		"@output(a)", `@output(a : enum, "x", "y z",extract:"f")  `, `@output(a, "x")`, `@output(a,extract:"f")`, `@output(a, "x", extract:"f", "y")`,
		"```if a==\"\"```", "```elif  a_1 != \"`x`\" ```  ",
	} {
		checkForms(t, line, matched)
	}
	for _, form := range []string{"step", "sub-step", "output", "condition"} {
		if matched[form] < 2 {
			t.Errorf("only %d lines were a %s", matched[form], form)
		}
	}
}

func checkForms(t *testing.T, line string, matched map[string]int) {
	t.Helper()
	same := func(form string, want []string, got ...string) {
		t.Helper()
		if want != nil {
			matched[form]++
			want = want[1:]
		}
		if len(want) == 0 {
			want = make([]string, len(got))
		}
		if strings.Join(want, "|") != strings.Join(got, "|") {
			t.Fatalf("%q as %s: got %q, want %q", line, form, got, want)
		}
	}
	digits, title := parseStepHeading(strings.TrimRight(line, " \t"))
	if title == "" {
		digits = ""
	}
	same("step", specStep.FindStringSubmatch(strings.TrimRight(line, " \t")), digits, title)
	digits, letter, title := parseSubstepHeading(strings.TrimRight(line, " \t"))
	if title == "" {
		digits, letter = "", ""
	}
	same("sub-step", specSubstep.FindStringSubmatch(strings.TrimRight(line, " \t")), digits+letter, title)
	if m := specCondition.FindStringSubmatch(line); m != nil || isBranchMarkerLike(line) {
		c := parseBranchMarker(0, line)
		if !c.isValid || c.condition.variable == "" {
			c = branchMarker{}
		}
		same("condition", m, c.word, c.condition.variable, c.condition.operator, c.condition.value)
	}
	m := specOutput.FindStringSubmatch(line)
	o := parseOutput(line)
	if (o == nil) != (m == nil) {
		t.Fatalf("%q: got %+v, want %q", line, o, m)
	}
	if o != nil {
		kind := m[2]
		if kind != "" {
			kind = canonicalType(kind)
		}
		same("output", []string{m[0], m[1], kind, m[4]}, o.name, o.valueType, o.extractedField)
		if strings.Count(m[3], `"`) != 2*len(o.options) {
			t.Fatalf("%q: options %q", line, o.options)
		}
	}
}
