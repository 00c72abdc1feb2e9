package main

import (
	"cmp"
	"fmt"

	"playhead/engine/model"
	"playhead/engine/sanitize"
)

// askSource has a person choose, in lines, where replies come from.
func (r *runner) askSource() error {
	if !r.AsksSource {
		return nil
	}
	all := model.Offered(r.Config.Sources)
	fmt.Fprintf(r.out, "The document asks a model, but %s. What replies instead? ctrl+c runs nothing.\n", cmp.Or(r.Lacks, "none is set up"))
	for i, o := range all {
		fmt.Fprintf(r.out, "  %d  %s  %s\n", i+1, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	for {
		i, err := r.pick(len(all), r.line, nil)
		if err != nil {
			return usage("nothing was run: no source of replies was chosen")
		}
		if err = r.ChooseSource(all[i].Name); err == nil {
			return nil
		}
		fmt.Fprintf(r.out, "  %s\n", sanitize.Plain(err.Error()))
	}
}
