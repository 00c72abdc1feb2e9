package setup

import "testing"

// TestDecideLines: line ends can separate the answers of --decide, as in the output of a command.
func TestDecideLines(t *testing.T) {
	for _, flag := range []string{"yes,no,yes", "yes\nno\nyes\n", "yes,no\nyes"} {
		queue, err := AnswerOptions{Decide: []string{flag}}.answersInOrder()
		if err != nil || len(queue) != 3 {
			t.Errorf("%q: %v, %v", flag, queue, err)
		}
	}
	if queue, err := (AnswerOptions{Decide: []string{""}}).answersInOrder(); err != nil || len(queue) != 0 {
		t.Errorf("nothing: %v, %v", queue, err)
	}
}
