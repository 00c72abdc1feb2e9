package registry

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// printed is what a validator's command printed.
type printed struct {
	stdout, stderr string
	code           int
}

// extractors take values for a retry prompt from what a command printed (spec §10).
// Those that know nothing give an empty text.
var extractors = map[string]func(printed) any{
	"stdout":       func(p printed) any { return p.stdout },
	"stderr":       func(p printed) any { return p.stderr },
	"exitCode":     func(p printed) any { return p.code },
	"missingPaths": func(printed) any { return []any{} },
	"expectedPath": func(printed) any { return "" },

	"parseChangedFiles":   porcelain(func(x, y byte) bool { return x != '?' && y != '?' }),
	"parseUntrackedFiles": porcelain(func(x, y byte) bool { return x == '?' && y == '?' }),
	"parseStagedFiles":    porcelain(func(x, _ byte) bool { return x != ' ' && x != '?' }),
	"parseUnstagedFiles":  porcelain(func(_, y byte) bool { return y != ' ' && y != '?' }),

	"parseTestOutput": failedTests, "failedTests": failedTests, "errorOutput": errorOutput,
	"parseTypeErrors": typeErrors, "errors": typeErrors, "extractFiles": sourceFiles, "files": sourceFiles,
	"parseLintErrors": lintErrors, "lintErrors": lintErrors, "lintFiles": lintErrors,
	"parseFormatOutput": unformatted, "formatFiles": unformatted, "generateDiff": formatBullets, "diff": formatBullets,
}

// lines are those of a text that are not blank.
func lines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// porcelain takes file names out of lines such as " M name", by their two columns.
func porcelain(wanted func(x, y byte) bool) func(printed) any {
	return func(p printed) any {
		out := []any{}
		for _, line := range lines(p.stdout) {
			if len(line) > 3 && wanted(line[0], line[1]) {
				out = append(out, line[3:])
			}
		}
		return out
	}
}

var (
	failedName = regexp.MustCompile(`FAILED \| (.+)|^\s*(.*\S) \.\.\. FAILED`)
	assertion  = regexp.MustCompile(`AssertionError: (.+)`)
)

// maxLines is how many lines of a failure are told.
const maxLines = 9

