package shell

import "time"

// leaderName is what a leader is called, in os.Args and in the list of processes.
const leaderName = "playhead-session"

// The files of a leader beyond the standard ones. It is told a job, then orders; when its orders
// end, so does its session. It answers with reports.
const (
	ordersFile  = 3
	reportsFile = 4
)

// A job is the command that a leader is to start.
type job struct {
	Path     string
	Argv     []string
	Dir      string
	Env      []string
	Terminal bool // standard output is the terminal of the session
	Typing   bool // standard input is the leader's; otherwise it is empty
	Grace    time.Duration

	Everything bool // what leaves the session is ended with it
}

// An order is what a leader is to do about its session.
type order int

const (
	cancel order = iota + 1 // ask to end, then kill
	kill
)

// A report says one thing that has happened.
type report struct {
	Refused string   // why the system did not start the command
	Errno   int      // and the number of that
	Ended   []string // what had to be ended when the orders had
	Exited  bool     // the shell has
	Code    int
	Signal  int
	Left    []string   // what still runs in the session
	Escaped []Leftover // and elsewhere
}
