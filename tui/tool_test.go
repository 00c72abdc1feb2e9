package tui

import (
	"strings"
	"testing"

	"playhead/engine/model"
	"playhead/parse/plan"
)

const toolDoc = "# Weather\n\n## STEP 1: Ask\n@tool(\"Weather Desk\", forecast, {\"city\": \"Oslo\", \"days\": [1, 2]})\n@output(found)\n\n" +
	"## STEP 2: Say\nSay {{found}}.\n"

// openDuringToolCall returns the screen of a run while a tool is called.
func openDuringToolCall(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, playbookOf(t, "weather.playbook.md", toolDoc), w, h)
	sc.s.status.Notice = &model.Notice{Text: "Starting the tool server Weather Desk\x1b[2J."}
	sc.send(sc.s.Take())
	return sc
}

// openAfterToolCall returns the screen of that run with the tool's result.
func openAfterToolCall(t testing.TB, w, h int, text string) *testScreen {
	t.Helper()
	sc := openDuringToolCall(t, w, h)
	sc.s.manual = true
	sc.s.print(text)
	sc.s.end(plan.Product{Text: text})
	sc.sync()
	sc.press("esc", "1", "g")
	sc.sync()
	return sc
}

func TestToolStarting(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openDuringToolCall(t, w, h) })
}

func TestToolResult(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAfterToolCall(t, w, h, `{"city":"Oslo","days":[{"sky":"clear","high":21},{"sky":"rain","high":17}]}`)
		if w == 60 {
			sc.press("3")
		}
		return sc
	})
}

// TestToolTexts: a result in JSON is indented, and M shows it as it arrived. Another result shows as it is.
func TestToolTexts(t *testing.T) {
	sc := openAfterToolCall(t, 100, 30, `{"sky":"clear","high":21}`)
	sc.want("→ Weather Desk · forecast", `"city": "Oslo"`, `  "sky": "clear",`, "result · Weather Desk · forecast")
	sc.press("3", "M")
	sc.sync()
	sc.want(`{"sky":"clear","high":21}`)
	sc = openAfterToolCall(t, 100, 30, "a | b\n  *no* Markdown\x1b[31m\n{half")
	sc.want("a | b", "  *no* Markdown", "{half")
}

// TestToolFails: the error of a tool call shows in the summary, else in the place of the result.
func TestToolFails(t *testing.T) {
	sc := openDuringToolCall(t, 100, 30)
	sc.want(`Starting the tool server Weather Desk\x1b[2J.`, "Press ctrl+c to")
	sc.s.end(plan.Product{Err: "the server is gone\x1b[2J"})
	sc.sync()
	sc.press("g")
	sc.want(`1 Ask failed: the server is gone\x1b[2J`, "There is no result.")
	if n := strings.Count(sc.frame(), "the server is gone"); n != 1 {
		t.Errorf("the cause shows %d times", n)
	}
	sc.press("esc", "v") // show the values instead of the summary and WHY
	sc.want(`There is no result: the server is gone\x1b[2J`)
}
