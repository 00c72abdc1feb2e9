package playbook

import (
	"fmt"
	"maps"

	"playhead/parse/plan"
)

// variableFlow visits the steps in the order in which they run, and tracks which variables can be defined
// at each point (spec §8).
type variableFlow struct {
	document               *document
	definitions            map[string]*definition // outputs and answers so far
	firstStoringPartByName map[string]*stepPart   // where a name is first stored, anywhere
	usedNames              map[string]bool
	inArm                  bool
	armChanges             []definitionChange // the changes of definitions since the current arm began
}

// definition is the set of possible values of an output or an answer.
type definition struct {
	possibleValues map[string]bool // nil: any value
}

// definitionChange is a name and its definition before the change.
type definitionChange struct {
	name   string
	before *definition
}

// checkVariables checks every place that reads or stores a variable.
func (d *document) checkVariables() {
	f := &variableFlow{document: d, definitions: map[string]*definition{}, firstStoringPartByName: map[string]*stepPart{}, usedNames: map[string]bool{}}
	f.collectStoredNames()
	for _, s := range d.steps {
		f.checkStep(s)
	}
	f.checkUsesOfWholeRun(d.systemPromptText.variableUses())
	if m := placeholderPattern.FindStringSubmatch(d.artifact.kind); m != nil {
		f.checkUsesOfWholeRun([]variableUse{{name: m[1], place: d.artifact.place}})
	}
	if len(d.steps) > 0 && !d.fetchesText { // fetched text may read any of them
		f.reportUnused()
	}
}

// collectStoredNames finds all names that are stored.
func (f *variableFlow) collectStoredNames() {
	for _, s := range f.document.steps {
		for _, p := range s.parts {
			if p.elicit != nil {
				f.recordFirstStorer(answerVariableName(p.stepNumber), p)
			}
			for _, o := range p.storedOutputs {
				f.warnShadowing(o)
				if p.hasOwnContent() {
					f.recordFirstStorer(o.name, p)
				}
			}
		}
	}
}

// warnShadowing warns, once, of an output with the name of an input.
func (f *variableFlow) warnShadowing(o *output) {
	if f.document.inputByName[o.name] == nil || o.isShadowed {
		return
	}
	o.isShadowed = true
	f.document.add(o.place, finding{"output-shadows-input", fmt.Sprintf("%q is an input, which takes precedence: this output is not stored", o.name), "give the output another name"})
}

func (f *variableFlow) recordFirstStorer(name string, p *stepPart) {
	if f.firstStoringPartByName[name] == nil {
		f.firstStoringPartByName[name] = p
	}
}

func (f *variableFlow) checkStep(s *step) {
	f.checkPart(&s.stepPart)
	for _, b := range s.branchBlocks {
		f.checkBlock(b)
	}
}

// checkPart checks what a part reads and defines what it stores, in the order of spec §5: tool, question, prompt,
// placeholders, output.
func (f *variableFlow) checkPart(p *stepPart) {
	if t := p.tool; t != nil {
		f.checkUses(variableUsesIn(t.args, t.argsPlace), true)
	}
	if e := p.elicit; e != nil {
		f.checkUses(variableUsesIn(e.questionText, e.textPlace), true)
		f.define(answerVariableName(p.stepNumber), e.possibleAnswers())
	}
	if r := p.promptRef; r != nil {
		f.checkUses(variableUsesIn(r.id, r.idPlace), r.variable == "")
	}
	f.checkUses(p.content.variableUses(), true)
	for _, o := range p.storedOutputs {
		if !o.isShadowed && p.hasOwnContent() {
			f.define(o.name, p.possibleOutputs(o))
		}
	}
}

// possibleOutputs returns the possible values of an output of the part, nil for any.
func (p *stepPart) possibleOutputs(o *output) map[string]bool {
	switch {
	case o.valueType == "enum" && len(o.options) > 0:
		return allowedValueSet(o.options)
	case p.elicit != nil && p.tool == nil && !p.callsModel() && o.extractedField == "" && o.valueType == "":
		return p.elicit.possibleAnswers()
	}
	return nil
}

// possibleAnswers returns the possible answers to a question, nil for any.
func (e *elicit) possibleAnswers() map[string]bool {
	if e.questionKind == "confirm" {
		return allowedValueSet([]string{"yes", "no"})
	}
	return allowedValueSet(e.options)
}

// define stores a name. Its possible values are added to those it had before.
func (f *variableFlow) define(name string, options map[string]bool) {
	before := f.definitions[name]
	if before != nil {
		options = unionOfValues(options, before.possibleValues)
	}
	if f.inArm {
		f.armChanges = append(f.armChanges, definitionChange{name, before})
	}
	f.definitions[name] = &definition{options}
}

// maxPossibleValues limits the work for names that are stored again and again.
const maxPossibleValues = 64

