package service

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/engine/shell"
)

const (
	maxConns  = 128              // open at a time; for one more, the connection that was idle longest is closed
	writeTime = 10 * time.Second // within which a client must read a message
	closeTime = time.Second      // within which clients can read the last events when the process ends
	pace      = 16 * time.Millisecond
	maxName   = 64 // of a client, in characters
)

// A Server serves one run.
type Server struct {
	driver  *drive.Driver
	session *engine.Session
	run     journal.Folder
	version string

	listener *net.UnixListener
	over     chan struct{} // closed by Close
	serving  sync.WaitGroup

	mu    sync.Mutex
	conns []*conn
}

// Serve serves the run of a session until Close. Version is Playhead's version.
func Serve(s *engine.Session, d *drive.Driver, run journal.Folder, version string) (*Server, error) {
	l, err := listen(run)
	if err != nil {
		return nil, fmt.Errorf("other processes cannot join the run: %w", err)
	}
	server := &Server{driver: d, session: s, run: run, version: version, listener: l, over: make(chan struct{})}
	go server.accept()
	return server, nil
}

// Close ends the service. Clients that read without delay still get the last events. The caller
// must still hold the run's lock.
func (s *Server) Close() {
	if s == nil {
		return
	}
	_ = s.listener.Close() // this removes the socket
	_ = os.Remove(socketPath(s.run))
	close(s.over)
	done := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(closeTime):
		s.mu.Lock()
		for _, c := range s.conns {
			_ = c.sock.Close()
		}
		s.mu.Unlock()
	}
}

func (s *Server) accept() {
	for {
		sock, err := s.listener.AcceptUnix()
		if err != nil {
			select {
			case <-s.over:
				return
			case <-time.After(100 * time.Millisecond): // for example, too many open files
				continue
			}
		}
		s.mu.Lock()
		s.makeRoom()
		c := &conn{server: s, sock: sock, lastUsed: time.Now()}
		s.conns = append(s.conns, c)
		s.serving.Add(1)
		s.mu.Unlock()
		go c.serve()
	}
}

// makeRoom closes a connection if there are too many: the one that has been idle longest, but
// preferably not one that follows or controls the run.
func (s *Server) makeRoom() {
	if len(s.conns) < maxConns {
		return
	}
	oldest := slices.MinFunc(s.conns, func(a, b *conn) int {
		if busy := a.isFollowing(); busy != b.isFollowing() {
			if busy {
				return 1
			}
			return -1
		}
		return a.lastUse().Compare(b.lastUse())
	})
	_ = oldest.sock.Close()
	s.conns = slices.DeleteFunc(s.conns, func(c *conn) bool { return c == oldest })
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(o *conn) bool { return o == c })
}

// conn is the connection of one client.
type conn struct {
	server *Server
	sock   *net.UnixConn
	pid    int
	name   string // as the client gives it
	screen bool   // it has controlled the run, so it acts only while it does

	writing sync.Mutex

	mu        sync.Mutex
	lastUsed  time.Time
	following bool
}

func (c *conn) isFollowing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.following
}

func (c *conn) lastUse() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastUsed
}

// serve answers requests until the client or the server ends the connection.
func (c *conn) serve() {
	defer c.server.serving.Done()
	defer c.server.forget(c)
	defer c.sock.Close()
	if err := c.admit(); err != nil {
		c.write(message{Version: "2.0", ID: json.RawMessage("null"), Error: &Error{Code: CodeForbidden, Message: err.Error()}})
		return
	}
	gone := make(chan struct{})
	go func() { // what the client sends after the end is ignored
		select {
		case <-c.server.over:
			if !c.isFollowing() {
				_ = c.sock.CloseRead()
			}
		case <-gone:
		}
	}()
	defer close(gone)
	var feeding sync.WaitGroup
	defer feeding.Wait()
	done := make(chan struct{})
	defer close(done)
	defer c.release()
	in := bufio.NewReader(c.sock)
	for {
		line, err := readLine(in, MaxMessage)
		switch {
		case err == errTooLong:
			c.fail(nil, &Error{Code: CodeRequest, Message: fmt.Sprintf("a message has at most %d bytes", MaxMessage)})
			return
		case err != nil:
			return
		case len(line) == 0:
			continue
		}
		c.mu.Lock()
		c.lastUsed = time.Now()
		c.mu.Unlock()
		if feed := c.answer(line); feed != nil {
			feeding.Go(func() { c.follow(feed, done) })
		}
	}
}

