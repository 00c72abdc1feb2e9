package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"playhead/engine/config"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/keymap"
)

// settings are what the configuration file says, and the flag that names the file.
type settings struct {
	configFile string
	config.Config

	keys        keymap.Map      // as the file binds them
	dark, light *themes.Palette // that the file names; nil: the usual one
}

func (s *settings) register(f *pflag.FlagSet) {
	f.StringVar(&s.configFile, "config", "", "use this configuration FILE (default $PLAYHEAD_CONFIG)")
}

// path is where the file is, and whether somebody named it.
func (s *settings) path() (path string, named bool) {
	if path = cmp.Or(s.configFile, os.Getenv("PLAYHEAD_CONFIG")); path != "" {
		return path, true
	}
	return filepath.Join(xdg.ConfigHome, "playhead", "config.yaml"), false
}

// aliases are the models that a document can name, beside a usual one.
func (s *settings) aliases(usual string) *plan.Aliases {
	out := &plan.Aliases{Usual: usual != ""}
	for _, p := range s.Models {
		out.Names = append(out.Names, p.Name)
	}
	return out
}

// limits are the options of loading that the file has, where no flag says otherwise.
func (s *settings) limits(o parse.Options) {
	if s.ValidatorTimeout != nil && o.Flags[validatorTimeout] == nil {
		o.Flags[validatorTimeout] = []string{s.ValidatorTimeout.String()}
	}
}

// validatorTimeout is the flag that ValidatorTimeout is said with.
const validatorTimeout = "validator-timeout"

// read reads the file. Without one everything is as it is by default. All that is wrong
// with it is told at once: what the file itself says, keys that cannot be bound, and
// themes that there are not.
func (s *settings) read() error {
	path, named := s.path()
	var err error
	s.Config, err = config.Load(path)
	problems := &config.Problems{Path: path}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named && !linked(path):
		return nil
	case err != nil && !errors.As(err, &problems):
		return usage("the configuration cannot be read: %w", err)
	}
	problems.Add(s.bind()...)
	problems.Add(s.choose()...)
	if len(problems.List) > 0 {
		return usage("the configuration cannot be used\n%w", problems)
	}
	return nil
}

// linked reports whether there is a link of that name, be it one that leads nowhere.
func linked(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
