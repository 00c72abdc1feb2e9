package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/creack/pty"

	"playhead/tui/keymap"
)

// A deed tries one action in the running program: the keys to type, and the text that the screen shows only afterwards.
type deed struct {
	action string // its name; "-": the action is refused; empty: only leads to the next deed
	keys   string // what is typed
	shows  string // a text on the screen; with ! in front: a text that disappears
}

// A scene starts the program and tries actions in it.
type scene struct {
	args   []string // $RUN is a finished run, $SERVER the URL of a model server
	first  string   // a text on each line: the screen shows all of them before the first deed
	deeds  []deed
	status int
}

const stage = `# Stage

Goes **along** all that can be done.

## 1. Count
` + "```sh\nseq 1 90; echo needle one; echo needle two\n```" + `
## 2. Both
- PASS ALL: CONTINUE
- FAIL ANY: STOP
### 2.1 Within
- b.runbook.md
### 2.2 Rest
` + "```sh\necho rested\n```" + `
## 3. Ask
` + "```sh\nprintf 'name? '; read n; echo \"hello $n\"\n```" + `
## 4. Sure?
- YES: COMPLETE "sure enough"
- NO: STOP
`

const talk = "# Talk\n\n## STEP 1: Rate\n\nHow bad?\n\n@output(level)\n\n" +
	"```if level == \"low\"```\n\n### STEP 1a: Wait\n\nSay wait.\n\n```else```\n\n### STEP 1b: Wake\n\nSay wake.\n\n```endif```\n"

