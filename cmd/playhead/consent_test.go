package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/creack/pty"
)

// hiding maps characters and sequences that can hide a part of a text to how Playhead must show them.
var hiding = map[string]string{
	`\b`: "\b", `\a`: "\a", `\v`: "\v", `\f`: "\f", `\x1b[2K`: "\x1b[2K", `\x1b[1G`: "\x1b[1G", `\x1b[8m`: "\x1b[8m", `\x7f`: "\x7f",
	`\u009b2K`: "\u009b2K", `\u009d0;t\u009c`: "\u009d0;t\u009c", `\u0085`: "\u0085", `\u2028`: "\u2028", `\u2029`: "\u2029",
	`\u202e`: "\u202e", `\u2066`: "\u2066", `\u200f`: "\u200f", `\u200b`: "\u200b", `\u2060`: "\u2060", `\u200d`: "\u200d",
	`\u00ad`: "\u00ad", `\ufeff`: "\ufeff", `\u3164`: "\u3164", `\U000e0041`: "\U000e0041", `\U000e0100`: "\U000e0100",
}

const careful = "Careful: there are hidden characters here."

// unhidden fails the test unless the text shows all of hiding in visible form and has none of them raw.
func unhidden(t *testing.T, place, got string) {
	t.Helper()
	for shown := range hiding {
		if want := "<" + shown + ">"; !strings.Contains(got, want) {
			t.Errorf("%s lacks %s:\n%s", place, want, got)
		}
	}
	for _, r := range got {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Errorf("%s has %U:\n%q", place, r, got)
			return
		}
	}
}

// hidingDoc returns a folder with a runbook that has a step for each way to hide a character.
func hidingDoc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var doc strings.Builder
	doc.WriteString("# H\n")
	n := 0
	for _, raw := range hiding {
		n++
		fmt.Fprintf(&doc, "## %d. S\n```sh\n: \"<%s>\"\n```\n", n, raw)
	}
	write(t, filepath.Join(dir, "a.runbook.md"), doc.String())
	return dir
}

// TestNothingHidesFromConsent: the refusal, show, check, run and reports all show the hidden characters of a document.
func TestNothingHidesFromConsent(t *testing.T) {
	t.Parallel()
	dir := hidingDoc(t)
	out, errs, status := runProcess(t, dir, nil, "run", "a.runbook.md", "--headless")
	if status != exitUsage || !strings.HasPrefix(errs, careful) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	unhidden(t, "the refusal", errs)
	out, _, _ = runProcess(t, dir, nil, "show", "a.runbook.md")
	unhidden(t, "show", out)
	out, errs, _ = runProcess(t, dir, nil, "check", "a.runbook.md")
	if n := strings.Count(out, "[parse/hidden-characters]"); n != len(hiding) || strings.ContainsAny(out+errs, "\x1b\u202e") {
		t.Errorf("check finds %d lines: %s%s", n, out, errs)
	}
	out, errs, _ = runProcess(t, dir, nil, "run", "a.runbook.md", "--headless", "--trust")
	unhidden(t, "the lines", out+errs)
	out, _, _ = runProcess(t, dir, nil, "runs", "--json")
	var runs []struct{ Run string }
	if err := json.Unmarshal([]byte(out), &runs); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"--md", "--html", "--json"} {
		out, _, _ = runProcess(t, dir, nil, "export", runs[0].Run, kind)
		for escaped, plain := range map[string]string{`\\`: `\`, "&lt;": "<", "&gt;": ">", `\u003c`: "<", `\u003e`: ">"} {
			out = strings.ReplaceAll(out, escaped, plain)
		}
		unhidden(t, "the report "+kind, out)
	}
}

// TestNothingHidesInFileNames: check escapes control characters in the name of a document.
func TestNothingHidesInFileNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := "a\x1b[2K\r\u202e.runbook.md"
	write(t, filepath.Join(dir, name), "no steps\n")
	out, errs, _ := runProcess(t, dir, nil, "check", name)
	if !strings.HasPrefix(out, `a\x1b[2K\r\u202e.runbook.md:1:1: error: `) || strings.ContainsAny(out+errs, "\x1b\r\u202e") {
		t.Errorf("%q %q", out, errs)
	}
}

// TestNothingHidesFromTheDialogs: the first line of a dialog warns of hidden characters, the text shows them, and long
// padding pushes nothing out of view.
func TestNothingHidesFromTheDialogs(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 200, Cols: 100}, hidingDoc(t), "a.runbook.md")
	for shown := range hiding {
		x.sees("<" + shown + ">")
	}
	_, dialog, _ := strings.Cut(x.text(), "Trust this document?")
	if lines := strings.Split(dialog, "\n"); !strings.Contains(lines[1], careful) {
		t.Errorf("the first line is %q", lines[1])
	}
	unhidden(t, "the dialog", strings.NewReplacer("│", "").Replace(dialog))

	dir := saying(t)
	args := `{"text": "1\u001b[2K 2\r 3\u202e 4\u009b 5\u007f 6` + strings.Repeat(" ", 500) + `7"}`
	write(t, filepath.Join(dir, "replies.yaml"), fmt.Sprintf("'1':\n- text: \"reply <\\e[2K> <\\u202e>\"\n  calls: [{tool: say, arguments: %s}]\n", args))
	for _, view := range []string{"", "--plain"} {
		flags := []string{"a.md", "--trust", "--approve", "each", "--replies", "replies.yaml"}
		if view != "" {
			flags = append(flags, view)
		}
		x = openIn(t, pty.Winsize{Rows: 50, Cols: 110}, dir, flags...)
		for _, want := range []string{careful, `1\u001b[2K 2\r 3\u202e 4\u009b 5\x7f 6 ⟨500 spaces⟩ 7`, `reply <\x1b[2K> <\u202e>`} {
			x.sees(want)
		}
		x.types("\x03")
	}
}

// TestNothingHidesInServers: the question for trust shows hidden characters in the command of a tool server.
func TestNothingHidesInServers(t *testing.T) {
	t.Parallel()
	dir := saying(t)
	words := []string{"<\x1b[2K>", "<a \r\u202e>"}
	config, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"peer": map[string]any{"command": "./toolpeer", "args": words}}})
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, status := runProcess(t, dir, nil, "run", "a.md", "--headless", "--approve", "none", "--replies", "replies.yaml")
	if status != exitUsage || !strings.HasPrefix(errs, careful) || !strings.Contains(errs, `./toolpeer <\x1b[2K> "<a \r\u202e>"`) {
		t.Errorf("%d: %s", status, errs)
	}
}
