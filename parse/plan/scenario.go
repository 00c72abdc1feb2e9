package plan

// Scenario is a run that a document describes, for `playhead test`: what a person
// does, and how the run is meant to end. The format's parser has translated it,
// so nothing below it knows how the document writes it.
type Scenario struct {
	Name        string
	Description string
	Commands    []string  // as the document writes them, for show
	Prompted    bool      // nothing is executed, a person decides every unit
	Decide      []string  // what a person does, in the words of --decide: pass, fail, goto:2, complete:msg, stop:msg
	Result      RunResult // Completed or Stopped
	Skip        string    // why it is not run
	Invalid     string    // why it cannot be run, and fails
	Line        int
}
