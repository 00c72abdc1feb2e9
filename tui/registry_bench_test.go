package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/terminal"
)

// registryOf returns a registry of n steps with four routes each: to the next step, to itself, to another one, and
// to the closing step.
func registryOf(tb testing.TB, n int) *plan.Plan {
	const gate = `"structuredGate": {"allowedIntents": ["next", "repeat", "jump", "handoff"], "intentSchemaRef": "#/x", "intentField": "action"}`
	id := func(i int) string {
		return "continuation.x" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i%(n-1)))
	}
	var steps []string
	for i := range n - 1 {
		steps = append(steps, fmt.Sprintf(`%q: {"stepId": %[1]q, "name": "Step %[2]d", "stepKind": "work", "c2": "continuation", "c3": %[3]q, %[4]s,
			"transitions": {"next": {"target": %[5]q}, "repeat": {"target": %[1]q}, "jump": {"target": %[6]q}, "handoff": {"target": "closure.end"}}}`,
			id(i), i, strings.TrimPrefix(id(i), "continuation."), gate, id(i+1), id(i*7)))
	}
	steps = append(steps, `"closure.end": {"stepId": "closure.end", "name": "End", "stepKind": "closure", "c2": "closure", "c3": "end",
		"structuredGate": {"allowedIntents": ["closing"], "intentSchemaRef": "#/x", "intentField": "action"}, "transitions": {"closing": {"target": null}}}`)
	text := fmt.Sprintf(`{"agentId": "big", "version": "1.0.0", "c1": "steps", "entryStep": %q, "steps": {%s}}`, id(0), strings.Join(steps, ",\n"))
	p := parse.Load("big.json", parse.Options{FS: fstest.MapFS{"big.json": {Data: []byte(text)}}})
	if len(p.Steps) != n || !p.Runnable() {
		tb.Fatal(len(p.Steps), p.Diagnostics)
	}
	return p
}

// BenchmarkRegistry opens registries, and moves in the tree and in the map of routes. Each iteration presses a key and
// draws a frame.
func BenchmarkRegistry(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		p := registryOf(b, n)
		b.Run(fmt.Sprintf("%d/open", n), func(b *testing.B) {
			for b.Loop() {
				open(b, p, 160, 48)
			}
		})
		for name, keys := range map[string][]string{
			"tree":   {"down", "pgdown", "G", "up", "g"},
			"routes": {"2", "1"},
			"map":    {"m", "esc"},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				sc := open(b, p, 160, 48)
				sc.press("esc")
				keyed(b, sc, keys)
			})
		}
		for name, keys := range map[string][]string{"walk": {"down", "pgdown", "right", "G", "up", "left"}, "way": {"tab"}} {
			b.Run(fmt.Sprintf("%d/map-%s", n, name), func(b *testing.B) {
				sc := open(b, p, 160, 48)
				sc.press("esc", "m")
				keyed(b, sc, keys)
			})
		}
	}
}

// keyed presses one of the keys and draws a frame in each iteration.
func keyed(b *testing.B, sc *testScreen, keys []string) {
	for i := 0; b.Loop(); i++ {
		sc.m.Update(terminal.KeyPress(keys[i%len(keys)]))
		_ = sc.m.View()
	}
}
