package service

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/engine/shell"
	"playhead/engine/shell/processes"
	"playhead/parse/plan"
)

const (
	maxConns     = 128                   // the maximum number of open connections; for another one, the longest idle one is closed
	writeTimeout = 10 * time.Second      // within which a client must read a message
	closeTimeout = time.Second           // within which clients can read the last events when the process ends
	sendInterval = 16 * time.Millisecond // the shortest time between two batches of events
	maxNameRunes = 64                    // of the name of a client or of a tool that it calls
)

// A Server serves one run.
type Server struct {
	driver  *drive.Driver
	session *engine.Session
	run     journal.Folder
	version string

	listener  *net.UnixListener
	closing   chan struct{} // closed by Close
	connGroup sync.WaitGroup

	mu    sync.Mutex
	conns []*clientConn
}

// Serve serves the run of a session until Close. version is Playhead's version.
func Serve(s *engine.Session, d *drive.Driver, run journal.Folder, version string) (*Server, error) {
	l, err := listen(run)
	if err != nil {
		return nil, fmt.Errorf("other processes cannot join the run: %w", err)
	}
	server := &Server{driver: d, session: s, run: run, version: version, listener: l, closing: make(chan struct{})}
	go server.acceptConns()
	return server, nil
}

// Close ends the service. Clients that read without delay still get the last events. The caller
// must still hold the run's lock.
func (s *Server) Close() {
	if s == nil {
		return
	}
	_ = s.listener.Close() // this removes the socket
	_ = os.Remove(socketFilePath(s.run))
	close(s.closing)
	done := make(chan struct{})
	go func() {
		s.connGroup.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(closeTimeout):
		s.mu.Lock()
		for _, c := range s.conns {
			_ = c.socket.Close()
		}
		s.mu.Unlock()
	}
}

func (s *Server) acceptConns() {
	for {
		sock, err := s.listener.AcceptUnix()
		if err != nil {
			select {
			case <-s.closing:
				return
			case <-time.After(100 * time.Millisecond): // for example, too many open files
				continue
			}
		}
		s.mu.Lock()
		s.closeIdleConn()
		c := &clientConn{server: s, socket: sock, lastUsed: time.Now()}
		s.conns = append(s.conns, c)
		s.connGroup.Add(1)
		s.mu.Unlock()
		go c.serve()
	}
}

// closeIdleConn closes a connection if there are too many: the one that has been idle longest, but preferably not
// one that follows the events. The caller holds the lock.
func (s *Server) closeIdleConn() {
	if len(s.conns) < maxConns {
		return
	}
	oldest := slices.MinFunc(s.conns, func(a, b *clientConn) int {
		if busy := a.isFollowing(); busy != b.isFollowing() {
			if busy {
				return 1
			}
			return -1
		}
		return a.lastUse().Compare(b.lastUse())
	})
	_ = oldest.socket.Close()
	s.conns = slices.DeleteFunc(s.conns, func(c *clientConn) bool { return c == oldest })
}

func (s *Server) removeConn(c *clientConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(o *clientConn) bool { return o == c })
}

// clientConn is the connection of one client. pid, name and hasTakenControl belong to the goroutine that serves it.
type clientConn struct {
	server          *Server
	socket          *net.UnixConn
	pid             int
	name            string // the name that the client gave
	hasTakenControl bool   // it has controlled the run, so it can act only while it controls the run

	writeMu sync.Mutex

	mu            sync.Mutex
	lastUsed      time.Time
	followsEvents bool
}

func (c *clientConn) isFollowing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.followsEvents
}

func (c *clientConn) lastUse() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastUsed
}

// serve answers requests until the client or the server ends the connection.
func (c *clientConn) serve() {
	defer c.server.connGroup.Done()
	defer c.server.removeConn(c)
	defer c.socket.Close()
	if err := c.authorizePeer(); err != nil {
		c.writeMessage(message{JSONRPCVersion: "2.0", ID: json.RawMessage("null"), Error: &Error{Code: CodeForbidden, Message: err.Error()}})
		return
	}
	gone := make(chan struct{})
	go func() { // what the client sends after the end is ignored
		select {
		case <-c.server.closing:
			if !c.isFollowing() {
				_ = c.socket.CloseRead()
			}
		case <-gone:
		}
	}()
	defer close(gone)
	var feeding sync.WaitGroup
	defer feeding.Wait()
	done := make(chan struct{})
	defer close(done)
	defer c.releaseControl()
	in := bufio.NewReader(c.socket)
	for {
		line, err := readLine(in, MaxMessageBytes)
		switch {
		case err == errMessageTooLong:
			c.writeError(nil, &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf("the message is too long: it may have at most %d bytes", MaxMessageBytes)})
			return
		case err != nil:
			return
		case len(line) == 0:
			continue
		}
		c.mu.Lock()
		c.lastUsed = time.Now()
		c.mu.Unlock()
		if feed := c.answerMessage(line); feed != nil {
			feeding.Go(func() { c.sendFeed(feed, done) })
		}
	}
}

