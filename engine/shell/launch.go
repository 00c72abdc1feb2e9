package shell

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// launch starts the leader and gives it the job.
func (p *Process) launch(j job, c Command, out io.Writer) (err error) {
	p.job = j
	if p.streams, err = open(c); err != nil {
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	defer p.streams.closeTheirs()
	if err := p.startLeader(); err != nil {
		p.streams.closeOurs()
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	p.startPumps(c, out)
	p.encode = gob.NewEncoder(p.pipe)
	_ = p.encode.Encode(j) // a leader that does not take it will be missed
	return nil
}

// startLeader starts this program again, as the leader of a new session.
func (p *Process) startLeader() error {
	orders, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	defer orders.Close()
	back, reports, err := os.Pipe()
	if err != nil {
		ours.Close()
		return err
	}
	defer reports.Close()
	theirs := p.streams.theirs
	p.leader, err = os.StartProcess(self, []string{leaderName}, &os.ProcAttr{
		Files: []*os.File{theirs[0], theirs[1], theirs[2], ordersFile: orders, reportsFile: reports},
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: p.job.Terminal},
	})
	if err != nil {
		ours.Close()
		back.Close()
		return err
	}
	p.pipe, p.reports = ours, back
	return nil
}

func (p *Process) startPumps(c Command, out io.Writer) {
	if c.Stderr != nil {
		p.pumps = []*pump{startPump(p.streams.ours[0], out), startPump(p.streams.ours[1], c.Stderr)}
		return
	}
	if c.Pipes {
		out = &shared{w: out}
	}
	for _, f := range p.streams.ours {
		to := out
		if c.Pipes {
			caught := &capture{pass: out}
			p.caught = append(p.caught, caught)
			to = caught
		}
		p.pumps = append(p.pumps, startPump(f, to))
	}
}

// limit ends the command when its context does, or its time is over.
func (p *Process) limit(ctx context.Context, timeout time.Duration) {
	stop := context.AfterFunc(ctx, p.Cancel)
	p.release = append(p.release, func() { stop() })
	if timeout > 0 {
		timer := time.AfterFunc(timeout, func() { p.end(cancel, &p.timedOut) })
		p.release = append(p.release, func() { timer.Stop() })
	}
}
