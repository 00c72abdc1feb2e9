package rewrite

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"playhead/parse/plan"
)

// checkSameBehaviour makes sure that a document with an edit in it does what the edited run does,
// and is as it was in all else.
func checkSameBehaviour(before, after *plan.Plan, e Edit, text string) error {
	for _, d := range after.Diagnostics {
		if d.Severity == plan.Error && before.Runnable() {
			return fmt.Errorf("with this edit the document would have an error: %s", d.Brief())
		}
	}
	_, own, err := actionOf(before, e)
	if err != nil {
		return err
	}
	_, now, err := actionOf(after, e)
	if err != nil || !equal(own.WithText(text), now) {
		return errors.New("with this edit the document would be read differently: something in the text has a meaning in its format")
	}
	forget(before, e, own.DocumentText())
	forget(after, e, now.DocumentText())
	return checkNothingElse(before, after)
}

// checkNothingElse makes sure that nothing but the edit, which is forgotten, differs.
func checkNothingElse(before, after *plan.Plan) error {
	a, b := allSteps(before), allSteps(after)
	if len(a) != len(b) {
		return errors.New("with this edit the document would have other steps")
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return fmt.Errorf("this edit would change %s too", cmp.Or(a[i].ID, a[i].Title))
		}
	}
	before.Steps, after.Steps = nil, nil
	for _, p := range []*plan.Plan{before, after} {
		p.Source, p.Files, p.Diagnostics, p.Reads, p.Extra = nil, nil, nil, nil, nil
	}
	if !equal(before, after) {
		return errors.New("this edit would change more of the document than the step")
	}
	return nil
}

// allSteps are all steps, without those below them, and without what is only shown of them:
// that may hold all of the document.
func allSteps(p *plan.Plan) (out []plan.Step) {
	p.Walk(func(s, _ *plan.Step) bool {
		one := *s
		one.Extra, one.Notes, one.Actions, one.Children = nil, nil, slices.Clone(s.Actions), nil
		for i, a := range one.Actions {
			if w, ok := a.Work.(plan.Model); ok {
				w.Replies = choices(w.Choices())
				one.Actions[i].Work = w
			}
		}
		for _, c := range s.Children { // where they belong counts
			one.Children = append(one.Children, &plan.Step{ID: c.ID})
		}
		out = append(out, one)
		return true
	})
	return out
}

// choices are an offer that has been listed.
type choices []plan.Choice

// Choices implements plan.ReplyChoices.
func (c choices) Choices() []plan.Choice { return c }

// forget takes the edited text out of a plan: the action's, and the step's where that
// shows it.
func forget(p *plan.Plan, e Edit, text string) {
	s := p.Find(e.Step)
	if plan.Source(s.Text) == text {
		s.Text = nil
	}
	a := &s.Actions[e.Action]
	switch w := a.Work.(type) {
	case plan.Command:
		w.Text = nil
		a.Work = w
	case plan.Model:
		w.Prompt = nil
		a.Work = w
	case plan.Tool:
		w.Args = nil
		a.Work = w
	}
}

// equal reports whether two values are the same wherever they stand: lines and columns
// do not count.
func equal(a, b any) bool { return comparing{}.same(reflect.ValueOf(a), reflect.ValueOf(b)) }

// comparing are the pairs of pointers that are looked at, since values may refer to
// each other.
type comparing map[[2]unsafe.Pointer]bool

var (
	spanType    = reflect.TypeFor[plan.Span]()
	passageType = reflect.TypeFor[plan.Excerpt]()
)

func (c comparing) same(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		return c.pointers(a, b)
	case reflect.Interface:
		return c.same(a.Elem(), b.Elem())
	case reflect.Struct:
		return c.structs(a, b)
	case reflect.Slice, reflect.Array:
		return c.lists(a, b)
	case reflect.Map:
		return c.maps(a, b)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	}
	return a.Equal(b)
}

func (c comparing) pointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	pair := [2]unsafe.Pointer{a.UnsafePointer(), b.UnsafePointer()}
	if c[pair] {
		return true
	}
	c[pair] = true
	return c.same(a.Elem(), b.Elem())
}

func (c comparing) structs(a, b reflect.Value) bool {
	if a.Type() == spanType || a.Type() == passageType {
		return true
	}
	for i := range a.NumField() {
		switch strings.ToLower(a.Type().Field(i).Name) {
		case "line", "column":
			continue
		}
		if !c.same(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

func (c comparing) lists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !c.same(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func (c comparing) maps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for each := a.MapRange(); each.Next(); {
		if !c.same(each.Value(), b.MapIndex(each.Key())) {
			return false
		}
	}
	return true
}
