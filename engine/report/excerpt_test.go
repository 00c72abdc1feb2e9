package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/testscale"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

// TestExcerptOfALog: the excerpt of a long log has its first and last lines, and the number of lines left out.
func TestExcerptOfALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const lines = 1_000_000 / testscale.Divisor
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "\x1b[32mline\x1b[0m %d\r\n", i)
	}
	if _, err := file.WriteString(b.String()); err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	l, err := logs.Open(logs.FileLocation{RunDir: filepath.Dir(path), Name: filepath.Base(path)})
	if err != nil {
		t.Fatal(err)
	}
	p := textBudget{maxReportBytes}
	e, err := p.logExcerpt(l)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(e.Text, "line 0\nline 1\n") || !strings.HasSuffix(e.Tail, fmt.Sprintf("\nline %d", lines-1)) {
		t.Errorf("begins %.20q, ends %q", e.Text, e.Tail[len(e.Tail)-20:])
	}
	shown := strings.Count(e.Text, "\n") + strings.Count(e.Tail, "\n") + 2
	if e.LeftOut == nil || e.LeftOut.Lines+shown != lines || len(e.Text)+len(e.Tail) > maxExcerptBytes {
		t.Errorf("%d lines shown, %v", shown, e.LeftOut)
	}
}

func TestExcerptOfAText(t *testing.T) {
	p := textBudget{maxReportBytes}
	whole := p.excerptOrEmpty("\nshort\x07\n")
	if whole.Text != `short\a` || whole.LeftOut != nil {
		t.Errorf("%+v", whole)
	}
	text := strings.Repeat("0123456789日\n", 20_000)
	e := p.excerptOrEmpty(text)
	if got := len(e.Text) + len(e.Tail) + int(e.LeftOut.Bytes); got != len(text)-1 {
		t.Errorf("%d bytes of %d", got, len(text))
	}
	if !strings.HasSuffix(e.Text, "日") || !strings.HasPrefix(e.Tail, "0123") {
		t.Error("a line is divided")
	}
	for p.bytesLeft > 0 {
		p.excerptOrEmpty(text)
	}
	if e := p.excerptOrEmpty(text); len(e.Text) > minExcerptBytes {
		t.Errorf("%d bytes without a budget", len(e.Text))
	}
}

// TestExcerptsAreBounded: the size of a report is limited, even if prompts and replies are huge.
func TestExcerptsAreBounded(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	all := []machine.Event{{Seq: 1, Body: &machine.RunStarted{RunID: "7f3a"}}, {Seq: 2, Step: "1", Attempt: 1, Body: &machine.StepEntered{}}}
	for len(all) < 2000 {
		all = append(all,
			machine.Event{Seq: len(all) + 1, Step: "1", Attempt: 1, Body: &machine.ActionStarted{Kind: "model", Text: text}},
			machine.Event{Seq: len(all) + 2, Step: "1", Attempt: 1, Body: &machine.ActionFinished{Kind: "model", Output: text}})
	}
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Events: all})
	if n := len(r.Markdown()); n > 2*maxReportBytes {
		t.Errorf("%d bytes", n)
	}
}

// TestLostLog: if a log cannot be read, the report shows the part of it that the event has.
func TestLostLog(t *testing.T) {
	lost := func(machine.LogRef) (Log, error) { return nil, iotest.ErrTimeout }
	body := &machine.ActionFinished{Kind: "command", Output: "as far as it is known", Log: &machine.LogRef{File: "logs/1.log"}}
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, OpenLog: lost, Events: []machine.Event{
		{Seq: 1, Body: &machine.RunStarted{RunID: "7f3a"}},
		{Seq: 2, Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
		{Seq: 3, Step: "1", Attempt: 1, Body: body},
	}})
	if md := string(r.Markdown()); !strings.Contains(md, body.Output) || !strings.Contains(md, Unfinished) {
		t.Error(md)
	}
}

// longLines is a log in memory.
type longLines []string

func (l longLines) Size() (int64, int) { return int64(byteLength(l)), len(l) }

func (l longLines) Lines(from, n int) ([]string, error) {
	return l[min(from, len(l)):min(from+n, len(l))], nil
}

// TestExcerptOfLongLines: if no line of a log fits into the budget, the excerpt says how much is left out.
func TestExcerptOfLongLines(t *testing.T) {
	p, line := textBudget{}, strings.Repeat("x", minExcerptBytes)
	e, err := p.logExcerpt(longLines{line, line})
	if err != nil {
		t.Fatal(err)
	}
	if want := "\n… lines left out: 2 (2,050 bytes) …\n"; e.String() != want {
		t.Errorf("%q, want %q", e.String(), want)
	}
}

// TestCandidateWithoutLine: a decision shows no line number for a route that is not written in the document.
func TestCandidateWithoutLine(t *testing.T) {
	m := &markdownWriter{}
	m.writeDecision(&Decision{Candidates: []Candidate{{Line: 4, Text: "PASS: CONTINUE"}, {Text: "FAIL: STOP", Implicit: true, IsTaken: true}}})
	if want := "| → |  | `FAIL: STOP` |  |"; !strings.Contains(m.out.String(), want) {
		t.Errorf("%s\nwant %s", m.out.String(), want)
	}
}

// TestTextOfStep: the text of a step is the document's own, because a variable may have had another value when the step ran.
func TestTextOfStep(t *testing.T) {
	p := playbook.Parse("a.playbook.md", []byte("# A\n## INPUTS\n- `who` (string): Whom\n## STEP 1: Greet\nGreet {{who}}.\n"), playbook.Options{})
	r := Build(Source{Plan: p, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a", Inputs: map[string]any{"who": "Ann"}}), at("1", "", &machine.StepEntered{}),
	)})
	if got := r.Steps[0].Text.String(); got != "Greet {{who}}." {
		t.Error(got)
	}
}
