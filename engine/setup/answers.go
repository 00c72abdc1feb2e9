package setup

import (
	"encoding/csv"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/parse/infile"
)

// AnswerOptions are the flags that prepare answers.
type AnswerOptions struct {
	Answers     []string // STEP=VALUE
	AnswersFile string
	Decide      []string // VALUE,VALUE,…
}

// preparedAnswers returns the answers of the flags and of the file.
func (o AnswerOptions) preparedAnswers() (*engine.PreparedAnswers, error) {
	all := &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{}}
	if o.AnswersFile != "" {
		source, err := infile.Read(o.AnswersFile, infile.MaxPersonFileSize)
		if err != nil {
			return nil, Errorf("cannot read the answers: %w", err)
		}
		if *all, err = scenario.ReadAnswers(source, machine.ByFile); err != nil {
			return nil, Errorf("%s: %w", o.AnswersFile, err)
		}
	}
	flags, err := o.answersByLabel()
	if err != nil {
		return nil, err
	}
	if all.ByLabel == nil {
		all.ByLabel = flags
	}
	maps.Copy(all.ByLabel, flags) // answers of flags replace those of the file for the same step
	queue, err := o.answersInOrder()
	all.Queue = append(all.Queue, queue...)
	return all, err
}

// answersByLabel returns the answers of --answer.
func (o AnswerOptions) answersByLabel() (map[string][]engine.PreparedAnswer, error) {
	out := map[string][]engine.PreparedAnswer{}
	for _, flag := range o.Answers {
		label, value, found := strings.Cut(flag, "=")
		if !found || label == "" {
			return nil, Errorf("--answer %q is not STEP=VALUE: write it like --answer 4=yes", flag)
		}
		item, _ := scenario.ParseAnswer(value, machine.ByFlag) // whether it fits the document is checked later
		out[label] = append(out[label], item)
	}
	return out, nil
}

// answersInOrder returns the answers of --decide, which it splits at commas and line ends. Quotes keep an item with a
// comma together, because it may be a message.
func (o AnswerOptions) answersInOrder() ([]engine.PreparedAnswer, error) {
	var out []engine.PreparedAnswer
	for _, flag := range o.Decide {
		r := csv.NewReader(strings.NewReader(flag))
		r.LazyQuotes, r.FieldsPerRecord = true, -1
		lines, err := r.ReadAll()
		if err != nil {
			return nil, Errorf("--decide %q cannot be read: %w", flag, err)
		}
		for _, value := range slices.Concat(lines...) {
			item, err := scenario.ParseAnswer(value, machine.ByFlag)
			if err != nil {
				return nil, Errorf("--decide: %w", err)
			}
			out = append(out, item)
		}
	}
	return out, nil
}
