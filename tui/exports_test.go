package tui

import (
	"errors"
	"io/fs"
	"testing"

	"playhead/engine/runs"
	"playhead/tui/typeahead"
)

// TestExport: a person chooses the kind of export and the file, and the screen says where it was saved. This works
// during the run too, but a scenario needs a run that is over.
func TestExport(t *testing.T) {
	var wrote []string
	there := map[string]bool{"taken.html": true}
	sc := open(t, load(t, "a.runbook.md", "# A\n## 1. One\n## 2. Two\n"), 80, 24, func(c *Config) {
		write := func(path string, over bool) (string, error) {
			if there[path] && !over {
				return path, fs.ErrExist
			}
			wrote = append(wrote, path)
			return path, nil
		}
		c.RunExports = []runs.Export{
			{Name: "HTML report", Description: "one page", SuggestName: func() string { return "taken.html" }, Write: write},
			{Name: "scenario", Description: "a test", NeedsEndedRun: true, SuggestName: func() string { return "a.scenarios.yaml" }, Write: write},
		}
	})
	sc.press("x")
	sc.want("Export what?", "HTML report  one page", "scenario")
	sc.press("2")
	sc.want("The scenario can be saved only when the run is over")
	sc.press("x", "enter")
	sc.want("Save the HTML report as", "taken.html")
	sc.press("enter")
	sc.want("taken.html exists. Replace it with")
	sc.press("n", "x", "1", "enter", "y")
	sc.want("Saved as taken.html.")
	sc.press("p")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("p", "esc", "x", "2", "enter")
	sc.want("Saved as a.scenarios.yaml.")
	if len(wrote) != 2 {
		t.Errorf("written: %v", wrote)
	}
}

// TestExportThatFails: if a file cannot be written, the dialog stays open with the name of the file and shows the error
// below it.
func TestExportThatFails(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n## 1. One\n"), 80, 24, func(c *Config) {
		c.RunExports = []runs.Export{{Name: "report", SuggestName: func() string { return "none/a.md" }, Write: func(path string, _ bool) (string, error) {
			if path == "none/a.md" {
				return path, errors.New("there is no folder none")
			}
			return path, nil
		}}}
	})
	sc.press("x", "enter", "enter")
	sc.want("Save the report as", "none/a.md", "There is no folder none.")
	sc.press("x", "enter")
	sc.want("Saved as none/a.mdx.")
}