// scenes try every action when it can do something, and when it refuses.
var scenes = map[string]scene{
	"a document with errors": {[]string{"bad.runbook.md", "--no-color"}, "cannot run", []deed{
		{"-continue", "c", "The document has errors, so it cannot run."},
		{"-over", "n", "The document has errors, so it cannot run."},
		{"-into", "i", "The document has errors, so it cannot run."},
		{"-out", "o", "The document has errors, so it cannot run."},
		{"-pause", " ", "The document has errors, so it cannot run."},
		{"-run-to", ".", "The document has errors, so it cannot run."},
		{"-take-control", "R", "You already control the run."},
		{"-shell", "!", "The document has errors, so it cannot run."},
		{"-slower", "<", "Speed applies to replays only"},
		{"-faster", ">", "Speed applies to replays only"},
		{"-answer", "a", "No question is open."},
		{"-pass", "p", "The document has errors, so it cannot run."},
		{"-fail", "f", "The document has errors, so it cannot run."},
		{"-pass-note", "P", "The document has errors, so it cannot run."},
		{"-fail-note", "F", "The document has errors, so it cannot run."},
		{"-rerun", "r", "The document has errors, so it cannot run."},
		{"-skip", "s", "The document has errors, so it cannot run."},
		{"-undo", "u", "The document has errors, so it cannot run."},
		{"-redo", "U", "The document has errors, so it cannot run."},
		{"-jump", "J", "The document has errors, so it cannot run."},
		{"-approvals", "Y", "No model in this document may call tools."},
		{"-fork", "K", "The run has not started"},
		{"-source", "S", "No step of this document asks a model."},
		{"-manual-reply", "H", "No step of this document asks a model."},
		{"-now", "N", "No call is waiting to be retried."},
		{"-reasoning", "I", "No reasoning was recorded here"},
		{"-next-match", "]", "You have not searched yet"},
		{"-previous-match", "[", "You have not searched yet"},
		{"-next-call", "}", "This step has no other reply, call or command"},
		{"-previous-call", "{", "This step has no other reply, call or command"},
		{"-summary", "A", "The run is not over"},
		{"-edit", "e", "The run has not started"},
		{"-change-steps", "+", "The document has errors, so it cannot run."},
		{"-reload", "\x12", "The document's files have no change"},
		{"-write-back", "D", "The run has not started"},
		{"-what-if", "w", "The run has not started"},
		{"-files", "Z", "The document has errors, so it cannot run."},
		{"-compare", "d", "The run has not started"},
		{"-break", "b", "No step is selected"},
		{"-map", "m", "This document has no steps."},
		{"-coverage", "C", "This document has no explicit routes, so there are none to count."},
		{"-export", "x", "The run has not started"},
		{"-theme", "\x14", "Colours are off."},
		{"-go-to", "'", "This document has no steps."},
		{"-copy", "1y", "This pane is empty"},
		{"-outside", "E", "This pane is empty"},
		{"-type", "3\r", "No command is running here"},
		{"quit", "q", "!STEPS"},
	}, exitUsage},
	"a playbook that writes a file": {[]string{"writes.playbook.md", "--trust", "--replies", "writes.replies.yaml"}, "✓ completed", []deed{
		{"files", "Z", "├ note.txt"},
		{"", "\x1b", "!├ note.txt"},
	}, 0},
	"a runbook, step by step": {[]string{"a.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"help", "?", "move up one line"},
		{"", "\x1b", "!move up one line"},
		{"theme", "\x14", "Which theme?"},
		{"", "\x1b", "!Which theme?"},
		{"raw", "M", "**along**"},
		{"", "M", "!**along**"},
		{"over", "n", "includes b.runbook.md"},
		{"shell", "!", "in a shell"},
		{"", "\r", "STEPS"},
		{"up", "kk", "$ seq 1 90"},
		{"down", "jj", "includes b.runbook.md"},
		{"first", "g", "$ seq 1 90"},

		{"last", "G", "!$ seq 1 90"},
		{"left", "gjh", "▸ 2 Both"},
		{"right", "l", "▾ 2 Both"},
		{"open", "\r", "▸ 2 Both"},
		{"", "\rg", "▾ 2 Both"},
		{"output", "3", "/ find"},
		{"page-up", "\x1b[5~", "!│ needle one "},
		{"page-down", "\x1b[6~", "│ needle one "},
		{"", "g", "!│ needle one "},
		{"find", "/0\r", "/0 1 of 9"},
		{"next-match", "]", "/0 2 of 9"},
		{"previous-match", "[", "/0 1 of 9"},
		{"", "\x1b", "!/0 "},
		{"wrap", "Wl", "Lines are wrapped. Press W to stop"},
		{"zoom", "z", "!STEPS"},
		{"", "z", "STEPS"},
		{"steps", "1", "!/ find"},
		{"next-pane", "\t\t", "/ find"},
		{"previous-pane", "\x1b[Z", "!/ find"},
		{"", "3", "/ find"},
		{"text", "2", "!/ find"},
		{"why", "4", "!M raw"},
		{"values", "v", "VALUES"},
		{"timeline", "t", "TIMELINE"},
		{"-rewind", "\r", "This is the newest event"},
		{"back", "1\x1b", "includes b.runbook.md"},
		{"-jump", "J", "The run is already at this step."},
		{"break", "1gjjjjb", "before each attempt of step 2.2"},
		{"breaks", "B", "BREAKPOINTS"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"into", "i", "▶       ○ 1 Inner"},
		{"out", "o", "▶●  ○ 2.2 Rest"},
		{"map", "m", "MAP"},
		{"", "\x1b", "!MAP"},
		{"document", "L", "DOCUMENT"},
		{"", "\x1b", "!DOCUMENT"},
		{"change-steps", "+", "insert a step before…"},
		{"", "\x1b", "!insert a step before…"},
		{"reload", "\x12", "The document's files have no change that affects the run."},
		{"coverage", "C", "untaken"},
		{"edit", "e", "Edit step 2.2"},
		{"", "\x7f\x7fing\x13", "edited for this run"},
		{"write-back", "D", "+echo resting"},
		{"", "n", "!+echo resting"},
		{"run-to", "j.", "▶ ○ 3 Ask"},
		{"continue", "c", "│ name?"},
		{"interrupt", "\x03", "What now?"},
		{"", "\x1b", "The run is waiting."},
		{"", "r", "2 of 2"},
		{"pause", " ", "The run pauses before the next step"},
		{"-over", "n", "Press space to pause"},
		{"", "c", "!pausing"},
		{"-continue", "c", "The run is already running."},
		{"type", "3\r", "to end typing"},
		{"", "\x1d", "!to end typing"},
		{"", "q", "Quit?"},
		{"quit", "y", "resume with: playhead resume"},
	}, exitInterrupted},
	"inputs": {[]string{"example:triage", "--trust", "--step", "--source", "recording", "--input", "service=checkout"}, "Inputs of this run", []deed{
		{"", "\r", "‖ paused"},
		{"inputs", "T", "input 1 of"},
		{"", "\x1b", "!input 1 of"},
		{"quit", "q", "resume with: playhead resume"},
	}, exitAwaiting},
	"panes and lists": {[]string{"wide.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"-inputs", "T", "This document has no inputs"},
		{"split-right", strings.Repeat("\x1b[1;5C", 12), "○ 1 A title that is longer than a narrow column"},
		{"split-left", strings.Repeat("\x1b[1;5D", 12), "!○ 1 A title that is longer than a narrow column"},
		{"hide", "-", "!STEPS"},
		{"-split-left", "\x1b[1;5D", "The steps pane is hidden"},
		{"-split-right", "\x1b[1;5C", "The steps pane is hidden"},
		{"usual-layout", "=", "STEPS"},
		{"", "z", "!STEPS"},
		{"-split-up", "\x1b[1;5A", "One pane is zoomed"},
		{"-split-down", "\x1b[1;5B", "One pane is zoomed"},
		{"-hide", "-", "One pane is zoomed"},
		{"", "z", "STEPS"},
		{"go-to", "'", "GO TO"},
		{"", "\x1b", "!GO TO"},
		{"actions", ":", "ACTIONS"},
		{"", "\x1b", "!ACTIONS"},
		{"present", "V", "You are presenting. Press V to stop presenting."},
		{"", "V", "STEPS"},
		{"", "n", "▶ ○ 2 Sure?"},
		{"", "1g", "│ 90 "},
		{"split-down", strings.Repeat("\x1b[1;5B", 8), "!│ 76 "},
		{"split-up", strings.Repeat("\x1b[1;5A", 8), "│ 76 "},
		{"copy", "y", "Copy what?"},
		{"", "\x1b", "!Copy what?"},
		{"outside", "3E", "a pager"},
		{"", "\r", "STEPS"},
		{"quit", "q", "resume with: playhead resume"},
	}, exitAwaiting},
	"before the first step": {[]string{"sure.runbook.md", "--step"}, "‖ paused", []deed{
		{"-skip", "s", "No step has run yet."},
		{"-pass", "p", "No step has run yet."},
		{"-rerun", "r", "No step has run yet."},
		{"jump", "jJ", "Jump to step 2: note"},
		{"", "\r", "▶ ○ 2 Really?"},
		{"undo", "u", "▶ ○ 1 Sure?"},
		{"redo", "U", "▶ ○ 2 Really?"},
		{"", "n", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"quit", "q", "resume with: playhead resume"},
	}, exitAwaiting},
	"questions": {[]string{"sure.runbook.md"}, "Yes or no?", []deed{
		{"", "\x1b", "The run is waiting."},
		{"answer", "a", "!The run is waiting."},
		{"", "\x1b", "The run is waiting."},
		{"what-if", "w", "WHAT IF at 1"},
		{"", "\x1b", "!WHAT IF"},
		{"pass", "p", "▶ ? 2 Really?"},
		{"", "\x1b", "The run is waiting."},
		{"undo", "u", "▶ ? 1 Sure?"},
		{"", "\x1b", "The run is waiting."},
		{"redo", "U", "▶ ? 2 Really?"},
		{"", "\x1b", "The run is waiting."},
		{"-jump", "J", "The run is already at this step."},
		{"fork", "K", "Fork the run at step"},
		{"", "y", "Forked: run"},
		{"compare", "d", "Compare with which run?"},
		{"", "\x1b", "!Compare with"},
		{"pass-note", "P", `Answer "yes" for step 2, with a note`},
		{"", "\x1b", "!with a note"},
		{"fail-note", "F", `Answer "no" for step 2, with a note`},
		{"", "\x1b", "!with a note"},
		{"timeline", "t", "TIMELINE"},
		{"rewind", "4kkkkkk\r", "Rewind to this event?"},
		{"", "y", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"skip", "s", "Skip step 1: note"},
		{"", "\r", "▶ ○ 2 Really?"},
		{"jump", "1gJ", "Jump to step 1: note"},
		{"", "\r", "▶ – 1 Sure?"},
		{"", "c", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"rerun", "r", "Run step 1 again?"},
		{"", "n", "!Run step 1 again?"},
		{"fail", "f", "path   1 ×2"},
		{"", "\x1b", "!path   1 ×2"},
		{"summary", "A", "path   1 ×2"},
		{"export", "x", "Export what?"},
		{"", "\x1b", "!Export what?"},
		{"-skip", "s", "The run is over, so there is no step to skip."},
		{"-end-leftovers", "X", "There are no leftover processes."},
		{"quit", "q", "stopped · run"},
	}, exitFailed},
	"a daemon": {[]string{"daemon.runbook.md", "--trust"}, "still running", []deed{
		{"end-leftovers", "X", "End leftover processes?"},
		{"", "y", "Ended: s"},
		{"quit", "q", "completed · run"},
	}, exitOK},
	"a model that thinks": {[]string{"talk.playbook.md", "--step", "--base-url", "$SERVER/v1", "--model", "m"}, "‖ paused", []deed{
		{"", "n", "retry 1 of"},
		{"now", "N", "▶     ○ 1b Wake"},
		{"reasoning", "gI", "a long thought"},
		{"", "\x1b", "!a long thought"},
		{"what-if", "w", "WHAT IF"},
		{"", "\x1b", "!WHAT IF"},
		{"manual-reply", "H", "You will write the next reply."},
		{"source", "S", "Where do replies come from?"},
		{"", "\x1b", "!Where do replies"},
		{"quit", "q", "resume with: playhead resume"},
	}, exitAwaiting},
	"a model that calls tools": {[]string{"example:handover", "--input", "FOLDER=.", "--step"}, "Where do replies come from?", []deed{
		{"", "\r", "‖ paused"},
		{"", "n", "✓ 1 Take"},
		{"approvals", "Y", "When do a model's tool calls need"},
		{"", "\x1b", "!When do a model's tool calls need"},
		{"previous-call", "gj{", "[FILE] rotate.sh"},
		{"next-call", "}", "FIRST_FILE = README.md"},
		{"fail", "f", "1 Take stock failed, overridden"},
		{"", "\x1b", "!1 Take stock failed, overridden"},
		{"undo", "u", "‖ paused"},
		{"quit", "q", "resume with: playhead resume"},
	}, exitAwaiting},
	"a replay": {[]string{"replay", "$RUN", "--paused", "--speed", "4"}, "‖ replay 4×", []deed{
		{"-pass", "p", "This is a replay: nothing is executed"},
		{"slower", "<", "‖ replay 2×"},
		{"faster", ">", "‖ replay 4×"},
		{"suspend", "\x1a", "!Replay speed: 4×."},
	}, 0},
}

