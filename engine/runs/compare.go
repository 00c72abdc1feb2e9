package runs

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
)

// readComparisonSide reads the run with an ID as a side of a comparison.
func readComparisonSide(id string) (compare.Side, error) {
	h, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return compare.Side{}, setup.Errorf("%w", err)
	}
	return comparisonSideOf(h.Folder, machine.BranchWithRewinds(h.Events))
}

// ErrNoOtherRun is the error of OtherRuns for a document with only one run.
var ErrNoOtherRun = errors.New("there is no other run of this document to compare with yet")

// OtherRuns returns the other runs of a run's document, newest first, or ErrNoOtherRun.
func OtherRuns(f journal.Folder) ([]journal.RunSummary, error) {
	src, err := f.SourcePaths()
	if err != nil {
		return nil, err
	}
	all, err := journal.DefaultStore().RunsOf(src.OriginalDocument)
	all = slices.DeleteFunc(all, func(s journal.RunSummary) bool { return s.Run == f.ID() })
	if err == nil && len(all) == 0 {
		err = ErrNoOtherRun
	}
	return all, err
}

// Compare compares a run with another one, whose ID is with. Of the first run, only the events that are shown count.
func Compare(f journal.Folder, shown []machine.Event, with string) (*compare.Comparison, error) {
	this, err := comparisonSideOf(f, shown)
	if err != nil {
		return nil, err
	}
	that, err := readComparisonSide(with)
	if err != nil {
		return nil, err
	}
	return compare.Runs(this, that), nil
}

// CompareByID compares two runs, which must be of the same format.
func CompareByID(first, second string) (*compare.Comparison, error) {
	x, err := readComparisonSide(first)
	if err != nil {
		return nil, err
	}
	y, err := readComparisonSide(second)
	if err != nil {
		return nil, err
	}
	if x.Plan.Format != y.Plan.Format {
		return nil, setup.Errorf("compare needs two runs of the same format: %s is a run of a %s, but %s is a run of a %s", x.RunID, x.Plan.FormatTitle, y.RunID, y.Plan.FormatTitle)
	}
	return compare.Runs(x, y), nil
}

// comparisonSideOf returns a run with some of its events as a side of a comparison. If its documents are
// missing, its steps are compared by ID.
func comparisonSideOf(f journal.Folder, events []machine.Event) (compare.Side, error) {
	s := compare.Side{RunID: f.ID(), Events: events, OpenLog: func(ref *machine.LogRef) (io.ReadCloser, error) { return openLog(f, ref) }}
	started, err := setup.RunStartedBody(f.ID(), events)
	if err != nil {
		return s, err
	}
	if s.Plan, _, err = setup.LoadRunCopy(f, events); err != nil {
		s.Plan = planWithoutSteps(started)
		return s, nil
	}
	src, err := f.SourcePaths()
	if err != nil {
		return s, err
	}
	s.DocumentPath = src.OriginalDocument
	s.SourceHashes, err = f.HashByPath()
	return s, err
}

// openLog opens the part of a log that ref refers to. The caller closes it.
func openLog(f journal.Folder, ref *machine.LogRef) (io.ReadCloser, error) {
	file, err := f.LogFile(ref.File).Open()
	if err != nil {
		return nil, fmt.Errorf("the output of run %s cannot be read: %w", f.ID(), err)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(file, ref.Offset, ref.Bytes), file}, nil
}