// failedTests lists the tests that failed, and what they said.
func failedTests(p printed) any {
	all := strings.Split(p.stdout+"\n"+p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		m := failedName.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.TrimSpace(m[1] + m[2])
		out = append(out, map[string]any{"name": name, "file": fileIn(name), "error": following(all[i+1:])})
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range assertion.FindAllStringSubmatch(p.stdout+"\n"+p.stderr, -1) {
		out = append(out, map[string]any{"name": "AssertionError", "file": "unknown", "error": strings.TrimSpace(m[1])})
	}
	return out
}

// fileIn is the file that a test's name begins with, if it does.
func fileIn(name string) string {
	first, _, _ := strings.Cut(name, " ")
	if strings.HasSuffix(first, ".ts") || strings.HasSuffix(first, ".tsx") {
		return first
	}
	return "unknown"
}

// following are the lines up to the next blank one, at most a few.
func following(rest []string) string {
	var out []string
	for _, line := range rest {
		if strings.TrimSpace(line) == "" || len(out) == maxLines {
			break
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return "Unknown error"
	}
	return strings.Join(out, "\n")
}

// errorOutput is what went to stderr; else stdout from where an error begins.
func errorOutput(p printed) any {
	if s := strings.TrimSpace(p.stderr); s != "" {
		return s
	}
	all := strings.Split(p.stdout, "\n")
	i := slices.IndexFunc(all, func(l string) bool { return strings.Contains(l, "FAILED") || strings.Contains(l, "error:") })
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(strings.Join(all[i:], "\n"))
}

var (
	typeCode  = regexp.MustCompile(`^\s*(?:error: )?TS\d+ \[ERROR\]: (.+)`)
	typeAt    = regexp.MustCompile(`^\s*at (\S+?):(\d+)(?::(\d+))?\s*$`)
	errorAt   = regexp.MustCompile(`^\s*error: (.+) at (\S+?):(\d+)(?::(\d+))?\s*$`)
	typePlain = regexp.MustCompile(`^\s*(?:error: )?TS\d+: (.+)`)
)

// problem describes a problem at a place. Without one the file is unknown and the line 0.
func problem(rule, message, file, line, column string) map[string]any {
	if file == "" {
		file = "unknown"
	}
	n, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(column)
	out := map[string]any{"message": strings.TrimSpace(message), "file": file, "line": n, "column": c}
	if rule != "" {
		out["rule"] = rule
	}
	return out
}

// typeErrors lists what a type checker complains of.
func typeErrors(p printed) any {
	all := strings.Split(p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		if m := typeCode.FindStringSubmatch(line); m != nil {
			at := next2(typeAt, all, i)
			out = append(out, problem("", m[1], at[0], at[1], at[2]))
		} else if m := errorAt.FindStringSubmatch(line); m != nil {
			out = append(out, problem("", m[1], m[2], m[3], m[4]))
		} else if m := typePlain.FindStringSubmatch(line); m != nil {
			out = append(out, problem("", m[1], "", "", ""))
		}
	}
	return out
}

// next2 are the parts of a place in the line behind one, empty if there is none.
func next2(place *regexp.Regexp, all []string, i int) [3]string {
	if i+1 < len(all) {
		if m := place.FindStringSubmatch(all[i+1]); m != nil {
			return [3]string{m[1], m[2], m[3]}
		}
	}
	return [3]string{}
}

var sourceFile = regexp.MustCompile(`[^\s()'":]+\.tsx?(?::\d+)`)

// sourceFiles lists the files that places are in, each once.
func sourceFiles(p printed) any {
	out := []any{}
	for _, m := range sourceFile.FindAllString(p.stdout+"\n"+p.stderr, -1) {
		name := m[:strings.LastIndexByte(m, ':')]
		if !strings.Contains(name, "node_modules") && !slices.Contains(out, any(name)) {
			out = append(out, name)
		}
	}
	return out
}

var (
	lintRule = regexp.MustCompile(`^\s*\(([\w/-]+)\) (.+)`)
	lintDash = regexp.MustCompile(`^\s*(\S+?):(\d+):(\d+) - ([\w/-]+): (.+)`)
	lintAt   = regexp.MustCompile(`^\s*error\[([\w/-]+)\]: (.+) at (\S+?)(?::(\d+))?(?::(\d+))?\s*$`)
)

// lintErrors lists what a linter complains of.
func lintErrors(p printed) any {
	all := strings.Split(p.stdout+"\n"+p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		if m := lintRule.FindStringSubmatch(line); m != nil {
			at := next2(typeAt, all, i)
			out = append(out, problem(m[1], m[2], at[0], at[1], at[2]))
		} else if m := lintDash.FindStringSubmatch(line); m != nil {
			out = append(out, problem(m[4], m[5], m[1], m[2], m[3]))
		} else if m := lintAt.FindStringSubmatch(line); m != nil {
			out = append(out, problem(m[1], m[2], m[3], m[4], m[5]))
		}
	}
	return out
}

var formatted = []string{".ts", ".tsx", ".js", ".jsx", ".json", ".md"}

// unformatted lists the files that a formatter names.
func unformatted(p printed) any {
	out := []any{}
	for _, line := range lines(p.stdout) {
		line = strings.TrimSpace(line)
		hasSuffix := slices.ContainsFunc(formatted, func(suffix string) bool { return strings.HasSuffix(line, suffix) })
		if hasSuffix && !strings.HasPrefix(line, "Checked") && !strings.HasPrefix(line, "error") {
			out = append(out, line)
		}
	}
	return out
}

func formatBullets(p printed) any {
	var out []string
	for _, file := range unformatted(p).([]any) {
		out = append(out, "- "+file.(string))
	}
	if out == nil {
		return "no formatting issues"
	}
	return strings.Join(out, "\n")
}
