package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine/config"
	"playhead/engine/texts"
	"playhead/parse"
	"playhead/parse/plan"
)

// Settings are what the configuration file says.
type Settings struct {
	ConfigFile string // named by a person; empty: the usual one
	Config     config.Config
}

// Path returns where the file is, and whether somebody named it.
func (s *Settings) Path() (path string, isExplicit bool) {
	if path = cmp.Or(s.ConfigFile, os.Getenv("PLAYHEAD_CONFIG")); path != "" {
		return path, true
	}
	return filepath.Join(xdg.ConfigHome, "playhead", "config.yaml"), false
}

// Aliases are the models that a document can name, beside a usual one.
func (s *Settings) Aliases(usual string) *plan.Aliases {
	out := &plan.Aliases{Usual: usual != ""}
	for _, p := range s.Config.Models {
		out.Names = append(out.Names, p.Name)
	}
	return out
}

// ValidatorLimit sets how long validators may take, as the file says, where no flag says otherwise.
func (s *Settings) ValidatorLimit(o parse.Options) {
	if s.Config.ValidatorTimeout != nil && o.Flags[validatorTimeout] == nil {
		o.Flags[validatorTimeout] = []string{s.Config.ValidatorTimeout.String()}
	}
}

// validatorTimeout is the flag for what the file calls ValidatorTimeout.
const validatorTimeout = "validator-timeout"

// Read reads the file. Without one everything is as it is by default. All that is wrong with it
// is in one error, with what check finds: that knows the keys and themes that the file may name.
func (s *Settings) Read(check func(config.Config) []config.Problem) error {
	path, isExplicit := s.Path()
	var err error
	s.Config, err = config.Load(path)
	problems := &config.Problems{Path: path}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isExplicit && !linked(path):
		return nil
	case err != nil && !errors.As(err, &problems):
		return Errorf("the configuration cannot be read: %w", err)
	}
	problems.Add(check(s.Config)...)
	if len(problems.List) > 0 {
		return Errorf("the configuration cannot be used\n%w", problems)
	}
	return nil
}

// linked reports whether there is a link of that name, be it one that leads nowhere.
func linked(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Texts are where a document's prompts get text from, tool servers left out.
func (s *Settings) Texts(path string) texts.Schemes {
	library := texts.Library(s.Config.Prompts)
	return texts.Schemes{"file": texts.Folder(filepath.Dir(path)), "library": library, "": library}
}
