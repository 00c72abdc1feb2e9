// Package lines is Playhead without a screen: a run as lines, in the order in
// which things happen, for pipes, logs, screen readers and terminals that can do
// no more.
//
//	[1] Preflight
//	$ go version
//	go version go1.26.8 linux/amd64
//	[1] pass (exit 0, 0.4s) -> 2.1 (line 12: PASS: CONTINUE)
//	[4] Approve: Ship this build? [pass/fail/skip/…]
//
// A LineUI watches a session and prints; if a person is there it reads their lines,
// as answers to the open question or as input of the command that runs. What
// documents and commands say is sanitised line by line on its way out.
package lines
