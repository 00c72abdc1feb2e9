package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker when a release is built.
var version = "0.1.0-dev"

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: a.do(func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "playhead %s %s/%s %s\n", versionText(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		}),
	}
}

// versionText is the version, with the commit where the build knows it.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 {
			return version + " (" + s.Value[:7] + ")"
		}
	}
	return version
}
