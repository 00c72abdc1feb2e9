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
	log       *logs.Log
	maskedOut *logs.Masker // writes to the log without secrets
	fileName  string
	startedAt time.Time
}

// newActionLog makes the log of the action that just started.
func (s *Session) newActionLog() (*actionLog, error) {
	file := s.reserveLogName()
	log, err := logs.NewAppendingLog(s.config.Run.LogFile(file))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.logByName[file] = log
	s.mu.Unlock()
	return &actionLog{log: log, maskedOut: logs.NewMasker(log, s.config.Secrets), fileName: file, startedAt: s.config.Now()}, nil
}

// reserveLogName returns an unused name of a log, because a call that a person took over has a log already.
func (s *Session) reserveLogName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	file := journal.LogName(s.lastSeq)
	for n := 2; s.logByName[file] != nil; n++ {
		file = journal.NthLogName(s.lastSeq, n)
	}
	s.receivedPart.logName = file
	return file
}

func (a *actionLog) logName() string { return a.fileName }

// close closes the log, which stores its errors.
func (a *actionLog) close() { _ = errors.Join(a.maskedOut.Close(), a.log.Close()) }

// recordActionEnd records the end of an action, with its duration and its log.
func (s *Session) recordActionEnd(r *actionLog, e machine.Event) error {
	body := e.Body.(*machine.ActionFinished)
	ms := s.config.Now().Sub(r.startedAt).Milliseconds()
	body.DurationMS = &ms
	body.Log = logRef(r.fileName, r.log)
	if err := s.record(e); err != nil {
		return err
	}
	if err := r.log.Err(); err != nil {
		return s.warn("playhead/log", fmt.Sprintf("part of the output could not be stored: %v", err))
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
	return &machine.LogRef{File: file, Offset: l.FileOffset(), Bytes: size}
}

// warn records a warning about the current step.
func (s *Session) warn(code, message string) error {
	return s.warnAboutStep(s.machine.Position(), code, message)
}

func (s *Session) warnAboutStep(step, code, message string) error {
	return s.record(machine.Event{Step: step, Body: &machine.WarningRecorded{Code: code, Message: message}})
}

// warnAboutFinalOutput warns about problems of the final output before the run ends.
func (s *Session) warnAboutFinalOutput(end *machine.RunFinished) error {
	if end.Artifact == nil {
		return nil
	}
	label, text := s.machine.FinalOutput()
	if flaw := (artifact.Artifact{Type: end.Artifact.Type, RawText: text}).Problem(); flaw != "" {
		end.Warnings = append(end.Warnings, plan.RunWarning{Code: "playhead/artifact-content", Message: flaw})
	}
	for _, n := range end.Warnings {
		if err := s.warnAboutStep(label, n.Code, n.Message); err != nil {
			return err
		}
	}
	return nil
}
