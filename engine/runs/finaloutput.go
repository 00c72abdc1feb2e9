package runs

import (
	"fmt"
	"os"
	"path/filepath"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// FinalOutputFile is where the final output of a run is saved. The zero value saves nothing.
type FinalOutputFile struct {
	Path            string // a file, or a folder in which the file is named after the document's title; empty: nothing is saved
	ReplaceExisting bool   // Path may be a file that exists
}

// Check returns an error if the final output cannot be saved. It is called before anything runs.
func (f FinalOutputFile) Check() error {
	switch {
	case f.Path == "" && f.ReplaceExisting:
		return setup.Errorf("--force needs --artifact")
	case f.Path == "" || outfile.IsFolderPath(f.Path):
		return nil
	}
	if err := CheckFolderOf("artifact", f.Path); err != nil {
		return err
	}
	switch info, err := os.Lstat(f.Path); {
	case err != nil:
	case !info.Mode().IsRegular():
		return setup.Errorf("--artifact %s exists and is not a regular file: give another name", f.Path)
	case !f.ReplaceExisting:
		return setup.Errorf("--artifact %s exists: use --force to replace it, or give another name", f.Path)
	}
	return nil
}

// CheckFolderOf returns an error if the folder of a file does not exist. flag is the name of the flag that names the
// file, for the error.
func CheckFolderOf(flag, file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return setup.Errorf("--%s %s: there is no folder %s: create it first, or name another", flag, file, dir)
	}
	return nil
}

// Save saves the final output of a run, and returns a sentence that says where. If that fails, the
// run's journal still has the output.
func (f FinalOutputFile) Save(p *plan.Plan, id string, events []machine.Event) (text string, err error) {
	if f.Path == "" {
		return "", nil
	}
	t := track.New(p)
	t.Fold(events...)
	final, ok := t.FinalArtifact()
	if !ok {
		return "nothing was saved in " + f.Path + ": the run has no final output", nil
	}
	file, err := final.SaveToFileOrFolder(f.Path, p.Title, f.ReplaceExisting)
	if err != nil {
		return "", fmt.Errorf("%w; the run keeps the output: to save it, use playhead resume %s --artifact FILE", err, id)
	}
	return fmt.Sprintf("the final output (%s, from step %s) is saved in %s", final.Type, final.StepLabel, file), nil
}
