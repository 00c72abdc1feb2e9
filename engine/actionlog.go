package engine

import (
	"errors"
	"fmt"
	"time"

	"playhead/engine/artifact"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// actionLog is what a job leaves: its log and the time at which it began.
type actionLog struct {
	log     *logs.Log
	out     *logs.Masker // writes to the log without secrets
	file    string
	started time.Time
}

// newActionLog makes the log of the action that just started.
func (s *Session) newActionLog() (*actionLog, error) {
	file := s.newLog()
	log, err := logs.Create(s.cfg.Run.LogFile(file))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.logs[file] = log
	s.mu.Unlock()
	return &actionLog{log: log, out: logs.Mask(log, s.cfg.Secrets), file: file, started: s.cfg.Now()}, nil
}

// newLog returns an unused name of a log, because a call that a person took over has a log already.
func (s *Session) newLog() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := journal.LogName(s.seq)
	for n := 2; s.logs[file] != nil; n++ {
		file = journal.NthLogName(s.seq, n)
	}
	s.received.file = file
	return file
}

func (r *actionLog) logName() string { return r.file }

// close closes the log, which stores its errors.
func (r *actionLog) close() { _ = errors.Join(r.out.Close(), r.log.Close()) }

// recordActionEnd records the end of an action, with its duration and its log.
func (s *Session) recordActionEnd(r *actionLog, e machine.Event) error {
	body := e.Body.(*machine.ActionFinished)
	ms := s.cfg.Now().Sub(r.started).Milliseconds()
	body.DurationMS = &ms
	body.Log = logRef(r.file, r.log)
	if err := s.record(e); err != nil {
		return err
	}
	if err := r.log.Err(); err != nil {
		return s.warn("playhead/log", fmt.Sprintf("part of the output could not be kept: %v", err))
	}
	return nil
}

// logRef returns a reference to a log, nil if it is empty.
func logRef(file string, l *logs.Log) *machine.LogRef {
	if l == nil {
		return nil
	}
	size, _ := l.Size()
	if size == 0 {
		return nil
	}
	return &machine.LogRef{File: file, Offset: l.Offset(), Bytes: size}
}

// warn records a warning about the current step.
func (s *Session) warn(code, message string) error {
	return s.warnOf(s.m.Position(), code, message)
}

func (s *Session) warnOf(step, code, message string) error {
	return s.record(machine.Event{Step: step, Body: &machine.Warned{Code: code, Message: message}})
}

// warnAboutOutput warns about problems of the final output before the run ends.
func (s *Session) warnAboutOutput(end *machine.Finished) error {
	if end.Artifact == nil {
		return nil
	}
	label, text := s.m.Output()
	if flaw := (artifact.Artifact{Type: end.Artifact.Type, Text: text}).Flaw(); flaw != "" {
		end.Notes = append(end.Notes, plan.Note{Code: "playhead/artifact-content", Message: flaw})
	}
	for _, n := range end.Notes {
		if err := s.warnOf(label, n.Code, n.Message); err != nil {
			return err
		}
	}
	return nil
}
