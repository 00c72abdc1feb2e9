package tui

import "testing"

func TestWhyIsNotCut(t *testing.T) {
	sc := waiting(t, 80, 24)
	sc.press("esc", "g", "j", "j", "4")
	sc.want("WHY 1.2", "▌━▸ PASS → 1 decides (default)  pass", "FAIL → 1 decides (default)", "not evaluated")
	sc.wantNot("side of", "…  no")
}
