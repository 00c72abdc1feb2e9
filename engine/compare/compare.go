// Package compare lays two runs of one document side by side: which of their visits
// belong together, where their paths diverge and why, and what is not the
// same in steps that both went through.
//
// A comparison is made of events, as everything is that a person sees of a run. Steps
// are known by their keys, which survive edits of the document, so runs of two versions
// of it are compared too. What was printed is read only where sizes do not decide.
package compare

import (
	"io"
	"maps"
	"slices"
	"time"

	"znkr.io/diff"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Side is one of two runs.
type Side struct {
	Run     string
	Plan    *plan.Plan        // as the run had it
	Sources map[string]string // hashes of its files, by path
	Events  []machine.Event   // of one branch, from the start
	// Open opens what an action printed, raw. nil: there is only what the events say.
	Open func(*machine.LogRef) (io.ReadCloser, error)
}

// Comparison is two runs, A and B, side by side.
type Comparison struct {
	A            Run          `json:"a"`
	B            Run          `json:"b"`
	Changed      []string     `json:"changed,omitempty"` // files of the document that are not the same in both
	AreUnrelated bool         `json:"foreign,omitempty"` // the runs have no file in common, as of documents that have nothing to do with each other
	Fork         *Fork        `json:"fork,omitempty"`
	Divergence   *Divergence  `json:"parting,omitempty"` // nil: they took the same path
	Pairs        []Pair       `json:"pairs"`
	Ends         []Difference `json:"ends,omitempty"`      // of how they ended, if both are over
	Values       []Value      `json:"variables,omitempty"` // that are not the same at the end
	Final        []Text       `json:"final,omitempty"`     // the final outputs, if they are not the same

	open [2]func(*machine.LogRef) (io.ReadCloser, error)
}

// Run is what there is to say of one of the runs as a whole.
type Run struct {
	ID         string         `json:"run"`
	Path       string         `json:"path,omitempty"`
	Format     string         `json:"format,omitempty"`
	Started    time.Time      `json:"started,omitzero"`
	Result     plan.RunResult `json:"result,omitempty"` // empty: it has not ended
	Message    string         `json:"message,omitempty"`
	DurationMS int64          `json:"duration_ms"`
	VisitCount int            `json:"executions"`

	Track *track.Track `json:"-"` // all of it
}

// Fork says that one of the runs was made of the other.
type Fork struct {
	Run   string `json:"run"`
	Of    string `json:"of"`
	Event int    `json:"event"` // of the other, after which it is a run of its own
}

// Pair is a visit of A and the visit of B that belongs to it; one of them may be nil.
type Pair struct {
	A       *Visit       `json:"a,omitempty"`
	B       *Visit       `json:"b,omitempty"`
	Differs []Difference `json:"differs,omitempty"`
	Texts   []Text       `json:"texts,omitempty"` // filled in by Read
}

// Runs compares two runs.
func Runs(a, b Side) *Comparison {
	pathA, pathB := pathOf(a), pathOf(b)
	c := &Comparison{A: runOf(a, pathA.track), B: runOf(b, pathB.track), Changed: changed(a.Sources, b.Sources)}
	c.open = [2]func(*machine.LogRef) (io.ReadCloser, error){a.Open, b.Open}
	c.AreUnrelated = unrelated(a.Sources, b.Sources)
	c.Fork = forkOf(a, b)
	c.Pairs = align(pathA.visits, pathB.visits)
	for i := range c.Pairs {
		if p := &c.Pairs[i]; p.A != nil && p.B != nil {
			p.Differs = c.differences(p.A, p.B)
		}
	}
	c.Divergence = c.findDivergence(a, b, pathA, pathB)
	if c.A.IsOver() && c.B.IsOver() {
		c.Ends, c.Values, c.Final = c.endDifferences(), differingVariables(c.A.Track, c.B.Track), c.finalTexts()
	}
	return c
}

// Read fills in the texts of all pairs, for whoever wants the whole comparison at once.
func (c *Comparison) Read() error {
	for i := range c.Pairs {
		var err error
		if c.Pairs[i].Texts, err = c.Texts(c.Pairs[i]); err != nil {
			return err
		}
	}
	return nil
}

func runOf(s Side, t *track.Track) Run {
	r := Run{ID: s.Run, Path: s.Plan.Path, Format: s.Plan.Format, Track: t, Started: t.Started, VisitCount: len(t.Path)}
	r.DurationMS = t.Elapsed(t.Last).Milliseconds()
	if t.Finished != nil {
		r.Result, r.Message = t.Finished.Result, t.Finished.Message
	}
	return r
}

// trackAfter returns the track of a run after its first n events.
func trackAfter(s Side, n int) *track.Track {
	t := track.New(s.Plan)
	t.Fold(s.Events[:n]...)
	return t
}

// changed lists the files that are not the same in both runs. A file of one of them
// alone is one too.
func changed(a, b map[string]string) []string {
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

// unrelated reports whether no file of one is one of the other, also under another name.
func unrelated(a, b map[string]string) bool {
	hashes := slices.Collect(maps.Values(b))
	for path, hash := range a {
		if _, known := b[path]; known || slices.Contains(hashes, hash) {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// Documents returns sentences about the documents that differ between the runs.
func (c *Comparison) Documents() (out []string) {
	if c.AreUnrelated {
		return []string{"The runs are of different documents: their visits may have nothing in common."}
	}
	for _, file := range c.Changed {
		out = append(out, file+" is not the same in both.")
	}
	return out
}

// forkOf finds out whether one run was made of the other.
func forkOf(a, b Side) *Fork {
	for _, s := range [][2]Side{{a, b}, {b, a}} {
		for _, e := range s[0].Events {
			if f, ok := e.Body.(*machine.Forked); ok && f.As == s[0].Run && f.Run == s[1].Run {
				return &Fork{Run: f.As, Of: f.Run, Event: f.Seq}
			}
		}
	}
	return nil
}

// align pairs the visits of two runs. As long as both take the same path, each visit is paired with
// its counterpart. After that, as many visits as possible are paired.
func align(a, b []*Visit) []Pair {
	n := commonPrefixLength(a, b)
	pairs := make([]Pair, 0, max(len(a), len(b)))
	for i := range n {
		pairs = append(pairs, Pair{A: a[i], B: b[i]})
	}
	a, b = a[n:], b[n:]
	for _, e := range diff.Edits(keys(a), keys(b)) {
		var p Pair
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

// commonPrefixLength returns with how many equal visits both paths begin.
func commonPrefixLength(a, b []*Visit) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Key == b[n].Key {
		n++
	}
	return n
}

func keys(visits []*Visit) []string {
	out := make([]string, len(visits))
	for i, v := range visits {
		out[i] = v.Key
	}
	return out
}
