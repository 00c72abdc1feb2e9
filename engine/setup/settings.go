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

// Settings are the contents of the configuration file.
type Settings struct {
	ConfigFile string // as a person gave it; empty: the default path
	Config     config.Config
}

// Path returns the path of the file, and whether a person gave it.
func (s *Settings) Path() (path string, isExplicit bool) {
	if path = cmp.Or(s.ConfigFile, os.Getenv("PLAYHEAD_CONFIG")); path != "" {
		return path, true
	}
	return filepath.Join(xdg.ConfigHome, "playhead", "config.yaml"), false
}

// Aliases returns the models that a document can name, with usual as the default.
func (s *Settings) Aliases(usual string) *plan.Aliases {
	out := &plan.Aliases{Usual: usual != ""}
	for _, p := range s.Config.Models {
		out.Names = append(out.Names, p.Name)
	}
	return out
}

// ValidatorLimit sets the time limit of validators from the file, unless a flag sets it.
func (s *Settings) ValidatorLimit(o parse.Options) {
	if s.Config.ValidatorTimeout != nil && o.Flags[validatorTimeout] == nil {
		o.Flags[validatorTimeout] = []string{s.Config.ValidatorTimeout.String()}
	}
}

// validatorTimeout is the flag that corresponds to ValidatorTimeout in the file.
const validatorTimeout = "validator-timeout"

// Read reads the file. If there is none, all settings have their defaults. The error contains all
// problems, including those that check finds, because check knows the valid keys and themes.
func (s *Settings) Read(check func(config.Config) []config.Problem) error {
	path, isExplicit := s.Path()
	var err error
	s.Config, err = config.Load(path)
	problems := &config.Problems{Path: path}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isExplicit && !isLink(path):
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

// isLink reports whether a symbolic link exists at path, even one that leads nowhere.
func isLink(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Texts returns the sources of texts for a document's prompts, without tool servers.
func (s *Settings) Texts(path string) texts.Schemes {
	library := texts.Library(s.Config.Prompts)
	return texts.Schemes{"file": texts.Folder(filepath.Dir(path)), "library": library, "": library}
}
