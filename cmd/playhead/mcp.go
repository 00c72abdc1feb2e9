package main

import (
	"context"
	"io"
	"os"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"playhead/engine/mcpserver"
	"playhead/engine/setup"
	"playhead/tui/preferences"
)

// mcpOptions are the flags of mcp.
type mcpOptions struct {
	setup.Settings
	documentFolder string
	maxCallWait    time.Duration
}

func newMCPCmd(a *app) *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer runs to an agent over MCP, on standard input and output",
		Long: `Serve an agent's host (an editor, a command-line tool) over the Model Context
Protocol, on standard input and output. The host starts this command: see
docs/agents.md for what to write into its configuration.

The agent can check and run the documents of one folder, and act on the runs
that were started there. It gets the tools that the Workflow format defines,
under their own names, and further tools for documents of every format.

It cannot trust a document or allow a tool call: only a person can, with
playhead attach. A person can watch each run with playhead watch.

If the host ends, its runs are left as they are, and the next server
continues them.`,
		Example: "playhead mcp --folder ~/runbooks",
		Args:    noArgs,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context(), &o) })
	f := cmd.Flags()
	f.StringVar(&o.documentFolder, "folder", "", "offer the documents of this FOLDER (default: the working folder)")
	f.DurationVar(&o.maxCallWait, "wait", 20*time.Second, "how long a call waits for a busy or paused run before it returns")
	registerConfig(f, &o.Settings)
	return cmd
}

// mcp serves a host until the host ends the connection, or a signal arrives.
func (a *app) mcp(ctx context.Context, o *mcpOptions) error {
	if o.maxCallWait <= 0 {
		return usageError("--wait %s: give a duration greater than 0, such as 20s", o.maxCallWait)
	}
	if o.documentFolder != "" {
		if err := os.Chdir(o.documentFolder); err != nil {
			return usageError("--folder %s cannot be used: %w", o.documentFolder, err)
		}
	}
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	if err := preferences.CheckConfig(&o.Settings); err != nil {
		return err
	}
	server := mcpserver.New(mcpserver.Config{Folder: here, Settings: o.Settings, Version: version, MaxWait: o.maxCallWait})
	return untilSignal(ctx, func(ctx context.Context) error {
		return server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(a.stdin), Writer: nopWriteCloser{a.stdout}})
	})
}

// nopWriteCloser is a writer whose Close does nothing.
type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
