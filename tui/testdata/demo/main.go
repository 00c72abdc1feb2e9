// Command demo shows a document on the screen, for a look at real frames.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui"
)

func main() {
	ask := flag.Bool("ask", false, "")
	plainly := flag.Bool("no-color", false, "")
	hold := flag.Bool("hold", false, "")
	flag.Parse()
	p := parse.Load(flag.Arg(0), parse.Options{})
	dir, _ := os.Getwd()
	store := journal.NewVolatile("/tmp/phdemo-runs")
	var run *journal.Run
	var items []tui.TrustItem
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			if c, ok := a.Work.(plan.Command); ok {
				items = append(items, tui.TrustItem{Step: s.ID, Line: a.Span.Line, Text: plan.Source(c.Text)})
			}
		}
		return true
	})
	res, err := tui.Run(context.Background(), tui.Config{
		Plan: p, Trusted: !*ask, Commands: items, NoColor: *plainly,
		Start: func(prompted bool) (*engine.Session, error) {
			var err error
			if run, err = store.Create(p, dir); err != nil {
				return nil, err
			}
			c := engine.Config{Plan: p, Run: run, Shell: shell.NewRunner(0), Dir: dir, Env: os.Environ(), Options: machine.Options{Prompted: prompted}}
			if *hold {
				c.Mode = engine.Hold
			}
			return engine.New(c)
		},
	})
	if run != nil {
		run.Close()
	}
	fmt.Printf("%+v %v\n", res.Ending.Result, err)
}
