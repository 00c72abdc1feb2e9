package tui

import "testing"

func TestWhyIsNotCut(t *testing.T) {
	sc := openAtQuestion(t, 80, 24)
	sc.press("esc", "g", "j", "j", "4")
	sc.want("WHY 1.2", "▌━▸ PASS → end of group 1 (default)  pass", "FAIL → end of group 1 (default)", "not evaluated")
	sc.wantNot("side of", "…  no")
}
