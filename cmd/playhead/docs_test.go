package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/examples"
)

// fenced finds the blocks of a page: the fence, its info string, the content.
var fenced = regexp.MustCompile("(?ms)^(`{3,4})(markdown|yaml scenarios|yaml answers|yaml replies|yaml configuration)\n(.*?)^`{3,4}$")

// TestDocs checks the examples on the pages: runbooks have no diagnostics and their scenarios pass; answers, scenarios
// and configurations can be read.
func TestDocs(t *testing.T) {
	ownState(t)
	found := map[string]int{}
	for _, page := range []string{"README.md", "docs/rundown.md", "docs/configuration.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(string(text)) {
			found[block.info]++
			t.Run(page+" "+strings.SplitN(block.text, "\n", 2)[0], func(t *testing.T) { checkBlock(t, block) })
		}
	}
	if found["markdown"] < 8 || found["yaml scenarios"] == 0 || found["yaml answers"] == 0 || found["yaml configuration"] == 0 {
		t.Errorf("examples are not found: %v", found)
	}
}

type block struct{ info, text string }

func blocks(page string) []block {
	var out []block
	for len(page) > 0 {
		m := fenced.FindStringSubmatchIndex(page)
		if m == nil {
			break
		}
		fence, rest := page[m[2]:m[3]], page[m[6]:]
		end := strings.Index(rest, "\n"+fence+"\n")
		out = append(out, block{page[m[4]:m[5]], rest[:end+1]})
		page = rest[end+len(fence)+2:]
	}
	return out
}

func checkBlock(t *testing.T, b block) {
	switch b.info {
	case "yaml answers":
		if _, err := scenario.ReadAnswers([]byte(b.text), machine.ByFile); err != nil {
			t.Error(err)
		}
	case "yaml configuration":
		if _, problems := config.Parse([]byte(b.text)); len(problems) > 0 {
			t.Error(problems)
		}
	case "yaml scenarios":
		all, err := scenario.ParseSidecar([]byte(b.text))
		if err != nil {
			t.Error(err)
		}
		for _, s := range all {
			if s.InvalidReason != "" {
				t.Errorf("%s: %s", s.Name, s.InvalidReason)
			}
		}
	default:
		checkRunbook(t, b.text)
	}
}

func checkRunbook(t *testing.T, text string) {
	dir := t.TempDir()
	if _, err := examples.Write(dir, "release"); err != nil { // files that the examples include
		t.Fatal(err)
	}
	file := filepath.Join(dir, "example.runbook.md")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if stdout, _, _ := runApp(t, "check", file); stdout != "" {
		t.Error(stdout)
	}
	if stdout, stderr, status := runApp(t, "test", file); status != exitOK {
		t.Error(stdout, stderr)
	}
}

// TestPlaybookDocs runs the scenarios on the playbook page with the playbook there: they take all routes.
func TestPlaybookDocs(t *testing.T) {
	ownState(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "playbook.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := blocks(string(page))
	if len(all) != 3 {
		t.Fatalf("%d blocks", len(all))
	}
	if _, err := scenario.ReadReplies([]byte(all[1].text)); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	document := filepath.Join(dir, "letter.playbook.md")
	for path, text := range map[string]string{document: all[0].text, filepath.Join(dir, "letter.scenarios.yaml"): all[2].text} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if stdout, _, _ := runApp(t, "check", document); stdout != "" {
		t.Error(stdout)
	}
	stdout, stderr, status := runApp(t, "test", document)
	if status != exitOK || !strings.Contains(stdout, "routes taken: 2 of 2") {
		t.Error(stdout, stderr)
	}
}

// TestWorkflowDocs runs the workflow on its page with the replies on the page.
func TestWorkflowDocs(t *testing.T) {
	ownState(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "workflow.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := blocks(string(page))
	if len(all) != 2 {
		t.Fatalf("%d blocks", len(all))
	}
	dir := t.TempDir()
	document, replies := filepath.Join(dir, "backup.md"), filepath.Join(dir, "replies.yaml")
	for path, text := range map[string]string{document: all[0].text, replies: all[1].text} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if stdout, _, _ := runApp(t, "check", "--input", "HOST=db1", document); stdout != "" {
		t.Error(stdout)
	}
	stdout, stderr, status := runApp(t, "run", "--headless", "--input", "HOST=db1", "--replies", replies, document)
	if status != exitOK || strings.Contains(stdout, "warning") {
		t.Error(stdout, stderr)
	}
}

// agentFile finds the files of the agents on their page: the info strings of its blocks name them.
var agentFile = regexp.MustCompile("(?ms)^```(?:json|markdown) (\\S+)\n(.*?)^```$")

// TestAgentDocs writes the agents on their page as files: check has no diagnostics, and runs with replies end as the
// page says.
func TestAgentDocs(t *testing.T) {
	ownState(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "climpt.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, file := range agentFile.FindAllStringSubmatch(string(page), -1) {
		write(t, file[1], file[2])
	}
	write(t, "notes.yaml", `{initial.notes: '{"action": "next"}', continuation.notes: '{"action": "handoff"}', closure.notes: '{"action": "closing"}'}`)
	write(t, "haiku.yaml", `{s_10aa: dew, s_20bb: "the dew", s_10aa/check: '{"result": "ok"}', s_20bb/check: '{"result": "ok"}'}`)
	for _, c := range []struct {
		agent, input, todo string
		status             int
		says               string
	}{
		{"notes", "release=2", "- faster\n", exitOK, "completed at closure.notes"},
		{"notes", "release=2", "- TODO\n", exitFailed, "no-todo failed (todo-left), retry 2/2"},
		{"haiku", "topic=dew", "", exitOK, "Completed at step: Write"},
	} {
		agent := filepath.Join(".agent", c.agent)
		if stdout, stderr, status := runApp(t, "check", agent); status != exitOK || stdout != "" {
			t.Error(stdout, stderr)
		}
		write(t, "NOTES.md", c.todo)
		stdout, stderr, status := runApp(t, "run", agent, "--headless", "--trust", "--input", c.input, "--replies", c.agent+".yaml")
		if status != c.status || !strings.Contains(stdout, c.says) || strings.Contains(stdout, "warning") {
			t.Error(status, stdout, stderr)
		}
	}
}

// pipedExample finds the line that pipes printf's output into Playhead.
var pipedExample = regexp.MustCompile(`(?m)^    printf '(.*)' \| playhead (\S+) (.*)$`)

// TestPipedDocs runs the example of a pipe: the run reads each of its lines.
func TestPipedDocs(t *testing.T) {
	ownState(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "plain.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := pipedExample.FindStringSubmatch(string(page))
	if m == nil {
		t.Fatal("there is no such example")
	}
	t.Chdir(t.TempDir())
	document := "## 1. Preflight\n```sh\ntrue\n```\n## 2. Approve\nShip this build?\n- YES: COMPLETE\n- NO: STOP\n"
	if err := os.WriteFile(m[2], []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("lines", []byte(strings.ReplaceAll(m[1], `\n`, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	input, err := os.Open("lines")
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	var out, errs strings.Builder
	a := &app{stdin: input, stdout: &out, stderr: &errs}
	a.execute(t.Context(), append([]string{m[2]}, strings.Fields(m[3])...))
	for line := range strings.SplitSeq(strings.TrimSuffix(m[1], `\n`), `\n`) {
		if !strings.Contains(out.String(), "] "+line+"\n") {
			t.Errorf("%q is not read:\n%s%s", line, out.String(), errs.String())
		}
	}
}
