package track

import (
	"slices"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestSideEffects: a side effect is a command, named by its first telling line, or a tool call with its arguments. A
// call that a person denied, or has not approved yet, is none.
func TestSideEffects(t *testing.T) {
	at := func(step string, b machine.Body) machine.Event { return machine.Event{Step: step, Body: b} }
	command := func(step, text string) machine.Event {
		return at(step, &machine.ActionStarted{Kind: "command", Text: text})
	}
	call := at("3", &machine.ActionStarted{Kind: "tool", Call: &machine.Call{Tool: "send", Args: "{\n  \"to\": \"Bo\"\n}"}})
	result := at("3", &machine.ActionFinished{Kind: "tool"})
	asked := at("3", &machine.InputNeeded{Kind: machine.KindApproveCall})
	answered := func(value string) machine.Event {
		return at("3", &machine.InputGiven{Kind: machine.KindApproveCall, Value: value})
	}
	filed := result
	filed.By = machine.ByFile
	const sent = `3 send { "to": "Bo" }`
	for name, c := range map[string]struct {
		before, since []machine.Event
		want          []string
	}{
		"telling lines": {nil, []machine.Event{
			command("1", "#!/bin/sh\nset -eu\n\nstatus=0\nname=${TMP:-/tmp}/x\ncd \"$name\".??\nmake push # all\n"), command("2", "set -e\n# no more\n"), command("2~2", "v=$(date)"), command("3", "cd x && make"),
		}, []string{"1 make push", "2 set -e", "2~2 v=$(date)", "3 cd x && make"}},
		"a call":                {nil, []machine.Event{call, result}, []string{sent}},
		"one that is on":        {nil, []machine.Event{call}, []string{sent}},
		"asked about":           {nil, []machine.Event{call, asked}, nil},
		"denied":                {nil, []machine.Event{call, asked, answered("no"), result}, nil},
		"allowed":               {[]machine.Event{call, asked}, []machine.Event{answered("yes"), result}, []string{sent}},
		"allowed before":        {[]machine.Event{command("1", "ls"), call, asked, answered("yes")}, []machine.Event{result}, []string{sent}},
		"prepared":              {nil, []machine.Event{call, filed}, nil},
		"a model has none":      {nil, []machine.Event{at("1", &machine.ActionStarted{Kind: "model", Text: "Hi"}), at("1", &machine.ActionFinished{Kind: "model"})}, nil},
		"two, one made already": {[]machine.Event{call, result}, []machine.Event{call, asked, answered("no"), result}, nil},
	} {
		if got := SideEffects(c.before, c.since); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSupersededEffectCount: a superseded effect counts once. It does not count if a redo returned to it, or if it
// belongs to the source run of a fork.
func TestSupersededEffectCount(t *testing.T) {
	did := func() machine.Body { return &machine.ActionStarted{Kind: "command", Text: "make"} }
	rewound := func(to int) machine.Body { return &machine.RunRewound{ToSeq: to} }
	call := &machine.ActionStarted{Kind: "tool"}
	asked, allowed := &machine.InputNeeded{Kind: machine.KindApproveCall}, &machine.InputGiven{Kind: machine.KindApproveCall, Value: "yes"}
	result := &machine.ActionFinished{Kind: "tool"}
	for name, c := range map[string]struct {
		bodies []machine.Body
		want   int
	}{
		"no rewind":       {[]machine.Body{&machine.RunStarted{}, did()}, 0},
		"rewind":          {[]machine.Body{&machine.RunStarted{}, did(), did(), rewound(1), did()}, 2},
		"two rewinds":     {[]machine.Body{&machine.RunStarted{}, did(), did(), rewound(2), did(), rewound(1), did()}, 3},
		"back and again":  {[]machine.Body{&machine.RunStarted{}, did(), did(), rewound(1), rewound(3), rewound(1)}, 2},
		"redo":            {[]machine.Body{&machine.RunStarted{}, did(), rewound(1), rewound(2)}, 0},
		"fork":            {[]machine.Body{&machine.RunStarted{}, did(), rewound(1), &machine.RunForked{FromSeq: 1}}, 0},
		"approved again":  {[]machine.Body{&machine.RunStarted{}, call, asked, allowed, result, rewound(3), allowed, result, rewound(1)}, 2},
		"running twice":   {[]machine.Body{&machine.RunStarted{}, call, asked, allowed, rewound(3), allowed, rewound(1)}, 2},
		"not continued":   {[]machine.Body{&machine.RunStarted{}, call, asked, allowed, result, rewound(4), rewound(1)}, 1},
		"not approved":    {[]machine.Body{&machine.RunStarted{}, call, asked, allowed, result, rewound(3), rewound(1)}, 1},
		"rewind and fork": {[]machine.Body{&machine.RunStarted{}, did(), rewound(1), did(), rewound(1), &machine.RunForked{FromSeq: 1}}, 1},
	} {
		var journal []machine.Event
		for i, b := range c.bodies {
			journal = append(journal, machine.Event{Seq: i + 1, Step: "1", Body: b})
		}
		if got := SupersededEffectCount(journal); got != c.want {
			t.Errorf("%s: %d effects, want %d", name, got, c.want)
		}
	}
}

// TestEffectCounts: a command counts only if it ran, not if it was denied or if a person or a file gave its result.
func TestEffectCounts(t *testing.T) {
	at := func(b machine.Body) machine.Event { return machine.Event{Step: "1", Attempt: 1, Body: b} }
	for value, commands := range map[string]int{"yes": 1, machine.AnsweredByPerson: 0, machine.DenyCall: 0, machine.ByFile: 0} {
		tr := New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}}})
		end := at(&machine.ActionFinished{Kind: "tool"})
		tr.Fold(machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}})
		tr.Fold(at(&machine.ActionStarted{Kind: "tool", Call: &machine.Call{Server: "local", Tool: plan.ToolBash, Args: "{}", ID: "a"}}))
		if value == machine.ByFile {
			end.By = value
		} else {
			tr.Fold(at(&machine.InputNeeded{Kind: machine.KindApproveCall}))
			tr.Fold(at(&machine.InputGiven{Kind: machine.KindApproveCall, Value: value}))
		}
		tr.Fold(end)
		if got := tr.EnsureAttempt(end).EffectCounts(); got.Commands != commands {
			t.Errorf("%s: %+v", value, got)
		}
	}
}

