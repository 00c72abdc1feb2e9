package tui

import "testing"

func TestWhyIsNotCut(t *testing.T) {
	sc := waiting(t, 80, 24)
	sc.press("esc", "g", "j", "j", "4")
	sc.want("WHY 1.2", "▌━▸ PASS → step 1 decides (default)  pass", "FAIL → step 1 decides (default)", "not evaluated")
	sc.wantNot("side of", "…  no")
}
