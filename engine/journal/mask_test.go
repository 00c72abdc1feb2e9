package journal

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// masked returns an event as the journal stores it.
func masked(t testing.TB, body machine.Body, secrets ...string) string {
	t.Helper()
	r := &Run{Folder: Folder{dir: "/runs/ab12"}, journal: &memory{}}
	r.AddSecrets(secrets...)
	line, err := r.encodeEvent(machine.Event{Seq: 1, Step: "2", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	if err := new(machine.Event).UnmarshalJSON(line); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	_, rest, _ := strings.Cut(string(line), `"step":"2"`)
	return strings.TrimSuffix(strings.TrimPrefix(rest, ","), "}\n")
}

func TestMask(t *testing.T) {
	output := func(s string) machine.Body { return &machine.WarningRecorded{Message: s} }
	value := func(v any) machine.Body { return &machine.VariableCaptured{Variable: "v", Value: v} }
	cases := map[string]struct {
		body    machine.Body
		secrets []string
		want    string
	}{
		"within text":         {output("key=hunter2;"), []string{"hunter2"}, `"code":"","message":"key=•••;"`},
		"quotes":              {output(`a"b\c`), []string{`"b\`}, `"code":"","message":"a•••c"`},
		"line breaks":         {output("x one\ntwo y"), []string{"one\ntwo"}, `"code":"","message":"x ••• y"`},
		"line by line":        {output("> first line\n> second line"), []string{"first line\nsecond line\n"}, `"code":"","message":"> •••\n> •••"`},
		"short lines are not": {output("{ }"), []string{"{\nhunter2\n}"}, `"code":"","message":"{ }"`},
		"blanks around":       {output("[hunter2]"), []string{" hunter2\n"}, `"code":"","message":"[•••]"`},
		"markup":              {output("a<b>&c"), []string{"<b>&"}, `"code":"","message":"a•••c"`},
		"separators":          {output("a\u2028b"), []string{"\u2028b"}, `"code":"","message":"a•••"`},
		"controls":            {output("a\x1b[1mb"), []string{"\x1b[1m"}, `"code":"","message":"a•••b"`},
		"colours within":      {output("a hun\x1b[31mter2 b"), []string{"hunter2"}, `"code":"","message":"a ••• b"`},
		"no width within":     {output("a hun\u200bter2 b"), []string{"hunter2"}, `"code":"","message":"a ••• b"`},
		"overwritten":         {output("a hunX\bter2 b\nc\r"), []string{"hunter2"}, `"code":"","message":"a ••• b\nc\r"`},
		"not UTF-8":           {output("a\xff\xfeb"), []string{"\xff\xfeb"}, `"code":"","message":"a•••"`},
		"a letter of escapes": {output("\n\tn"), []string{"n"}, `"code":"","message":"\n\t•••"`},
		"the longer first":    {output("hunter2"), []string{"hunter", "hunter2"}, `"code":"","message":"•••"`},
		"nothing":             {output("hunter2"), []string{"", " \n"}, `"code":"","message":"hunter2"`},
		"own words":           {&machine.StepFinished{Result: plan.Passed, Error: "pass"}, []string{"pass", "2"}, `"result":"pass","error":"•••","forced":false,"outcome":null`},
		"numbers":             {value(12345.0), []string{"12345"}, `"variable":"v","value":"•••"`},
		"numbers, other ways": {value(12345.5), []string{"12345.50"}, `"variable":"v","value":"•••"`},
		"other numbers":       {value([]any{1.0, true, nil}), []string{"12345", "true"}, `"variable":"v","value":[1,true,null]`},
		"keys of data":        {value(map[string]any{"hunter2": map[string]any{"id": "hunter2"}}), []string{"hunter2"}, `"variable":"v","value":{"•••":{"id":"•••"}}`},
		"keys of variables":   {&machine.RunStarted{Inputs: map[string]any{"token": "token"}}, []string{"token"}, `"run":"","format":"","path":"","inputs":{"token":"•••"}`},
		"what flags said":     {&machine.RunStarted{Options: machine.Options{SecretNames: []string{"t"}, FormatFlags: map[string][]string{"input": {"t=hunter2"}}}}, []string{"hunter2"}, `"run":"","format":"","path":"","options":{"secrets":["t"],"load":{"input":["t=•••"]}}`},
		"order": {&machine.StepFinished{Outcome: &plan.Outcome{Text: "hunter2", ChildResults: plan.ChildResults{{Label: "2", Result: "pass"}, {Label: "1", Result: "fail"}}}}, []string{"hunter2", "1"},
			`"result":"","forced":false,"outcome":{"result":"","text":"•••","results":{"2":"pass","1":"fail"}}`},
		"foreign": {&machine.UnknownBody{Raw: []byte(`{"seq":1,"type":"dreamt","step":"2","of":"\u0068unter2","n":1e3}`)}, []string{"hunter2"}, `"of":"•••","n":1e3`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { same(t, "line", c.want, masked(t, c.body, c.secrets...)) })
	}
}

func TestMaskAddsUp(t *testing.T) {
	_, r := newRun(t)
	r.AddSecrets("alpha")
	r.AddSecrets()
	r.AddSecrets("beta")
	record(t, r, &machine.WarningRecorded{Message: "alpha beta gamma"})
	if got := string(contents(t, r.eventsPath())); !strings.Contains(got, `"••• ••• gamma"`) {
		t.Errorf("journal %s", got)
	}
}

func TestWhatIsShownIsMaskedToo(t *testing.T) {
	_, r := newRun(t)
	e := machine.Event{Seq: 1, Time: start, Step: "2", Body: &machine.WarningRecorded{Message: "key hunter2"}}
	same(t, "without secrets", e, r.MaskEvent(e))
	r.AddSecrets("hunter2")
	want := e
	want.Body = &machine.WarningRecorded{Message: "key •••"}
	same(t, "with one", want, r.MaskEvent(e))
	e.Body = &machine.RunResumed{}
	same(t, "without one", e, r.MaskEvent(e))
	broken := r.MaskEvent(machine.Event{Seq: 1, Body: &machine.UnknownBody{Kind: "x", Raw: []byte(`{"hunter2`)}})
	if o, ok := broken.Body.(*machine.UnknownBody); !ok || strings.Contains(string(o.Raw), "hunter2") {
		t.Errorf("an event that cannot be masked is shown: %+v", broken)
	}
}

// TestMaskChangesNothingElse: masking does not change an event without secrets.
func TestMaskChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anyEvent(t)
		e.Seq = 1
		r := &Run{Folder: Folder{dir: "/runs/ab12"}, journal: &memory{}}
		plain, err := r.encodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		r.AddSecrets("no text that is drawn holds this")
		line, err := r.masker.maskJSON(plain)
		if err != nil {
			t.Fatal(err)
		}
		var want, got machine.Event
		if err := want.UnmarshalJSON(plain); err != nil {
			t.Fatal(err)
		}
		if err := got.UnmarshalJSON(line); err != nil {
			t.Fatal(err)
		}
		equal(t, want, got)
	})
}

// FuzzMask: masking leaves no secret, whatever the secret and the text around it are.
func FuzzMask(f *testing.F) {
	f.Add("hunter2", "key=hunter2")
	f.Add("n", "\n\\n")
	f.Add("\"\\", "a\"\\\"")
	f.Add("u00", "\x00\x01")
	f.Add("ab", "aabb")
	f.Fuzz(func(t *testing.T, secret, text string) {
		if strings.TrimSpace(secret) == "" || strings.Contains(secret, "*") {
			t.Skip()
		}
		var plain string
		_ = json.Unmarshal(encodeJSON(secret), &plain)
		body := &machine.VariableCaptured{Variable: text, Value: map[string]any{text + secret: []any{secret + text, secret}}}
		var got machine.VariableCaptured
		if err := json.Unmarshal([]byte("{"+masked(t, body, secret)+"}"), &got); err != nil {
			t.Fatal(err)
		}
		for _, s := range texts(got.Value) {
			if strings.Contains(s, plain) {
				t.Errorf("%q is in %q", plain, s)
			}
		}
	})
}

// FuzzMayHaveSecret: the quick check for secrets misses none.
func FuzzMayHaveSecret(f *testing.F) {
	f.Add("hunter2", "hunter3")
	f.Add("\"", "a\"b")
	f.Add("1.50", "1.5")
	f.Fuzz(func(t *testing.T, secret, text string) {
		m := (*masker)(nil).withSecrets([]string{secret})
		if m == nil {
			t.Skip()
		}
		var data any = text
		_ = json.Unmarshal([]byte(text), &data) // text that is JSON stands for itself
		line := append(append([]byte(`{"seq":1,"type":"captured","value":`), encodeJSON(data)...), '}')
		quick, err := m.maskLine(line)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := m.maskJSON(line)
		if err != nil {
			t.Fatal(err)
		}
		if string(quick) != string(slow) {
			t.Errorf("%s: quick %s, slow %s", line, quick, slow)
		}
	})
}

// texts returns all strings of a JSON value.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			out = append(out, texts(item)...)
		}
		return out
	case map[string]any:
		var out []string
		for key, item := range v {
			out = slices.Concat(out, []string{key}, texts(item))
		}
		return out
	}
	return nil
}