// TestCommandExcerpt: a command is called by its first line that does something, because a later one may not have been
// reached.
func TestCommandExcerpt(t *testing.T) {
	for text, want := range map[string]string{
		"set -e\n# build\nmake all # takes a while\n\n# done\n": "make all",
		"echo '# no comment' \"#1\" a#b # but this":             "echo '# no comment' \"#1\" a#b",
		`echo \# 'it'\''s' # end`:                               `echo \# 'it'\''s'`,
		"x=1\n":                                                 "x=1",
		"echo one\necho two\necho three\n":                      "echo one …",
		"set -e\nset -u":                                        "set -e …",
		"# nothing":                                             "# nothing",
		"set -e\nname=${TMPDIR:-/tmp}/x\nrm -rf \"$name\"   # of before\nmake": `rm -rf "$name" …`,
		"printf 'asking ...\\n'\nsleep 9\nmake\nexit 1\n":                      `printf 'asking ...\n' …`,
		"sleep 9\nmake\n":                                    "sleep 9 …",
		"[ -f key ] || exit 1\nmake push\n":                  "[ -f key ] || exit 1 …",
		"if [ -f lock ]; then\n  exit 1\nfi\nmake push\n":    "if [ -f lock ]; then …",
		"echo 'Nothing to do.'\nexit 0\nmake push\n":         "echo 'Nothing to do.' …",
		"version=\"$(git describe)\"\necho \"$version\"":     `version="$(git describe)" …`,
		"echo Building\nset -x; make\nmake install":          "set -x; make …",
		"curl -s \\\n  host":                                 "curl -s …",
		"echo \"one\ntwo\"\nmake":                            `echo "one …`,
		"mkdir -p out && make":                               "mkdir -p out && make",
		"export A=1 B=2\nC=\"x y\" make --version":           `C="x y" make --version`,
		"trap 'rm -f \"$t\"' EXIT\nexport A B\ncd src\nmake": "make",
	} {
		if got := CommandExcerpt(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
