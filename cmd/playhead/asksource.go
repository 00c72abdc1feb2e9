package main

import (
	"fmt"

	"playhead/engine/model"
	"playhead/engine/sanitize"
)

// leave takes over what nobody said of where replies come from: a person is asked,
// if there is something to choose, and told otherwise.
func (r *runner) leave(left unsaid) {
	r.ask = left.ask && !r.view.headless()
	if left.note != "" && !r.ask {
		r.notes = append(r.notes, left.note)
	}
}

// askSource has a person choose, in lines, where replies come from.
func (r *runner) askSource() error {
	if !r.ask {
		return nil
	}
	all := model.Offered(r.config.Sources)
	fmt.Fprintln(r.out, "The document asks a model, and none is set up. What replies instead?")
	for i, o := range all {
		fmt.Fprintf(r.out, "  %d  %s  %s\n", i+1, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	i, err := pick(r.out, len(all), func() (string, error) { return r.typed.ReadString('\n') })
	if err != nil {
		return usage("nothing was run: nobody said where replies come from")
	}
	return beginWith(&r.config, all[i].Name)
}