// always lists the actions that are never refused.
var always = []string{
	"up", "down", "page-up", "page-down", "first", "last", "left", "right", "next-pane", "previous-pane",
	"steps", "text", "output", "why", "open", "back", "breaks", "interrupt", "values", "timeline", "zoom", "wrap", "raw", "help", "quit",
	"find", "document", "usual-layout", "present", "actions", "suspend",
}

// TestActions tries every action of the key table in the running program: it does its work, or the screen says why it
// cannot.
func TestActions(t *testing.T) {
	t.Parallel()
	shell, _ := noting(t, t.TempDir())
	env := append(shell, `PAGER=page() { echo a pager; read line; }; page`)
	server := thinker(t)
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "a daemon" && runtime.GOOS != "linux" {
				t.Skip("orphans are not found here")
			}
			dir := theatre(t)
			args := slices.Clone(s.args)
			for i, arg := range args {
				args[i] = os.Expand(arg, func(name string) string {
					if name == "SERVER" {
						return server
					}
					return recorded(t, dir, "sure.runbook.md", "--answer", "1=yes", "--answer", "2=yes")
				})
			}
			start := openWith
			if strings.HasPrefix(name, "a model") || name == "a replay" { // these scenes have the most concurrency
				start = openRace
			}
			s.play(t, start(t, pty.Winsize{Rows: 30, Cols: 120}, dir, env, args...))
		})
	}
}

