package mcp

//lint:file-ignore SA1019 the protocol is giving messages up, and servers still send them

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// serverLog is the log of a server: its standard error, and its messages outside calls. It
// continues when the server is restarted.
type serverLog struct {
	mu        sync.Mutex
	location  logs.FileLocation
	log       *logs.Log
	maskedOut *logs.Masker // writes to the log without secrets
}

// open creates the log, the first time that it is called.
func (s *serverLog) open(at logs.FileLocation, secrets []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log != nil {
		return nil
	}
	log, err := logs.NewAppendingLog(at)
	if err != nil {
		return err
	}
	s.location, s.log, s.maskedOut = at, log, logs.NewMasker(log, secrets)
	return nil
}

// Write implements io.Writer. It ignores errors, so that a log that cannot be written stops
// nothing.
func (s *serverLog) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maskedOut.Write(p)
}

func (s *serverLog) writeLine(format string, args ...any) {
	_, _ = s.Write(fmt.Appendf(nil, format+"\n", args...))
}

// move copies the log to another file, and continues it there.
func (s *serverLog) move(to logs.FileLocation, secrets []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log == nil {
		return nil
	}
	log, err := logs.NewAppendingLog(to)
	if err != nil {
		return err
	}
	_, _ = s.maskedOut.Close(), s.log.Close() // copying reports what is missing
	before, err := s.location.Open()
	if err == nil {
		_, err = io.Copy(log, before)
		_ = before.Close()
	}
	s.location, s.log, s.maskedOut = to, log, logs.NewMasker(log, secrets)
	if errors.Is(err, fs.ErrNotExist) { // nothing was logged yet
		return nil
	}
	return err
}

func (s *serverLog) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log != nil {
		_, _ = s.maskedOut.Close(), s.log.Close()
	}
}

// Limits of the end of the log that an error shows.
const (
	lastLineCount = 3
	maxLineLength = 200 // characters of each line
)

// lastOutput returns the last lines of the log as one line, safe to show.
func (s *serverLog) lastOutput() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.maskedOut.Flush() // an error only shortens the text
	_, total := s.log.Size()
	lines, _ := s.log.Lines(total-lastLineCount, lastLineCount)
	for i, line := range lines {
		lines[i] = plan.CutText(sanitize.OutputPlain(line), maxLineLength)
	}
	return strings.TrimSpace(strings.Join(lines, " / "))
}

// reportedLogLevels are the levels of messages that a person should see.
var reportedLogLevels = []sdk.LoggingLevel{"warning", "error", "critical", "alert", "emergency"}

// handleLogMessage writes a log message to the log, and adds a severe one to the warnings of the call. It ignores
// other params.
func (sv *server) handleLogMessage(params sdk.Params) {
	p, isLogMessage := params.(*sdk.LoggingMessageParams)
	if !isLogMessage {
		return
	}
	text, isText := p.Data.(string)
	if !isText {
		data, err := json.Marshal(p.Data)
		if err != nil {
			return
		}
		text = string(data)
	}
	sv.log.writeLine("%s: %s", p.Level, text)
	if slices.Contains(reportedLogLevels, p.Level) {
		sv.tracker.addWarning(fmt.Sprintf("the tool server %s says: %s", quote(sv.spec.Name), plan.CutText(text, maxQuotedRunes)))
	}
}
