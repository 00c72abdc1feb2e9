package playbook

import "fmt"

// warnUnreachableArms warns of arms that can never be taken (spec §8). Each condition compares one variable
// with one text. So the earlier arms leave, for each variable, either one possible text, or all texts
// except some.
func (f *variableFlow) warnUnreachableArms(b *branchBlock) {
	r := uncoveredCases{variableFlow: f, remaining: map[string]*remainingValues{}}
	for _, a := range b.arms {
		if a.word == "else" {
			if r.isEmpty {
				r.warn(place{Line: a.line}, "this else can never be taken: the branches before it cover every case")
			}
			continue
		}
		r.checkArm(a.condition)
	}
}

// checkArm warns of an if or elif that can never be taken or always is, and removes the cases that it covers.
func (u *uncoveredCases) checkArm(c condition) {
	v := u.remainingOf(c.variable)
	equal := c.operator == "=="
	switch options := u.variableFlow.possibleValues(c.variable); {
	case options != nil && !options[c.value] && equal:
		u.warn(c.place, fmt.Sprintf("%q is not a possible value of %q, so this branch is never taken", c.value, c.variable))
	case options != nil && !options[c.value]:
		u.warn(c.place, fmt.Sprintf("%q is not a possible value of %q, so this branch is taken for every value", c.value, c.variable))
	case u.isEmpty || !v.canComparisonHold(c.value, equal):
		u.warn(c.place, "this branch can never be taken: its case is covered earlier")
	}
	if !v.assumeComparison(c.value, !equal) {
		u.isEmpty = true
	}
}

// uncoveredCases are the values that no arm so far covers.
type uncoveredCases struct {
	variableFlow *variableFlow
	remaining    map[string]*remainingValues // by variable
	isEmpty      bool                        // no values are left
}

func (u *uncoveredCases) remainingOf(variable string) *remainingValues {
	v := u.remaining[variable]
	if v == nil {
		v = &remainingValues{excluded: map[string]bool{}}
		if in := u.variableFlow.document.inputByName[variable]; in != nil {
			v.fixedValues, v.valueCount = in.allowedValues, len(in.allowedValues)
		}
		u.remaining[variable] = v
	}
	return v
}

func (u *uncoveredCases) warn(at place, message string) {
	u.variableFlow.document.add(at, finding{"branch-unreachable", message, "check the values that are compared"})
}

// possibleValues returns the possible values of a variable, nil for any.
func (f *variableFlow) possibleValues(variable string) map[string]bool {
	if in := f.document.inputByName[variable]; in != nil {
		return in.allowedValues
	}
	if def := f.definitions[variable]; def != nil {
		return def.possibleValues
	}
	return nil
}

// remainingValues is the set of values that a variable can still have.
type remainingValues struct {
	fixedValues map[string]bool // of an input with a fixed set of values; nil: any text
	valueCount  int             // the number of values that are not excluded
	onlyValue   *string         // the only possible value, if known
	excluded    map[string]bool
}

// canBe reports whether the variable can still have this value.
func (v *remainingValues) canBe(value string) bool {
	return (v.onlyValue == nil || *v.onlyValue == value) && !v.excluded[value] && (v.fixedValues == nil || v.fixedValues[value])
}

// canComparisonHold reports whether a comparison can still hold.
func (v *remainingValues) canComparisonHold(value string, equal bool) bool {
	switch {
	case equal:
		return v.canBe(value)
	case v.onlyValue != nil:
		return *v.onlyValue != value
	case v.fixedValues == nil:
		return true
	case v.canBe(value):
		return v.valueCount > 1
	}
	return v.valueCount > 0
}

// assumeComparison assumes that a comparison holds. It reports whether that is possible.
func (v *remainingValues) assumeComparison(value string, equal bool) bool {
	if !v.canComparisonHold(value, equal) {
		return false
	}
	switch {
	case equal:
		v.onlyValue = &value
	case !v.excluded[value]:
		v.excluded[value] = true
		if v.fixedValues[value] {
			v.valueCount--
		}
	}
	return true
}