// TestScenesCoverAllActions: every action has a scene in which it works, and one in which it is refused if it can be.
func TestScenesCoverAllActions(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for _, s := range scenes {
		for _, d := range s.deeds {
			tried[d.action] = true
		}
	}
	for _, a := range (keymap.Map{}).HelpEntries() {
		if a.Group == keymap.DialogGroup { // tests in tui cover the keys of dialogs
			continue
		}
		if !tried[a.Action] && a.Action != "take-control" { // it takes two screens: see TestAttach
			t.Errorf("%s: no scene shows what it does", a.Action)
		}
		if !tried["-"+a.Action] && !slices.Contains(always, a.Action) {
			t.Errorf("%s: no scene shows it refused, and it is not in the list of actions that are never refused", a.Action)
		}
	}
}

// play types the keys of a scene and waits for the texts that they lead to.
func (s scene) play(t *testing.T, x *terminal) {
	for text := range strings.SplitSeq(s.first, "\n") {
		x.sees(text)
	}
	said := ""
	for _, d := range s.deeds {
		t.Logf("%s %q: %q", d.action, d.keys, d.shows)
		if d.shows == said { // two keys have the same refusal: a key without a meaning clears the first one
			x.types(meaningless)
		}
		said = d.shows
		text, gone := strings.CutPrefix(d.shows, "!")
		before, after := x.loses, x.sees
		if gone {
			before, after = x.sees, x.loses
		}
		if d.keys != "" { // else the deed only waits
			before(text) // the effect of an earlier deed may still be on its way
			x.types(d.keys)
		}
		after(text)
	}
	if n := len(s.deeds); n > 0 && s.deeds[n-1].action == "quit" {
		x.ends(s.status)
	}
}

