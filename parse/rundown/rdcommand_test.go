package rundown

import (
	"strings"
	"testing"
)

func TestRD(t *testing.T) {
	for _, c := range []struct {
		args, attempt, out string
		status             int
	}{
		{"echo", "0", "\n", 0},
		{"echo npm run --production x", "0", "npm run --production x\n", 0},
		{"echo --result fail a", "0", "a\n", 1},
		{"echo a -r fail b --result=pass", "0", "a b\n", 1},
		{"echo a -r fail b --result=pass", "1", "a b\n", 0},
		{"echo -r pass -r fail", "7", "\n", 1},
		{"echo -r fail", "", "\n", 1},
		{"prompt look at this", "0", "```prompt\nlook at this\n```\n", 0},
		{"echo --result maybe", "0", "", 2},
		{"dance", "0", "", 2},
		{"", "0", "", 2},
	} {
		var out, errs strings.Builder
		status := RunRD(strings.Fields(c.args), c.attempt, &out, &errs)
		if status != c.status || out.String() != c.out {
			t.Errorf("rd %s: %d %q", c.args, status, out.String())
		}
		if status == 2 && !(strings.Contains(errs.String(), "rd echo") && strings.Contains(errs.String(), "rd prompt")) {
			t.Errorf("rd %s: %q does not name the commands", c.args, errs.String())
		}
	}
}
