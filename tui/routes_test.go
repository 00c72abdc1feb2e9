package tui

import "testing"

func TestWhyIsNotCut(t *testing.T) {
	sc := waiting(t, 80, 24)
	sc.press("esc", "g", "j", "j", "4")
	sc.want("WHY 1.2", "▌▸ PASS: CONTINUE           pass → step 1 decides", "▌  (default)", "FAIL: FAIL ANY of step   not evaluated", "1 (default)")
	sc.wantNot("side of", "…  no")
}