// theatre returns a folder with the documents of all scenes.
func theatre(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.runbook.md":        stage,
		"b.runbook.md":        "## 1. Inner\n```sh\necho inside\n```\n## 2. Other\n```sh\necho other\n```\n",
		"sure.runbook.md":     "# Twice\n\n## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n## 2. Really?\n- YES: COMPLETE\n- NO: STOP\n",
		"wide.runbook.md":     "## 1. A title that is longer than a narrow column\n```sh\nseq 1 90\n```\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n",
		"bad.runbook.md":      "# Nothing to do\n\nNot yet.\n",
		"talk.playbook.md":    talk,
		"writes.playbook.md":  "# Write\n\n## STEP 1: Write it\n\nWrite.\n\n@tool(local, Write, {\"file_path\": \"note.txt\", \"content\": \"written\"})\n",
		"writes.replies.yaml": "\"1\": done\n",
		"daemon.runbook.md":   "## 1. Start\n```sh\n(setsid sh -c 'echo up; exec sleep 99 >/dev/null 2>&1 </dev/null' &) | grep -q up\n```\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// thinker starts a model server that answers its first call with "retry after 20 s", and sends reasoning before it
// replies. It returns the server's URL.
func thinker(t *testing.T) string {
	var calls atomic.Int32
	server := httptest.NewServer(unlisted(func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"a long thought\"}}]}\n\n")
		wholly(w, "high")
	}))
	t.Cleanup(server.Close)
	return server.URL
}
