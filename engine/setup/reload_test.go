package setup

import (
	"os"
	"path/filepath"
	"testing"

	"playhead/engine/match"
	"playhead/parse/plan"
)

// TestUnchangedVersion: the saved files and the run's copies of them match the loaded document, whatever path the
// person wrote.
func TestUnchangedVersion(t *testing.T) {
	for name, c := range map[string]struct{ dir, path string }{
		"folder":                 {"", "changelog"},
		"current folder":         {"changelog", "."},
		"parent folder":          {"changelog/prompts", ".."},
		"trailing slash":         {"", "changelog/"},
		"trailing dot":           {"", "changelog/."},
		"other folder":           {"empty", "../changelog"},
		"file":                   {"changelog", "steps_registry.json"},
		"absolute":               {"", "/changelog"},
		"agent of a project":     {"", ".agent/changelog"},
		"agent as folder":        {".agent/changelog", "."},
		"document beside prompt": {"empty", "../a.playbook.md"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Dir(document(t, "a.playbook.md", "# A\n\n## STEP 1: Say\n\n@prompt(file:say.md)\n"))
			write := func(name, text string) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("say.md", "Say hello.\n")
			write("empty/x", "")
			for _, dir := range []string{"changelog", ".agent/changelog"} {
				if err := os.CopyFS(filepath.Join(root, dir), os.DirFS("../../examples/changelog")); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.CopyFS(filepath.Join(root, "prompts"), os.DirFS("../../examples/changelog/prompts")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join(root, c.dir))
			path := c.path
			if filepath.IsAbs(path) {
				path = filepath.Join(root, path)
			}

			run, err := New(newOptions(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer run.Close()
			if _, err := run.Begin(); err != nil {
				t.Fatal(err)
			}
			loader := run.newVersionLoader()
			saved, err := loader.LoadSaved()
			if err != nil {
				t.Fatal(err)
			}
			copied, _, err := loadRunCopy(run.Config.Run.Folder, loader.started, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, p := range map[string]*plan.Plan{"saved files": saved.Plan, "copies": copied} {
				if changes := match.Documents(run.CurrentPlan, p, loader.ReplaceCopyPaths).Summary(); changes != "" {
					t.Errorf("the %s differ: %s", name, changes)
				}
				for i, f := range p.SourceFiles() {
					if got, want := loader.ReplaceCopyPaths(f.Path), run.CurrentPlan.SourceFiles()[i].Path; got != want {
						t.Errorf("the %s: %s, want %s", name, got, want)
					}
				}
			}
		})
	}
}
