package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// letter is a document whose inputs all have defaults, and whose steps a person answers.
const letter = "# Letter\n\n## INPUTS\n\n- `tone` (string: formal): How it sounds\n- `urgent` (boolean: false): Whether it is sent today\n\n" +
	"## STEP 1: Note\n@elicit(input, \"What does the {{tone}} letter say?\")\n\n## STEP 2: Check\n@elicit(confirm, \"Urgent: {{urgent}}?\")\n"

// letterIn returns a new folder with the document letter.
func letterIn(t *testing.T) string {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "letter.playbook.md"), letter)
	return dir
}

// TestScreenInputs: a person sees and changes inputs with defaults before the first step; undo brings the answer back
// into its field.
func TestScreenInputs(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, letterIn(t), "run", "letter.playbook.md", "--step")
	x.sees("urgent = no")
	x.types("\x15plain\t")
	x.sees("input 2 of")
	x.types("y\r")
	x.sees("‖ paused")
	x.types("T")
	x.sees("urgent = yes") // the form starts with the last values
	x.types("\x1b")
	x.loses("urgent = yes")
	x.types("n")
	x.sees("What does the plain letter say?")
	x.types("Nothing.\r")
	x.sees("‖ paused")
	x.types("u")
	x.sees("Undone: answer to step 1.")
	x.sees("│ › Nothing.") // the undone answer is in the field
	x.types("\r")
	x.sees("‖ paused")
	x.types("n")
	x.sees("Urgent: true?")
	x.types("\x03\x03")
	x.ends(exitAwaiting)
}

// TestInputsBeforeTheRun: before a run, a form shows the inputs if some have only the document's default, and enter
// starts the run. The form does not show when a run is resumed or when all inputs are set.
func TestInputsBeforeTheRun(t *testing.T) {
	t.Parallel()
	size, dir := pty.Winsize{Rows: 24, Cols: 80}, letterIn(t)
	x := openIn(t, size, dir, "run", "letter.playbook.md", "--input", "tone=plain")
	x.sees("Inputs of this run")
	x.types("\r")
	x.sees("What does the plain letter say?")
	x.sees("enter answer")
	x.types("\x03\x03")
	x.ends(exitAwaiting)

	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	for _, args := range [][]string{{"resume", run}, {"run", "letter.playbook.md", "--input", "tone=plain", "--input", "urgent=false"}} {
		x := openIn(t, size, dir, args...)
		x.sees("What does the plain letter say?")
		x.sees("enter answer")
		if strings.Contains(x.text(), "Inputs of this run") {
			t.Errorf("%v asks for the inputs:\n%s", args, x.text())
		}
		x.types("\x03\x03")
		x.ends(exitAwaiting)
	}
}

// TestVariablesNothingSupplies (climpt-registry.md §13): the form before the run asks for a variable that a step of a
// registry declares and nothing supplies.
func TestVariablesNothingSupplies(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs("../../parse/climpt/registry/testdata/notes")
	if err != nil {
		t.Fatal(err)
	}
	size, dir := pty.Winsize{Rows: 24, Cols: 80}, t.TempDir()
	x := openIn(t, size, dir, "run", folder)
	x.sees("Trust this document?")
	x.types("y")
	x.sees("Inputs of this run")
	x.sees("range")
	x.types("\x03\x03")
	x.ends(exitUsage)
}

// TestScreenPaste: all lines that are pasted into an answer are sent.
func TestScreenPaste(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, letterIn(t), "run", "letter.playbook.md")
	x.sees("Inputs of this run")
	x.types("\r")
	x.sees("What does the formal letter say?")
	x.types("\x1b[200~Dear all,\r\r  come at nine.\x1b[201~")
	x.sees("›   come at nine.")
	x.types("\r")
	x.sees("Urgent: false?")
	x.types("\x03\x03")
	x.ends(exitAwaiting)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if report := program(t, x.cmd, "export", run, "--json"); !strings.Contains(report, `Dear all,\n\n  come at nine.`) {
		t.Error(report)
	}
}

// TestPlainInputs: plain mode describes the values that an input takes.
func TestPlainInputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "letter.playbook.md"), strings.Replace(letter, "- `tone`", "- `to` (enum: staff, guests): Who gets it\n- `tone`", 1))
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "run", "letter.playbook.md", "--plain")
	x.sees("to: Who gets it (one of: staff, guests)")
	x.types("2\n")
	x.sees("What does the formal letter say?")
	x.types("\x04")
	x.ends(exitAwaiting)
}
