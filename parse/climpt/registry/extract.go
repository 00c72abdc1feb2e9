package registry

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// commandOutput is the output of a validator's command.
type commandOutput struct {
	stdout, stderr string
	exitCode       int
}

// extractors take parameters for a retry prompt from a command's output, by name (spec §10).
// missingPaths and expectedPath have no source, so they are always empty.
var extractors = map[string]func(commandOutput) any{
	"stdout":       func(p commandOutput) any { return p.stdout },
	"stderr":       func(p commandOutput) any { return p.stderr },
	"exitCode":     func(p commandOutput) any { return p.exitCode },
	"missingPaths": func(commandOutput) any { return []any{} },
	"expectedPath": func(commandOutput) any { return "" },

	"parseChangedFiles":   gitStatusFiles(func(x, y byte) bool { return x != '?' && y != '?' }),
	"parseUntrackedFiles": gitStatusFiles(func(x, y byte) bool { return x == '?' && y == '?' }),
	"parseStagedFiles":    gitStatusFiles(func(x, _ byte) bool { return x != ' ' && x != '?' }),
	"parseUnstagedFiles":  gitStatusFiles(func(_, y byte) bool { return y != ' ' && y != '?' }),

	"parseTestOutput": failedTests, "failedTests": failedTests, "errorOutput": errorOutput,
	"parseTypeErrors": typeErrors, "errors": typeErrors, "extractFiles": sourceFiles, "files": sourceFiles,
	"parseLintErrors": lintErrors, "lintErrors": lintErrors, "lintFiles": lintErrors,
	"parseFormatOutput": unformattedFiles, "formatFiles": unformattedFiles, "generateDiff": unformattedFilesAsMarkdown, "diff": unformattedFilesAsMarkdown,
}

func nonBlankLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// gitStatusFiles returns an extractor of file names from `git status --porcelain`, chosen by the
// two status columns.
func gitStatusFiles(wanted func(x, y byte) bool) func(commandOutput) any {
	return func(p commandOutput) any {
		out := []any{}
		for _, line := range nonBlankLines(p.stdout) {
			if len(line) > 3 && wanted(line[0], line[1]) {
				out = append(out, line[3:])
			}
		}
		return out
	}
}

var (
	failedTestPattern = regexp.MustCompile(`FAILED \| (.+)|^\s*(.*\S) \.\.\. FAILED`)
	assertionPattern  = regexp.MustCompile(`AssertionError: (.+)`)
)

// maxTestErrorLines limits the lines quoted for one failed test.
const maxTestErrorLines = 9

