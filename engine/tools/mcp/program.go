package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/shell"
)

// maxMessageBytes limits the size of one message of a server, in bytes.
const maxMessageBytes = 64 << 20

// serverProgram is a server that was started here.
type serverProgram struct {
	runner *shell.Runner
	*shell.Process
	stdin      *os.File
	stdout     *io.PipeReader
	endTimeout time.Duration
}

// startProgram starts the program of a spec. env is the environment without the spec's own variables; nil means
// Playhead's. grace is the time that the program has to end. Its standard error is written to errs.
func startProgram(s ServerSpec, env []string, grace time.Duration, errs io.Writer) (*serverProgram, error) {
	stdinReader, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer stdinReader.Close() // the program has its own copy
	if env == nil {
		env = os.Environ()
	}
	env = slices.Clip(env)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, name+"="+s.Env[name])
	}
	stdout, out := io.Pipe()
	p := &serverProgram{runner: shell.NewRunner(grace), stdin: stdin, stdout: stdout, endTimeout: grace}
	p.runner.EndEscaped = true
	p.Process = p.runner.Start(context.Background(), shell.Command{
		Argv: append([]string{s.Command}, s.Args...), Dir: s.Dir, Env: env,
		UsesPipes: true, Stdin: stdinReader, Stderr: errs,
	}, out)
	go func() {
		<-p.Done()
		out.Close()
	}()
	return p, nil
}

// transport returns the transport for messages to and from the program.
func (p *serverProgram) transport() sdk.Transport {
	return &sdk.IOTransport{Reader: p.stdout, Writer: programInput{p.stdin, p}, MaxLineLength: maxMessageBytes}
}

// programInput is the standard input of a program.
type programInput struct {
	*os.File
	program *serverProgram
}

// Write implements io.Writer. If nobody reads what is written, the program is about to end. Write
// waits for that, so that the error can say how the program ended.
func (in programInput) Write(b []byte) (int, error) {
	n, err := in.File.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		in.program.awaitEnd()
	}
	return n, err
}

// awaitEnd waits until the program has ended, at most for the time that it is given to end.
func (p *serverProgram) awaitEnd() {
	select {
	case <-p.Done():
	case <-time.After(p.endTimeout):
	}
}

func (p *serverProgram) hasEnded() bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// stop closes the program's input, waits, and then ends the program and all processes that it
// started.
func (p *serverProgram) stop() {
	_ = p.stdin.Close()
	p.awaitEnd()
	p.runner.Close()
}

// exitText returns how the program ended. It waits for the end.
func (p *serverProgram) exitText() string {
	switch r := p.Wait(); {
	case r.Err != nil:
		return r.Err.Error()
	case r.Signal != "":
		return "it was terminated by signal " + r.Signal
	default:
		return fmt.Sprintf("it ended with status %d", r.ExitCode)
	}
}

// httpServer is a server that is asked over HTTP.
type httpServer struct {
	spec          ServerSpec
	publicURL     string // the URL without the parts that may be secret
	headerOrigin  string // the scheme and host to which headers may be sent
	baseTransport *http.Transport
}

func newHTTPServer(s ServerSpec) *httpServer {
	h := &httpServer{spec: s, publicURL: s.URL, baseTransport: http.DefaultTransport.(*http.Transport).Clone()}
	if u, err := url.Parse(s.URL); err == nil {
		h.headerOrigin = u.Scheme + "://" + u.Host
		h.publicURL = h.headerOrigin + u.Path
	}
	return h
}

// transport returns the transport for messages to and from the server.
func (h *httpServer) transport() sdk.Transport {
	return &sdk.StreamableClientTransport{
		Endpoint: h.spec.URL, HTTPClient: &http.Client{Transport: h}, MaxEventSize: maxMessageBytes,
	}
}

// RoundTrip implements http.RoundTripper. It adds the spec's headers, which are sent only to this
// server, even after redirects.
func (h *httpServer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host == h.headerOrigin {
		r = r.Clone(r.Context())
		for name, value := range h.spec.Headers {
			r.Header.Set(name, value)
		}
	}
	return h.baseTransport.RoundTrip(r)
}

// unreachableText returns why there is no answer, without the secret parts of the URL.
func (h *httpServer) unreachableText(err error) string {
	text := strings.ReplaceAll(err.Error(), h.spec.URL, h.publicURL)
	var failed *url.Error
	if errors.As(err, &failed) {
		text = failed.Err.Error()
	}
	return "there is no usable answer from " + h.publicURL + ": " + text
}
