package runs

import (
	"fmt"
	"os"
	"path/filepath"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// FinalOutputFile is where the final output of a run is saved. The zero value saves nothing.
type FinalOutputFile struct {
	Path            string // a file, or a folder in which the file is named after the document's title; empty: nothing is saved
	ReplaceExisting bool   // Path may be a file that exists
}

// Check returns an error if the final output cannot be saved. It is called before anything runs.
func (f FinalOutputFile) Check() error {
	return CheckOutputPath("artifact", f.Path, f.ReplaceExisting)
}

// CheckOutputPath returns an error if no file can be written at path, which is the value of a flag: its folder is
// missing, or a file exists and is not to be replaced. The path may be empty or name a folder.
func CheckOutputPath(flag, path string, replaceExisting bool) error {
	switch {
	case path == "" && replaceExisting:
		return setup.Errorf("--force needs --%s", flag)
	case path == "" || outfile.IsFolderPath(path):
		return nil
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return setup.Errorf("--%s %s: there is no folder %s: create it first, or name another", flag, path, dir)
	}
	switch info, err := os.Lstat(path); {
	case err != nil:
	case !info.Mode().IsRegular():
		return setup.Errorf("--%s %s exists and is not a regular file: give another name", flag, path)
	case !replaceExisting:
		return setup.Errorf("--%s %s exists: use --force to replace it, or give another name", flag, path)
	}
	return nil
}

// Save saves the final output of a run, and returns a sentence that says where. If that fails, the
// run's journal still has the output. firstPlan is the plan with which the run began.
func (f FinalOutputFile) Save(firstPlan *plan.Plan, id string, events []machine.Event) (text string, err error) {
	if f.Path == "" {
		return "", nil
	}
	t := track.New(firstPlan)
	t.Fold(events...)
	final, ok := t.FinalArtifact()
	if !ok {
		return "nothing was saved in " + f.Path + ": the run has no final output", nil
	}
	file, err := final.SaveToFileOrFolder(f.Path, t.Plan.Title, f.ReplaceExisting)
	if err != nil {
		return "", fmt.Errorf("%w; the run keeps the output: to save it, use playhead resume %s --artifact FILE", err, id)
	}
	return fmt.Sprintf("the final output (%s) is saved in %s", wording.FinalOutputText(final.Type, final.StepLabel), file), nil
}
