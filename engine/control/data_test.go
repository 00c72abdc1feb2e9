package control_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestArgumentsAsData: arguments that are sent to another process are the same there.
func TestArgumentsAsData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := drive(t)
		d.sync()
		if err := d.do("over"); err != nil {
			t.Fatal(err)
		}
		reply := "a reply"
		for _, c := range []struct {
			action string
			args   control.Args
		}{
			{"jump", control.Args{Row: d.RowByLabel("2.1"), Note: "because"}},
			{"rerun", control.Args{}},
			{"rewind", control.Args{EventSeq: 1}},
			{"override", control.Args{Result: plan.Failed, Note: "no", Assignments: []plan.Assignment{{Name: "x", Value: "1"}}}},
			{"set", control.Args{Name: "x", Text: "a = b"}},
			{"break", control.Args{Breakpoint: engine.Breakpoint{Step: "3", After: true}}},
			{"break", control.Args{Breakpoints: []engine.Breakpoint{{Step: "3"}, {Step: "1", IsLogpoint: true}}}},
			{"break", control.Args{Breakpoints: []engine.Breakpoint{}}},
			{"complete", control.Args{Text: "so far"}},
			{"answer", control.Args{Answer: &machine.Answer{Fields: []string{"a", ""}, By: machine.ByPerson, Note: "seen"}}},
			{"approvals", control.Args{Text: machine.ApproveOnce}},
			{"instead", control.Args{EventSeq: 1, WhatIfChange: machine.WhatIfChange{Reply: &reply}}},
			{"edit", control.Args{Row: d.RowByLabel("1"), Text: "echo two\nlines", ActionIndex: 0}},
			{"source", control.Args{Text: "manual"}},
		} {
			a := control.FindAction(c.action)
			data, err := a.EncodeArguments(c.args).JSON()
			if err != nil {
				t.Fatal(err)
			}
			got, err := a.ReadArguments(d.RunView, data)
			if c.action == "answer" {
				c.args.Note = c.args.Answer.Note
			}
			if err != nil || !reflect.DeepEqual(got, c.args) {
				t.Errorf("%s %s: %v\ngot  %+v\nwant %+v", c.action, data, err, got, c.args)
			}
		}
		whole := control.Args{Answer: &machine.Answer{Value: "pass", By: machine.ByPerson, Note: "seen"}}
		data, _ := control.FindAction("answer").EncodeArguments(whole).JSON()
		if got, err := control.FindAction("answer").ReadArguments(d.RunView, data); err != nil || got.Text != "pass" || got.Note != "seen" {
			t.Errorf("answer %s: %+v, %v", data, got, err)
		}
	})
}

// TestListedBreakpoints: a list of breakpoints from another process keeps the fields of the run's breakpoints that
// their text does not contain. So a breakpoint of a flag is not stored for later runs.
func TestListedBreakpoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := drive(t)
		d.sync()
		d.Breakpoints = []engine.Breakpoint{{Step: "2.1", IsFromFlag: true}, {Step: "3", NthHit: 2, IsFromFlag: true}, {Step: "gone", HasNoStep: true}}
		got, err := control.FindAction("break").ReadArguments(d.RunView, json.RawMessage(`{"all": ["2.1", "3 hit 2 off", "3 hit 3", "gone", "1"]}`))
		want := []engine.Breakpoint{
			{Step: "2.1", IsFromFlag: true}, {Step: "3", NthHit: 2, IsDisabled: true, IsFromFlag: true}, {Step: "3", NthHit: 3}, {Step: "gone", HasNoStep: true}, {Step: "1"},
		}
		if err != nil || !reflect.DeepEqual(got.Breakpoints, want) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got.Breakpoints, want)
		}
	})
}

// TestRefusedData: arguments that the action does not have, that are missing or that have a wrong value are refused.
func TestRefusedData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := drive(t)
		d.sync()
		for _, c := range []struct{ action, data, want string }{
			{"pass", `{"step":"1"}`, `pass has no argument "step"`},
			{"jump", `{}`, `jump: the argument "step" is missing`},
			{"edit", `{"step":"1","action":9,"text":"x"}`, "edit: step 1 has no action 9"},
			{"edit", `{"step":"1","action":-1,"text":"x"}`, "edit: step 1 has no action -1"},
			{"jump", `{"step":["1"]}`, "the argument \"step\" must be a string or a number"},
			{"set", `{"value":"1"}`, `set: the argument "name" is missing`},
			{"answer", `{}`, `answer: the argument "value" is missing`},
			{"break", `{"all":["9"]}`, "9"},
			{"rewind", `{"event":99}`, `"99" is not the number of an event of this run`},
			{"pass", `[1]`, "the arguments must be a JSON object or a string"},
		} {
			_, err := control.FindAction(c.action).ReadArguments(d.RunView, json.RawMessage(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %s: %v, want %q", c.action, c.data, err, c.want)
			}
		}
	})
}

// TestEarlierNames: programs and lines may still call an action by a name that it had in an earlier version.
func TestEarlierNames(t *testing.T) {
	for earlier, now := range map[string]string{"by-hand": "manual-reply", "again": "rerun"} {
		if a := control.FindActionByAlias(earlier); a == nil || a.Name != now {
			t.Errorf("%s means %v, not %s", earlier, a, now)
		}
	}
}
