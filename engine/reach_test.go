package engine_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// judged is a document in which a person decides everything, with groups, retries,
// instances and jumps.
const judged = `## 1 A
- FAIL: RETRY 1 GOTO Help
## 2 B
- PASS ANY: CONTINUE
- FAIL ALL: RETRY 1 STOP "both"
### 2.1 x
### 2.2 y
- FAIL: GOTO 2.1
## 3 C
- FAIL ANY: GOTO Help
### 3.{n} z
- PASS: GOTO NEXT
- FAIL: CONTINUE
## Help
- PASS: GOTO 2
- FAIL: STOP
`

// TestHeadlessTakesSamePath: a headless run with a person's decisions prepared takes the same path to the same result.
func TestHeadlessTakesSamePath(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		items := rapid.SliceOfN(rapid.SampledFrom([]string{
			"pass", "fail", "pass", "fail", "retry", "skip", "goto:1", "goto:2.2", "goto:3.{n}", "goto:Help",
		}), 1, 12).Draw(rt, "items")
		f := newFixture(t, judged)
		f.plan.EntryLimit.Max = 40
		byHand, done := steered(rt, f, items)
		var queue []engine.PreparedAnswer
		for _, item := range items[:done] {
			queue = append(queue, engine.PreparedAnswer{Value: item, PreparedBy: machine.ByFlag})
		}
		s := f.session("", func(c *engine.Config) { c.PreparedAnswers = &engine.PreparedAnswers{Queue: queue} })
		end, err := s.Run(t.Context())
		if err != nil {
			rt.Fatal(err)
		}
		headless := s.WatchFromStart().Take().Events
		if joinedPath(headless) != joinedPath(byHand) {
			rt.Fatalf("%v: by hand %s, headless %s", items, joinedPath(byHand), joinedPath(headless))
		}
		if by := finished(byHand); by != nil && by.Result != end.Result {
			rt.Fatalf("%v: by hand %s, headless %s", items, by.Result, end.Result)
		}
	})
}

// steered returns the events of a run in which a person does one item after another until it is over. done is the
// number of items done.
func steered(rt *rapid.T, f *fixture, items []string) (events []machine.Event, done int) {
	s := f.session("", func(c *engine.Config) { c.Headless = false })
	l := steer(f.t, s)
	defer s.Close()
	asked := func() bool {
		state := l.until("asked, or over", func(s engine.Status) bool { return s.State == engine.Waiting || s.State == engine.Over }).State
		return state == engine.Waiting
	}
	for _, item := range items {
		if !asked() {
			break
		}
		l.last = engine.Status{}
		if err := byPerson(s, item); err != nil {
			rt.Fatal(err)
		}
		done++
	}
	asked()
	return l.all, done
}

func byPerson(s *engine.Session, item string) error {
	verb, arg, _ := strings.Cut(item, ":")
	switch verb {
	case "retry":
		return s.Retry("")
	case "skip":
		return s.OverrideCurrent(plan.Skipped, "")
	case "goto":
		return s.Jump(arg, "")
	default:
		return s.Answer(machine.Answer{Value: item, By: machine.ByPerson})
	}
}
