// Package compare compares two runs of one document: which of their attempts match, where their paths
// diverge and why, and what differs in steps that both visited.
//
// A comparison is made of events. Steps are matched by their keys, which edits of the document do not
// change, so runs of two versions can be compared. Long logs are read only if they have the same
// size, or to compare them line by line.
package compare

import (
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"znkr.io/diff"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Side is one of two runs.
type Side struct {
	RunID        string
	Plan         *plan.Plan        // as the run had it
	DocumentPath string            // the path of its document, which may be a folder
	SourceHashes map[string]string // hashes of its files, by path
	Events       []machine.Event   // the events of one branch, from the start
	// OpenLog opens the raw log of an action. If it is nil, only events are compared.
	OpenLog func(*machine.LogRef) (io.ReadCloser, error)
}

// Comparison is two runs, A and B, side by side.
type Comparison struct {
	A                      Run                  `json:"a"`
	B                      Run                  `json:"b"`
	ChangedFiles           []string             `json:"changed,omitempty"` // the files of the document that differ
	AreUnrelated           bool                 `json:"foreign,omitempty"` // the runs have no file in common, so they are of different documents
	Fork                   *Fork                `json:"fork,omitempty"`
	Divergence             *Divergence          `json:"parting,omitempty"` // nil: they took the same path
	Pairs                  []AttemptPair        `json:"pairs"`
	EndDifferences         []Difference         `json:"ends,omitempty"`      // differences in how they ended, if both are over
	DifferingVariables     []VariableDifference `json:"variables,omitempty"` // the variables that differ at the end
	FinalOutputDifferences []TextDifference     `json:"final,omitempty"`     // the final outputs, if they differ and one of them is long

	openLog [2]func(*machine.LogRef) (io.ReadCloser, error)
}

// Run describes one of the two runs as a whole.
type Run struct {
	ID           string         `json:"run"`
	DocumentPath string         `json:"path,omitempty"`
	Format       string         `json:"format,omitempty"`
	Started      time.Time      `json:"started,omitzero"`
	Result       plan.RunResult `json:"result,omitempty"` // empty: it has not ended
	Message      string         `json:"message,omitempty"`
	DurationMS   int64          `json:"duration_ms"`
	EntryCount   int            `json:"executions"`

	Track *track.Track `json:"-"` // the track of the whole run
}

// Fork says that one of the runs is a fork of the other.
type Fork struct {
	RunID         string `json:"run"`
	OriginalRunID string `json:"of"`
	EventSeq      int    `json:"event"` // the event of the other run after which it was forked
	Moment        string `json:"-"`     // that moment in words
}

// Sentence says which run is the fork, and when it was made.
func (f *Fork) Sentence() string {
	return f.RunID + " is a fork of " + f.OriginalRunID + ", made after " + f.Moment + "."
}

// AttemptPair is an attempt of A and the matching attempt of B. One of them may be nil.
type AttemptPair struct {
	A               *Attempt         `json:"a,omitempty"`
	B               *Attempt         `json:"b,omitempty"`
	Differences     []Difference     `json:"differs,omitempty"`
	TextDifferences []TextDifference `json:"texts,omitempty"` // filled in by ReadTextDifferences
}

// Runs compares two runs.
func Runs(a, b Side) *Comparison {
	pathA, pathB := pathOf(a), pathOf(b)
	c := &Comparison{A: runOf(a, pathA.track), B: runOf(b, pathB.track), ChangedFiles: changedFiles(a, b)}
	c.openLog = [2]func(*machine.LogRef) (io.ReadCloser, error){a.OpenLog, b.OpenLog}
	c.AreUnrelated = areUnrelated(a.SourceHashes, b.SourceHashes)
	c.Fork = forkOf(a, b)
	switch f := c.Fork; { // from the fork's track, because the other run may have rewound to before the event
	case f == nil:
	case f.RunID == a.RunID:
		f.Moment = pathA.track.MomentTextAfter(a.Events, f.EventSeq)
	default:
		f.Moment = pathB.track.MomentTextAfter(b.Events, f.EventSeq)
	}
	c.Pairs = alignAttempts(pathA.attempts, pathB.attempts)
	for i := range c.Pairs {
		if p := &c.Pairs[i]; p.A != nil && p.B != nil {
			p.Differences = c.differences(p.A, p.B)
		}
	}
	c.Divergence = c.findDivergence(a, b, pathA, pathB)
	if c.A.IsOver() && c.B.IsOver() {
		c.EndDifferences, c.DifferingVariables, c.FinalOutputDifferences = c.endDifferences(), differingVariables(c.A.Track, c.B.Track), c.longFinalOutputDifferences()
	}
	return c
}

// ReadTextDifferences fills in the texts of all pairs.
func (c *Comparison) ReadTextDifferences() error {
	for i := range c.Pairs {
		var err error
		if c.Pairs[i].TextDifferences, err = c.TextDifferences(c.Pairs[i]); err != nil {
			return err
		}
	}
	return nil
}

func runOf(s Side, t *track.Track) Run {
	r := Run{ID: s.RunID, DocumentPath: s.Plan.Path, Format: s.Plan.Format, Track: t, Started: startOf(s), EntryCount: len(t.EnteredSteps)}
	r.DurationMS = t.Duration().Milliseconds()
	if t.Finished != nil {
		r.Result, r.Message = t.Finished.Result, t.Finished.Message
	}
	return r
}

// startOf returns when a run began. A fork begins when it is made.
func startOf(s Side) time.Time {
	for _, e := range slices.Backward(s.Events) {
		switch b := e.Body.(type) {
		case *machine.RunStarted:
			return e.Time
		case *machine.RunForked:
			if b.NewRunID == s.RunID {
				return e.Time
			}
		}
	}
	return time.Time{}
}

// trackAfter returns the track of a run after its first n events.
func trackAfter(s Side, n int) *track.Track {
	t := track.New(s.Plan)
	t.Fold(s.Events[:n]...)
	return t
}

// changedFiles lists the files that differ between the runs. A file that only one run has counts as
// changed. If the documents are in different folders, files with the same name below those match.
func changedFiles(sideA, sideB Side) []string {
	a, b := sideA.SourceHashes, sideB.SourceHashes
	if sideA.DocumentPath != sideB.DocumentPath {
		a, b = sideA.hashByName(), sideB.hashByName()
	}
	var out []string
	for _, path := range slices.Sorted(maps.Keys(a)) {
		if a[path] != b[path] {
			out = append(out, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(b)) {
		if _, known := a[path]; !known {
			out = append(out, path)
		}
	}
	return out
}

// hashByName returns the hashes of a run's files, by their names in the folder of the document.
func (s Side) hashByName() map[string]string {
	folder := s.DocumentPath + "/"
	if _, isFile := s.SourceHashes[s.DocumentPath]; isFile {
		folder = filepath.Dir(s.DocumentPath) + "/"
	}
	out := make(map[string]string, len(s.SourceHashes))
	for path, hash := range s.SourceHashes {
		out[strings.TrimPrefix(path, folder)] = hash
	}
	return out
}

// areUnrelated reports whether the runs have no file in common, not even under different names.
func areUnrelated(a, b map[string]string) bool {
	hashes := slices.Collect(maps.Values(b))
	for path, hash := range a {
		if _, known := b[path]; known || slices.Contains(hashes, hash) {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// DocumentSentences returns sentences about the documents that differ between the runs.
func (c *Comparison) DocumentSentences() (out []string) {
	if c.AreUnrelated {
		return []string{"The runs are of different documents: they may have nothing in common."}
	}
	for _, file := range c.ChangedFiles {
		out = append(out, file+" differs between the runs.")
	}
	return out
}

// forkOf returns which run is a fork of the other, nil if neither is.
func forkOf(a, b Side) *Fork {
	for _, s := range [][2]Side{{a, b}, {b, a}} {
		for _, e := range s[0].Events {
			if f, ok := e.Body.(*machine.RunForked); ok && f.NewRunID == s[0].RunID && f.FromRunID == s[1].RunID {
				return &Fork{RunID: f.NewRunID, OriginalRunID: f.FromRunID, EventSeq: f.FromSeq}
			}
		}
	}
	return nil
}

// alignAttempts pairs the attempts of two runs. As long as both take the same path, each attempt is paired with
// its counterpart. After that, as many attempts as possible are paired.
func alignAttempts(a, b []*Attempt) []AttemptPair {
	n := commonPrefixLength(a, b)
	pairs := make([]AttemptPair, 0, max(len(a), len(b)))
	for i := range n {
		pairs = append(pairs, AttemptPair{A: a[i], B: b[i]})
	}
	a, b = a[n:], b[n:]
	for _, e := range diff.Edits(attemptKeys(a), attemptKeys(b)) {
		var p AttemptPair
		if e.Op != diff.Insert {
			p.A = a[e.PosX]
		}
		if e.Op != diff.Delete {
			p.B = b[e.PosY]
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// commonPrefixLength returns the number of equal attempts at the beginning of both paths.
func commonPrefixLength(a, b []*Attempt) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Key == b[n].Key {
		n++
	}
	return n
}

func attemptKeys(attempts []*Attempt) []string {
	out := make([]string, len(attempts))
	for i, attempt := range attempts {
		out[i] = attempt.Key
	}
	return out
}
