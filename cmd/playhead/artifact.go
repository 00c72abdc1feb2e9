package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// artifactOptions are the flags that say where the final output is saved.
type artifactOptions struct {
	artifact string
	force    bool
}

func (o *artifactOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.artifact, "artifact", "", "save the final output of a completed run in this FILE, or in a FOLDER/ under its title")
	f.BoolVar(&o.force, "force", false, "let --artifact replace a FILE that exists")
}

// saver saves the final output where the flags say. nil saves nothing.
type saver struct {
	artifactOptions
	note func(string, ...any)
}

// saver refuses what cannot be saved to, before anything runs.
func (a *app) saver(o artifactOptions) (*saver, error) {
	if o.artifact == "" {
		if o.force {
			return nil, usageError("--force needs --artifact")
		}
		return nil, nil
	}
	s := &saver{o, a.note}
	if outfile.IsFolder(o.artifact) {
		return s, nil
	}
	if err := checkFolderOf("artifact", o.artifact); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(o.artifact); err == nil && !(o.force && info.Mode().IsRegular()) {
		return nil, usageError("--artifact %s exists: use --force to replace it, or give another name", o.artifact)
	}
	return s, nil
}

// checkFolderOf refuses a file that a flag names in a folder that is not there.
func checkFolderOf(flag, file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usageError("--%s %s: there is no folder %s: make it first, or name another", flag, file, dir)
	}
	return nil
}

// save saves the final output of a run, and says where.
func (s *saver) save(p *plan.Plan, id string, events []machine.Event) error {
	if s == nil {
		return nil
	}
	said, err := runs.SaveFinal(p, id, events, s.artifact, s.force)
	if err == nil {
		s.note("%s", said)
	}
	return err
}

// saveLate saves the final output of a run that is over.
func (a *app) saveLate(s *saver, c engine.Config) error {
	p, _, err := setup.LoadCopy(c.Run.Folder, c.History)
	if err != nil {
		return err
	}
	return s.save(p, c.Run.ID(), c.History)
}
