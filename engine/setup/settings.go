package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine/config"
	"playhead/engine/model"
	"playhead/engine/texts"
	"playhead/parse"
	"playhead/parse/plan"
)

// Settings are the contents of the configuration file, and how the servers in it are asked.
type Settings struct {
	ConfigFile string // as a person gave it; empty: the default path
	Config     config.Config

	// NewModelServer returns the client of a model server. It must be set if a server is to be asked.
	NewModelServer func(model.ServerConfig) model.Server
}

// ConfigPath returns the path of the file, and whether a person gave it.
func (s *Settings) ConfigPath() (path string, isExplicit bool) {
	if path = cmp.Or(s.ConfigFile, os.Getenv("PLAYHEAD_CONFIG")); path != "" {
		return path, true
	}
	return filepath.Join(xdg.ConfigHome, "playhead", "config.yaml"), false
}

// ModelAliases returns the names of models that a document can use. usual is the default model, "" if there is
// none.
func (s *Settings) ModelAliases(usual string) *plan.ModelAliases {
	out := &plan.ModelAliases{HasDefault: usual != ""}
	for _, p := range s.Config.Profiles {
		out.Names = append(out.Names, p.Name)
	}
	return out
}

// AddValidatorTimeoutTo sets the time limit of validators from the file, unless a flag sets it.
func (s *Settings) AddValidatorTimeoutTo(o parse.Options) {
	if s.Config.ValidatorTimeout != nil && o.Flags[validatorTimeoutFlag] == nil {
		o.Flags[validatorTimeoutFlag] = []string{s.Config.ValidatorTimeout.String()}
	}
}

// validatorTimeoutFlag is the flag that corresponds to ValidatorTimeout in the file.
const validatorTimeoutFlag = "validator-timeout"

// ReadConfig reads the file. If there is none, all settings have their defaults. The error contains all
// problems, including those that check finds, because check knows the valid keys and themes.
func (s *Settings) ReadConfig(check func(config.Config) []config.Problem) error {
	path, isExplicit := s.ConfigPath()
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

// PromptTexts returns the sources of texts for a document's prompts, without tool servers.
func (s *Settings) PromptTexts(path string) texts.SourceByScheme {
	library := texts.LibrarySource(s.Config.PromptFolders)
	return texts.SourceByScheme{"file": texts.FolderSource(filepath.Dir(path)), "library": library, "": library}
}
