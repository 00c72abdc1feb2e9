package mcp

//lint:file-ignore SA1019 the protocol is giving messages up, and servers still send them

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// peerMode is the environment variable that makes the test binary a tool server.
const peerMode = "PLAYHEAD_TEST_PEER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(peerMode); mode != "" {
		servePeer(mode)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// servePeer runs a tool server that behaves according to mode.
func servePeer(mode string) {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "no licence\x1b[2J found, key sesame-open")
		os.Exit(3)
	case "silent":
		select {}
	case "junk":
		fmt.Println("Welcome to the server!")
		select {}
	case "stubborn":
		signal.Ignore(unix.SIGTERM, unix.SIGINT)
		if err := exec.Command("sleep", "1000").Start(); err != nil {
			log.Fatal(err)
		}
	}
	if err := newPeer().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		log.Print(err)
	}
	if mode == "stubborn" {
		select {}
	}
}

// newPeer returns a server with one tool for each behaviour to be tested.
func newPeer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "peer", Version: "1"}, nil)
	for name, f := range peerTools {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: "what " + name + " does"}, f)
	}
	s.AddPrompt(&sdk.Prompt{Name: "tone"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
			{Role: "user", Content: &sdk.TextContent{Text: "Be kind."}},
			{Role: "assistant", Content: &sdk.ImageContent{MIMEType: "image/png", Data: []byte("x")}},
		}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "picky"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return nil, errors.New("city is missing")
	})
	return s
}

type (
	peerArgs struct {
		Text string `json:"text,omitempty"`
	}
	peerTool = sdk.ToolHandlerFor[peerArgs, any]
)

func says(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

var peerTools = map[string]peerTool{
	"echo": func(_ context.Context, _ *sdk.CallToolRequest, a peerArgs) (*sdk.CallToolResult, any, error) {
		return says(a.Text), nil, nil
	},
	"env": func(_ context.Context, _ *sdk.CallToolRequest, a peerArgs) (*sdk.CallToolResult, any, error) {
		dir, err := os.Getwd()
		return says(os.Getenv(a.Text) + " in " + dir), nil, err
	},
	"group": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		return says(fmt.Sprint(os.Getpid())), nil, nil
	},
	"refuse": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		return nil, nil, errors.New("the disk is full")
	},
	"die": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(7)
		return nil, nil, nil
	},
	"hang": func(ctx context.Context, r *sdk.CallToolRequest, _ peerArgs) (*sdk.CallToolResult, any, error) {
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 3, Message: "copying"})
		<-ctx.Done()
		return says("too late"), nil, nil
	},
	"data": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		return nil, map[string]any{"found": 3}, nil
	},
	"mix": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.TextContent{Text: "two files"},
			&sdk.ImageContent{MIMEType: "image/png", Data: make([]byte, 12<<10)},
			&sdk.AudioContent{MIMEType: "audio/wav", Data: make([]byte, 10)},
			&sdk.ResourceLink{Name: "log", URI: "file:///log", Description: "all of it"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", Text: "inside"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///b", MIMEType: "a/b", Blob: []byte("xyz")}},
		}}, nil, nil
	},
	"huge": func(context.Context, *sdk.CallToolRequest, peerArgs) (*sdk.CallToolResult, any, error) {
		return says(strings.Repeat("0123456789abcde\n", 1<<16)), nil, nil
	},
	"ask": func(ctx context.Context, r *sdk.CallToolRequest, _ peerArgs) (*sdk.CallToolResult, any, error) {
		_ = r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "warning", Data: "quota is low"})
		_, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "your name?"})
		return says(fmt.Sprint("no answer: ", err != nil)), nil, nil
	},
}
