package tui

import (
	"testing"
	"time"

	"playhead/parse/plan"
)

// openWithFailedAssertions returns the screen of a run that asks about a report: one of four assertions failed, and one
// was not checked.
func openWithFailedAssertions(t testing.TB, w, h int) *testScreen {
	t.Helper()
	doc := reportDoc + "- there is more than one archive, the oldest of which is at least four weeks old\n- it is readable\n- its name is a date\n"
	sc := open(t, backup(doc), w, h)
	report := `{"step_number":0,"status":"passed","output_variables":{"ARCHIVE":7},"assertion_results":[` +
		`{"assertion":"it is younger than 24 hours","passed":true,"detail":"2 hours"},` +
		`{"assertion":"there is more than one archive, the oldest of which is at least four weeks old","passed":false,` +
		`"detail":"there are 3, but the oldest is of last Tuesday,\n\u001b[2Jso that nothing goes back further than six days"},` +
		`{"assertion":"its name is a date","passed":true}]}`
	sc.endCall(2*time.Second, plan.Product{Text: "Done.", ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: report}}})
	return sc
}

// TestChecks: the question about a report and WHY list the failed assertions first, also after the step is over.
func TestChecks(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openWithFailedAssertions(t, w, h) })
}

func TestChecksInWhy(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openWithFailedAssertions(t, w, h)
		sc.press("esc", "4")
		return sc
	})
}

// TestWhatIfRejected: the row of an answer does not repeat the reason of the outcome, which the forecast shows whole.
func TestWhatIfRejected(t *testing.T) {
	sc := openWithFailedAssertions(t, 120, 40)
	sc.press("w", "2")
	sc.want("▌ 2 answer: reject  → the run fails  ", "back further than six days")
}

func TestChecksAfterTheAnswer(t *testing.T) {
	sc := openWithFailedAssertions(t, 120, 40)
	sc.press("p")
	sc.want("enter use these → completed")
	sc.press("enter", "esc", "4")
	sc.want("▌━▸ pass → completed (default)", "✗ there is more than one archive", "△ it is readable · nobody verified it")
	sc.press("pgdown")
	sc.want("✓ it is younger than 24 hours · 2 hours", "fail → the run fails (default)")
	sc = openWithFailedAssertions(t, 100, 30)
	sc.press("esc")
	sc.want("WHY 1", "△ it is readable · nobody verified it", "✓ its name is a date")
	sc = openWithFailedAssertions(t, 80, 24)
	sc.press("esc")
	sc.want("why: 1 failed, 1 unverified of 4 checks · not …")
	sc = openWithFailedAssertions(t, 100, 30)
	sc.press("p", "enter", "esc", "2", "z") // zoomed, so that WHY, which lists the warnings too, is hidden
	sc.want("△ list was not called")
}