// admit refuses processes of other users, and processes that the run itself has started, so that a
// step cannot approve its own run.
func (c *conn) admit() error {
	raw, err := c.sock.SyscallConn()
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
	if pid != os.Getpid() && (shell.StartedBy(pid, os.Getpid(), c.server.session.Leftovers()) || shell.RunOf(pid) == id) {
		return fmt.Errorf("run %s started this process: a step cannot act on its own run", id)
	}
	return nil
}

// client returns the client as the run knows it.
func (c *conn) client() drive.Client {
	name := fmt.Sprintf("%s, process %d", cmp.Or(c.name, "a program"), c.pid)
	return drive.Client{
		Name: name, Controls: c.screen && c.server.driver.State().Controller == name, Terminal: shell.HasTerminal(c.pid),
	}
}

// release gives up control when the client disconnects.
func (c *conn) release() {
	if c.screen {
		_ = c.session().ReleaseControl() // fails only if the session is over
	}
}

func (c *conn) session() *engine.Session { return c.server.session.As(c.client().Name, 0) }

// answer answers one message. It returns the feed if the client asked for one.
func (c *conn) answer(line []byte) *drive.Feed {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		c.fail(nil, &Error{Code: CodeParse, Message: "this is not a JSON object: " + err.Error()})
		return nil
	}
	if m.Version != "2.0" || m.Method == "" {
		c.fail(m.ID, &Error{Code: CodeRequest, Message: `a request has "jsonrpc": "2.0" and a "method"`})
		return nil
	}
	method := methods[m.Method]
	if method == nil {
		c.fail(m.ID, &Error{Code: CodeMethod, Message: fmt.Sprintf("there is no method %q", m.Method)})
		return nil
	}
	result, err := method(c, m.Params)
	if err != nil {
		c.fail(m.ID, err)
		return nil
	}
	feed, _ := result.(*drive.Feed)
	if feed != nil {
		result = struct{}{}
	}
	if len(m.ID) == 0 { // a notification gets no answer
		return feed
	}
	data, err := encode(result)
	if err != nil {
		c.fail(m.ID, err)
		return feed
	}
	c.write(message{Version: "2.0", ID: m.ID, Result: data})
	return feed
}

// fail answers with an error.
func (c *conn) fail(id json.RawMessage, err error) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	c.write(message{Version: "2.0", ID: id, Error: errorOf(err)})
}

// write sends a message. It closes the connection to a client that does not read.
func (c *conn) write(m message) bool {
	data, err := encode(m)
	if err != nil {
		return false
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.sock.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := c.sock.Write(append(data, '\n')); err != nil {
		_ = c.sock.Close()
		return false
	}
	return true
}

// follow sends what happens until the client disconnects or the session is over.
func (c *conn) follow(feed *drive.Feed, done <-chan struct{}) {
	defer feed.Stop()
	for {
		last := false
		select {
		case <-feed.Changed():
		case <-done:
			return
		case <-c.server.over:
			last = true
		}
		if !c.send(feed.Take()) || last {
			_ = c.sock.Close()
			return
		}
		select {
		case <-time.After(pace):
		case <-done:
			return
		}
	}
}

// maxEvents is the maximum number of events in one message.
const maxEvents = 256

// send sends a batch in messages of limited length.
func (c *conn) send(b drive.Batch) bool {
	for {
		part := b
		part.Events = b.Events[:min(maxEvents, len(b.Events))]
		b.Events = b.Events[len(part.Events):]
		part.More = len(b.Events) > 0
		data, err := encode(part)
		if err != nil || !c.write(message{Version: "2.0", Method: "events", Params: data}) {
			return false
		}
		if !part.More {
			return true
		}
		b.Restarted = false
	}
}

// clientName returns a client's name with hidden characters escaped and its length limited.
func clientName(name string) string {
	if runes := []rune(sanitize.Plain(name)); len(runes) <= maxName {
		return string(runes)
	} else {
		return string(runes[:maxName])
	}
}