// failedTests lists the failed tests with their messages.
func failedTests(p commandOutput) any {
	all := strings.Split(p.stdout+"\n"+p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		m := failedTestPattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.TrimSpace(m[1] + m[2])
		out = append(out, map[string]any{"name": name, "file": testFileFromName(name), "error": testErrorText(all[i+1:])})
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range assertionPattern.FindAllStringSubmatch(p.stdout+"\n"+p.stderr, -1) {
		out = append(out, map[string]any{"name": "AssertionError", "file": "unknown", "error": strings.TrimSpace(m[1])})
	}
	return out
}

// testFileFromName returns the file that a test's name begins with, or "unknown".
func testFileFromName(name string) string {
	first, _, _ := strings.Cut(name, " ")
	if strings.HasSuffix(first, ".ts") || strings.HasSuffix(first, ".tsx") {
		return first
	}
	return "unknown"
}

// testErrorText joins the lines up to the next blank one, at most maxTestErrorLines. Without any it
// returns "Unknown error".
func testErrorText(rest []string) string {
	var out []string
	for _, line := range rest {
		if strings.TrimSpace(line) == "" || len(out) == maxTestErrorLines {
			break
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return "Unknown error"
	}
	return strings.Join(out, "\n")
}

// errorOutput returns stderr, or else stdout from its first error on, "" if it has none.
func errorOutput(p commandOutput) any {
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
	typeErrorPattern        = regexp.MustCompile(`^\s*(?:error: )?TS\d+ \[ERROR\]: (.+)`)
	placeLinePattern        = regexp.MustCompile(`^\s*at (\S+?):(\d+)(?::(\d+))?\s*$`)
	typeErrorAtPlacePattern = regexp.MustCompile(`^\s*error: (.+) at (\S+?):(\d+)(?::(\d+))?\s*$`)
	plainTypeErrorPattern   = regexp.MustCompile(`^\s*(?:error: )?TS\d+: (.+)`)
)

// newExtractedProblem describes a problem at a place. Without a place the file is "unknown" and the line 0.
func newExtractedProblem(rule, message, file, line, column string) map[string]any {
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

// typeErrors lists the errors of a type checker.
func typeErrors(p commandOutput) any {
	all := strings.Split(p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		if m := typeErrorPattern.FindStringSubmatch(line); m != nil {
			at := placeOnNextLine(all, i)
			out = append(out, newExtractedProblem("", m[1], at[0], at[1], at[2]))
		} else if m := typeErrorAtPlacePattern.FindStringSubmatch(line); m != nil {
			out = append(out, newExtractedProblem("", m[1], m[2], m[3], m[4]))
		} else if m := plainTypeErrorPattern.FindStringSubmatch(line); m != nil {
			out = append(out, newExtractedProblem("", m[1], "", "", ""))
		}
	}
	return out
}

// placeOnNextLine returns the file, line and column on the line after line i, or empty strings.
func placeOnNextLine(all []string, i int) [3]string {
	if i+1 < len(all) {
		if m := placeLinePattern.FindStringSubmatch(all[i+1]); m != nil {
			return [3]string{m[1], m[2], m[3]}
		}
	}
	return [3]string{}
}

var sourceFilePattern = regexp.MustCompile(`[^\s()'":]+\.tsx?(?::\d+)`)

// sourceFiles lists the files mentioned with a line number, each once.
func sourceFiles(p commandOutput) any {
	out := []any{}
	for _, m := range sourceFilePattern.FindAllString(p.stdout+"\n"+p.stderr, -1) {
		name := m[:strings.LastIndexByte(m, ':')]
		if !strings.Contains(name, "node_modules") && !slices.Contains(out, any(name)) {
			out = append(out, name)
		}
	}
	return out
}

var (
	lintRuleLinePattern   = regexp.MustCompile(`^\s*\(([\w/-]+)\) (.+)`)
	lintPlaceFirstPattern = regexp.MustCompile(`^\s*(\S+?):(\d+):(\d+) - ([\w/-]+): (.+)`)
	lintPlaceLastPattern  = regexp.MustCompile(`^\s*error\[([\w/-]+)\]: (.+) at (\S+?)(?::(\d+))?(?::(\d+))?\s*$`)
)

// lintErrors lists the problems that a linter reports.
func lintErrors(p commandOutput) any {
	all := strings.Split(p.stdout+"\n"+p.stderr, "\n")
	out := []any{}
	for i, line := range all {
		if m := lintRuleLinePattern.FindStringSubmatch(line); m != nil {
			at := placeOnNextLine(all, i)
			out = append(out, newExtractedProblem(m[1], m[2], at[0], at[1], at[2]))
		} else if m := lintPlaceFirstPattern.FindStringSubmatch(line); m != nil {
			out = append(out, newExtractedProblem(m[4], m[5], m[1], m[2], m[3]))
		} else if m := lintPlaceLastPattern.FindStringSubmatch(line); m != nil {
			out = append(out, newExtractedProblem(m[1], m[2], m[3], m[4], m[5]))
		}
	}
	return out
}

var formattableSuffixes = []string{".ts", ".tsx", ".js", ".jsx", ".json", ".md"}

// unformattedFiles lists the files that a formatter names.
func unformattedFiles(p commandOutput) any {
	out := []any{}
	for _, line := range nonBlankLines(p.stdout) {
		line = strings.TrimSpace(line)
		hasSuffix := slices.ContainsFunc(formattableSuffixes, func(suffix string) bool { return strings.HasSuffix(line, suffix) })
		if hasSuffix && !strings.HasPrefix(line, "Checked") && !strings.HasPrefix(line, "error") {
			out = append(out, line)
		}
	}
	return out
}

// unformattedFilesAsMarkdown lists the unformatted files as Markdown bullets.
func unformattedFilesAsMarkdown(p commandOutput) any {
	var out []string
	for _, file := range unformattedFiles(p).([]any) {
		out = append(out, "- "+file.(string))
	}
	if out == nil {
		return "no formatting issues"
	}
	return strings.Join(out, "\n")
}