// authorizePeer refuses processes of other users, and processes that the run itself has started, so that a
// step cannot approve its own run.
func (c *clientConn) authorizePeer() error {
	raw, err := c.socket.SyscallConn()
	if err != nil {
		return err
	}
	var pid, uid int
	if failed := raw.Control(func(fd uintptr) { pid, uid, err = peerOf(int(fd)) }); failed != nil || err != nil {
		return cmp.Or(failed, err)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("this run belongs to another user")
	}
	c.pid = pid
	id := c.server.run.ID()
	if pid != os.Getpid() && (shell.IsStartedBy(pid, os.Getpid(), c.server.session.Leftovers()) || processes.RunID(pid) == id) {
		return fmt.Errorf("run %s started this process: a step cannot act on its own run", id)
	}
	return nil
}

// clientProcessSeparator precedes the number of the process in the name of a client.
const clientProcessSeparator = ", process "

// ClientName returns the name of a client in events and states: what it calls itself, and its process.
func ClientName(name string, pid int) string {
	return name + clientProcessSeparator + strconv.Itoa(pid)
}

// HasClientEnded reports whether the process of the client with that name has ended.
func HasClientEnded(clientName string) bool {
	i := strings.LastIndex(clientName, clientProcessSeparator)
	if i < 0 {
		return false
	}
	pid, err := strconv.Atoi(clientName[i+len(clientProcessSeparator):])
	return err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// asDriveClient returns the client as the run knows it.
func (c *clientConn) asDriveClient() drive.Client {
	name := ClientName(cmp.Or(c.name, "a program"), c.pid)
	return drive.Client{
		Name: name, IsController: c.hasTakenControl && c.server.driver.State().Controller == name, IsAtTerminal: shell.HasTerminal(c.pid),
	}
}

// releaseControl gives up control when the client disconnects.
func (c *clientConn) releaseControl() {
	if c.hasTakenControl {
		_ = c.sessionAsClient().ReleaseControl() // fails only if the session is over
	}
}

// sessionAsClient returns the session under the client's name.
func (c *clientConn) sessionAsClient() *engine.Session {
	return c.server.session.AsClient(c.asDriveClient().Name, 0)
}

// answerMessage answers one message. It returns the feed if the client asked for one.
func (c *clientConn) answerMessage(line []byte) *drive.EventFeed {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		c.writeError(nil, &Error{Code: CodeParseError, Message: "this is not a JSON object: " + err.Error()})
		return nil
	}
	if m.JSONRPCVersion != "2.0" || m.Method == "" {
		c.writeError(m.ID, &Error{Code: CodeInvalidRequest, Message: `a request must have "jsonrpc": "2.0" and a "method"`})
		return nil
	}
	method := methodByName[m.Method]
	if method == nil {
		c.writeError(m.ID, &Error{Code: CodeMethodNotFound, Message: fmt.Sprintf("there is no method %q", m.Method)})
		return nil
	}
	result, err := method(c, m.Params)
	if err != nil {
		c.writeError(m.ID, err)
		return nil
	}
	feed, _ := result.(*drive.EventFeed)
	if feed != nil {
		result = struct{}{}
	}
	if len(m.ID) == 0 { // a notification gets no answer
		return feed
	}
	data, err := plan.EncodeJSON(result)
	if err != nil {
		c.writeError(m.ID, err)
		return feed
	}
	c.writeMessage(message{JSONRPCVersion: "2.0", ID: m.ID, Result: data})
	return feed
}

// writeError answers with an error.
func (c *clientConn) writeError(id json.RawMessage, err error) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	c.writeMessage(message{JSONRPCVersion: "2.0", ID: id, Error: protocolError(err)})
}

// writeMessage sends a message, and reports whether that succeeded. It closes the connection to a client that does
// not read.
func (c *clientConn) writeMessage(m message) bool {
	data, err := plan.EncodeJSON(m)
	if err != nil {
		return false
	}
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	_ = c.socket.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := c.socket.Write(append(data, '\n')); err != nil {
		_ = c.socket.Close()
		return false
	}
	return true
}

// sendFeed sends what happens until the client disconnects or the session is over, then closes the connection.
func (c *clientConn) sendFeed(feed *drive.EventFeed, done <-chan struct{}) {
	defer feed.Stop()
	for {
		last := false
		select {
		case <-feed.Changed():
		case <-done:
			return
		case <-c.server.closing:
			last = true
		}
		if !c.sendBatch(feed.TakeBatch()) || last {
			_ = c.socket.Close()
			return
		}
		select {
		case <-time.After(sendInterval):
		case <-done:
			return
		}
	}
}

// maxEventsPerMessage is the maximum number of events in one message.
const maxEventsPerMessage = 256

// sendBatch sends a batch in messages of at most maxEventsPerMessage events, and reports whether that succeeded.
func (c *clientConn) sendBatch(b drive.EventBatch) bool {
	for {
		part := b
		part.Events = b.Events[:min(maxEventsPerMessage, len(b.Events))]
		b.Events = b.Events[len(part.Events):]
		part.HasMore = len(b.Events) > 0
		data, err := plan.EncodeJSON(part)
		if err != nil || !c.writeMessage(message{JSONRPCVersion: "2.0", Method: "events", Params: data}) {
			return false
		}
		if !part.HasMore {
			return true
		}
		b.HasWholeBranch = false
	}
}

// sanitizeName returns the name of a client, or of a tool that it calls, with hidden characters escaped and its
// length limited.
func sanitizeName(name string) string {
	runes := []rune(sanitize.Plain(name))
	return string(runes[:min(len(runes), maxNameRunes)])
}
