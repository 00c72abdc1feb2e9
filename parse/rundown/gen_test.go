package rundown

import (
	"fmt"
	"strings"
)

// typical returns a runbook of about size bytes with the proportions of real ones: 21 bytes per line, 256 per heading,
// and every kind of step. It has no diagnostics.
func typical(size int) []byte {
	var b strings.Builder
	b.WriteString("---\nname: typical\nversion: 1.0\ntags: [generated]\n---\n# A typical runbook\nWhat a team runs on release day.\n\n")
	for n := 1; b.Len() < size; n++ {
		for _, line := range typicalSteps[n%len(typicalSteps)] {
			b.WriteString(strings.ReplaceAll(line, "@", fmt.Sprint(n)) + "\n")
		}
	}
	b.WriteString("## Repair\nPut things back.\n- PASS: COMPLETE \"repaired\"\n- FAIL: STOP\n")
	return []byte(b.String())
}

var typicalSteps = [][]string{{
	"## @. Hand over part @", "",
	"The owner of the part takes it from here. If nobody answers within the hour,",
	"call the person on duty; the list hangs beside the door.", "",
	"```prompt",
	"Ask the owner of part @ to take it, and wait for the answer.",
	"Write it down in the log of the release.",
	"```", "",
	"- PASS: CONTINUE",
	"- FAIL: GOTO Repair", "",
}, {
	"## @. Build part @", "",
	"Run the *whole* build from a clean tree; see [the notes](https://example.com/@).",
	"It has to be the branch that was tagged this morning:", "",
	"- it takes about `ten` minutes",
	"- watch the log for warnings, they count", "",
	"```bash",
	"set -e",
	"git fetch --tags origin",
	"git checkout release-@",
	"make clean part-@ OUT=build/part-@",
	"make check-@ 2>&1 | tee build/check-@.log",
	"```", "",
	"- PASS: CONTINUE",
	"- FAIL: RETRY 2 GOTO Repair", "",
}, {
	"## @. Verify part @",
	"- PASS ALL: CONTINUE",
	"- FAIL ANY: STOP \"part @ is broken\"", "",
	"Both of these have to hold before anything is announced.", "",
	"### @.1 Unit tests", "",
	"They need the database of the build, so leave it running.", "",
	"```sh",
	"go test -count=1 ./part@/...",
	"go vet ./part@/...",
	"```", "",
	"### @.2 Smoke test (qa)", "",
	"Open the page of part @ and look whether the prices are those of today.",
	"Compare three of them with the list.", "",
	"- YES: CONTINUE",
	"- NO: RETRY 1 STOP", "",
}, {
	"## @. Announce part @", "",
	"> Keep it short, and say what changed for the people who use it.", "",
	"1. Write to the channel of the release.",
	"2. Wait for an answer:",
	"   - from operations",
	"   - from support", "",
	"The entry for the status page looks like this:", "",
	"```json",
	"{\"part\": @, \"state\": \"built\", \"since\": \"today\"}",
	"```", "",
}}