// unionOfValues returns the values of both sets. It returns nil, for any value, if one is nil or there are
// too many.
func unionOfValues(a, b map[string]bool) map[string]bool {
	if a == nil || b == nil || len(a)+len(b) > maxPossibleValues {
		return nil
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// checkBlock checks conditions and arms. Each arm sees what was defined before the block, and what
// follows sees the definitions of all arms.
func (f *variableFlow) checkBlock(b *branchBlock) {
	for _, a := range b.arms {
		f.checkCondition(&a.condition)
	}
	f.warnUnreachableArms(b)
	var stored []definitionChange
	f.inArm = true
	for _, a := range b.arms {
		for _, p := range a.substeps {
			f.checkPart(p)
		}
		stored = f.leaveArm(stored)
	}
	f.inArm = false
	for _, c := range stored {
		f.define(c.name, c.before.possibleValues)
	}
}

// leaveArm takes the current arm's definitions away, and returns them behind those of the arms before it.
func (f *variableFlow) leaveArm(stored []definitionChange) []definitionChange {
	for i := len(f.armChanges) - 1; i >= 0; i-- {
		c := f.armChanges[i]
		stored = append(stored, definitionChange{c.name, f.definitions[c.name]})
		if f.definitions[c.name] = c.before; c.before == nil {
			delete(f.definitions, c.name)
		}
	}
	f.armChanges = f.armChanges[:0]
	return stored
}

// checkCondition finds out where a condition's variable comes from.
func (f *variableFlow) checkCondition(c *condition) {
	if c.variable == "" {
		return
	}
	f.usedNames[c.variable] = true
	switch {
	case f.document.inputByName[c.variable] != nil:
		c.variableSource = "input"
	case f.definitions[c.variable] != nil:
		c.variableSource = "output"
	default:
		c.variableSource = plan.UnknownSource
		f.document.add(c.place, finding{"condition-variable", fmt.Sprintf("no input and no earlier @output defines %q: it is empty here%s", c.variable, f.laterStoringStepText(c.variable)), "use an input, or the @output of an earlier step, in the condition"})
	}
}

// checkUses checks placeholders against the definitions so far. staysLiteral says that an undefined placeholder stays as
// it is; otherwise its step fails.
func (f *variableFlow) checkUses(all []variableUse, staysLiteral bool) {
	for _, r := range all {
		f.usedNames[r.name] = true
		if r.hasDefault || f.document.inputByName[r.name] != nil || f.definitions[r.name] != nil {
			continue
		}
		consequence := "the step fails"
		if staysLiteral {
			consequence = "{{" + r.name + "}} stays as it is"
		}
		f.document.add(r.place, finding{"placeholder-undefined", fmt.Sprintf("nothing before this step defines %q: %s%s", r.name, consequence, f.laterStoringStepText(r.name)), "use the name of an input, or of an earlier step's @output"})
	}
}

// checkUsesOfWholeRun checks the placeholders of texts that are rendered throughout the run.
func (f *variableFlow) checkUsesOfWholeRun(all []variableUse) {
	for _, r := range all {
		f.usedNames[r.name] = true
		if !r.hasDefault && f.document.inputByName[r.name] == nil && f.firstStoringPartByName[r.name] == nil {
			f.document.add(r.place, finding{"placeholder-undefined", fmt.Sprintf("nothing defines %q: {{%s}} stays as it is", r.name, r.name), "use the name of an input, or of a step's @output"})
		}
	}
}

// laterStoringStepText returns a clause that names the first step that stores a name, "" if none does. It requires that
// no step before the current one stores it.
func (f *variableFlow) laterStoringStepText(name string) string {
	if p := f.firstStoringPartByName[name]; p != nil {
		return fmt.Sprintf("; %s defines it, but does not run before this step", p.nameForMessages())
	}
	return ""
}

// reportUnused reports what is declared or stored and never read.
func (f *variableFlow) reportUnused() {
	for _, in := range f.document.inputs {
		if !f.usedNames[in.Name] {
			f.document.add(in.place, finding{"unused-input", fmt.Sprintf("nothing uses the input %q", in.Name), "write {{" + in.Name + "}} where it is needed, or remove it"})
		}
	}
	for _, s := range f.document.steps {
		for _, p := range s.parts {
			for _, o := range p.storedOutputs {
				f.reportUnusedOutput(o)
			}
		}
	}
}

func (f *variableFlow) reportUnusedOutput(o *output) {
	if o.isShadowed || f.usedNames[o.name] {
		return
	}
	f.usedNames[o.name] = true
	f.document.add(o.place, finding{"unused-output", fmt.Sprintf("nothing refers to the output %q by name", o.name), "write {{" + o.name + "}} where it is needed, or remove the @output"})
}
