package playbook

import "fmt"

// reach warns of arms that can never be taken (spec §8). Conditions compare one variable with one
// text. So what the earlier arms leave open is, for each variable, one text that it must be or some
// texts that it is not.
func (f *flow) reach(b *block) {
	r := openCases{f: f, remaining: map[string]*remaining{}}
	for _, a := range b.arms {
		if a.word == "else" {
			if r.isEmpty {
				r.warn(place{Line: a.line}, "this else can never be taken: the branches before it cover every case")
			}
			continue
		}
		r.arm(a.cond)
	}
}

func (r *openCases) arm(c condition) {
	v := r.of(c.variable)
	equal := c.operator == "=="
	switch options := r.f.options(c.variable); {
	case options != nil && !options[c.value] && equal:
		r.warn(c.at, fmt.Sprintf("this branch can never be taken: %q is not one of the values of %q", c.value, c.variable))
	case options != nil && !options[c.value]:
		r.warn(c.at, fmt.Sprintf("this condition always holds: %q is not one of the values of %q", c.value, c.variable))
	case r.isEmpty || !v.can(c.value, equal):
		r.warn(c.at, "this branch can never be taken: one before it covers this case")
	}
	if !v.assume(c.value, !equal) {
		r.isEmpty = true
	}
}

// openCases are the values that no arm so far covers.
type openCases struct {
	f         *flow
	remaining map[string]*remaining
	isEmpty   bool // no values are left
}

func (r *openCases) of(variable string) *remaining {
	v := r.remaining[variable]
	if v == nil {
		v = &remaining{excluded: map[string]bool{}}
		if in := r.f.d.input[variable]; in != nil {
			v.values, v.count = in.values, len(in.values)
		}
		r.remaining[variable] = v
	}
	return v
}

func (r *openCases) warn(at place, message string) {
	r.f.d.add(at, finding{"branch-unreachable", message, "check the values that are compared"})
}

// options returns the possible values of a variable, nil for any.
func (f *flow) options(variable string) map[string]bool {
	if in := f.d.input[variable]; in != nil {
		return in.values
	}
	if def := f.defined[variable]; def != nil {
		return def.options
	}
	return nil
}

// remaining is what a variable can still be.
type remaining struct {
	values   map[string]bool // of an input with a fixed set of values; nil: any text
	count    int             // the number of values that are not excluded
	only     *string         // the only possible value, if known
	excluded map[string]bool
}

// has reports whether the variable can still be a text.
func (v *remaining) has(value string) bool {
	return (v.only == nil || *v.only == value) && !v.excluded[value] && (v.values == nil || v.values[value])
}

// can reports whether a comparison can still hold.
func (v *remaining) can(value string, equal bool) bool {
	switch {
	case equal:
		return v.has(value)
	case v.only != nil:
		return *v.only != value
	case v.values == nil:
		return true
	case v.has(value):
		return v.count > 1
	}
	return v.count > 0
}

// assume assumes that a comparison holds. It reports whether that is possible.
func (v *remaining) assume(value string, equal bool) bool {
	if !v.can(value, equal) {
		return false
	}
	switch {
	case equal:
		v.only = &value
	case !v.excluded[value]:
		v.excluded[value] = true
		if v.values[value] {
			v.count--
		}
	}
	return true
}
