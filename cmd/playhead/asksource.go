package main

import (
	"cmp"
	"fmt"

	"playhead/engine/model"
	"playhead/engine/sanitize"
)

// source says where replies and results of tools come from. What nobody said of it a
// person is asked, if there is something to choose, and told otherwise.
func (r *runner) source(o *modelOptions) error {
	looked := r.stay && !r.view.headless() // a run that is over asks nothing until a person goes back in it
	left, err := o.sources(&r.config)
	if err != nil && looked && o.recalled { // what replied is gone
		o.source = model.Manual
		left, err = o.sources(&r.config)
	}
	if err != nil {
		return err
	}
	left.memory.Approve = r.memory.Approve
	r.memory = left.memory
	if r.tools, err = servers(&r.config, r.view.headless()); err != nil {
		return err
	}
	named := o.flagged() != "" && !o.recalled
	if named && r.config.Replies == nil && !looked { // else it may never be asked
		if err := usable(&r.config, r.config.Source); err != nil {
			return err
		}
	}
	r.ask, r.lacks = left.ask && !r.view.headless() && !looked, left.lacks
	if left.note != "" && !r.ask && !looked {
		r.notes = append(r.notes, left.note)
	}
	return nil
}

// choose has the run begin with a source that a person chose, so that it has to be usable.
func (r *runner) choose(name string) error {
	if err := usable(&r.config, name); err != nil {
		return err
	}
	r.memory.Source = name
	return beginWith(&r.config, name)
}

// keepSource remembers the source that a person chose while the run goes on.
func (r *runner) keepSource(name string) error {
	r.memory.Source = name
	return r.memory.keep(r.config.Run)
}

// askSource has a person choose, in lines, where replies come from.
func (r *runner) askSource() error {
	if !r.ask {
		return nil
	}
	all := model.Offered(r.config.Sources)
	fmt.Fprintf(r.out, "The document asks a model, but %s. What replies instead? ctrl+c runs nothing.\n", cmp.Or(r.lacks, "none is set up"))
	for i, o := range all {
		fmt.Fprintf(r.out, "  %d  %s  %s\n", i+1, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	for {
		i, err := r.pick(len(all), r.line, nil)
		if err != nil {
			return usage("nothing was run: no source of replies was chosen")
		}
		if err = r.choose(all[i].Name); err == nil {
			return nil
		}
		fmt.Fprintf(r.out, "  %s\n", sanitize.Plain(err.Error()))
	}
}
