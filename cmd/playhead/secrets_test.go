package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"

	"playhead/engine/sanitize"
)

const readSecret = "MYs3cretVALUE"

// disguised are arguments of printf that print readSecret in disguise, between two equals signs.
var disguised = []string{
	`=MYs3\033[01;31m\033[Kcre\033[mtVALUE=\n`, // as grep colours it
	`=MYs3\000cretVAL\000UE=\n`,
	`=MYs3X\bcretVALUE=\n`,
	`ZZZZ3cretVALUE=\r=MYs\n`,
	`=MYs3\033[10GVALUE=\033[6Gcret\n`,
	`=MYs3cret\342\200\213VALUE=\n`, // U+200B
	`=MYs3cret\033]0;a title\007VALUE=\n`,
	`=MYs3cre\r\ntVALUE=\n`,
}

// disguisedRun writes a document whose commands print the disguised texts.
func disguisedRun(t *testing.T, dir string) (file string) {
	t.Helper()
	var doc strings.Builder
	doc.WriteString("# Print\n")
	for i, text := range disguised {
		fmt.Fprintf(&doc, "## %d. Print\n```sh\nprintf '%s'\n```\n", i+1, strings.ReplaceAll(text, "cre", `c\162e`))
	}
	fmt.Fprintf(&doc, "## %d. Ask\nPROMPT \"Well?\"\n- PASS: COMPLETE\n", len(disguised)+1)
	file = filepath.Join(dir, "a.runbook.md")
	if err := os.WriteFile(file, []byte(doc.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestNobodyReadsASecret: a secret is masked in every disguise for everyone who reads the run, also later, when its
// value is no longer known.
func TestNobodyReadsASecret(t *testing.T) {
	t.Parallel()
	dir, known := t.TempDir(), []string{"TOKEN=" + readSecret}
	file := disguisedRun(t, dir)
	read := map[string]string{}
	read["lines"], _, _ = runProcess(t, dir, known, "run", file, "--headless", "--trust", "--secret", "TOKEN")
	read["events"], _, _ = runProcess(t, dir, known, "run", file, "--json", "--trust", "--secret", "TOKEN")
	run := regexp.MustCompile(`"run":"([0-9a-z]+)"`).FindStringSubmatch(read["events"])[1]
	for _, format := range []string{"--md", "--html", "--json"} {
		read[format], _, _ = runProcess(t, dir, nil, "export", run, format)
	}
	read["replay"], _, _ = runProcess(t, dir, nil, "replay", run, "--headless")
	for name, text := range read {
		text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(sanitize.PlainLines(html.UnescapeString(text)), "")
		if strings.Contains(text, readSecret) {
			t.Errorf("%s: %s", name, text)
		}
		if n := strings.Count(text, "=••"); n < len(disguised) {
			t.Errorf("%s: only %d masked texts in %s", name, n, text)
		}
	}
}

// TestNobodyReadsASecretOnScreen: the screen masks a secret in every disguise.
func TestNobodyReadsASecretOnScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disguisedRun(t, dir)
	x := openWith(t, pty.Winsize{Rows: 40, Cols: 120}, dir, []string{"TOKEN=" + readSecret}, "a.runbook.md", "--trust", "--secret", "TOKEN")
	x.sees("Well?")
	x.types("\x1b")
	x.sees("The run is waiting.")
	for i := len(disguised); i > 0; i-- {
		x.types("k")
		x.sees(fmt.Sprintf("%d Print   ", i))
		x.sees("=••")
		if strings.Contains(x.text(), readSecret) {
			t.Errorf("%q is\n%s", disguised[i-1], x.text())
		}
	}
}

// TestShortKeysAreNotMasked: without --secret, an API key stays readable if it is short or its server is on this
// machine. With --secret it is masked, with a warning if it is short.
func TestShortKeysAreNotMasked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, key, server string
		flags             []string
		masked, warned    bool
	}{
		{"short", "count", "", nil, false, false},
		{"long", "a-long-count", "", nil, true, false},
		{"of another server", "a-long-count", "https://models.test/v1", nil, true, false},
		{"of this machine", "a-long-count", "http://localhost:11434/v1", nil, false, false},
		{"of this machine, by number", "a-long-count", "http://[::1]:11434/v1", nil, false, false},
		{"named", "a-long-count", "http://127.0.0.1/v1", []string{"--secret", "OPENAI_API_KEY"}, true, false},
		{"short, and named", "count", "", []string{"--secret", "OPENAI_API_KEY"}, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, env := t.TempDir(), []string{"OPENAI_API_KEY=" + tt.key, "OPENAI_BASE_URL=" + tt.server}
			file := filepath.Join(dir, "a.runbook.md")
			if err := os.WriteFile(file, []byte("## 1. Say\n```sh\necho \"the a-long-count of it\"\n```\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, view := range []string{"--headless", "--json"} {
				stdout, stderr, status := runProcess(t, dir, env, append([]string{"run", file, view, "--trust"}, tt.flags...)...)
				if strings.Contains(stdout, tt.key) == tt.masked || strings.Contains(stdout, "•••") != tt.masked || status != 0 {
					t.Errorf("%s", stdout)
				}
				if warned := strings.Contains(stderr, "the secret OPENAI_API_KEY is shorter than 8 characters"); warned != tt.warned {
					t.Errorf("told %q", stderr)
				}
			}
		})
	}
}
