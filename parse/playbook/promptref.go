package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// promptRef is an @prompt: text to put in front of the step's own (spec §5).
type promptRef struct {
	at       place
	variable string // of @prompt({{variable}})
	scheme   string // "": bare
	id       string
	idAt     place
}

func (d *document) readPrompt(p *part, inner string, at place) bool {
	arg := strings.TrimSpace(inner)
	if arg == "" {
		return false
	}
	at.At += strings.Index(inner, arg)
	r := &promptRef{at: at, id: arg, idAt: at}
	if m := variableOnly.FindStringSubmatch(arg); m != nil {
		r.variable = m[1]
	} else if scheme, id, found := strings.Cut(arg, ":"); found {
		r.scheme, r.id = strings.TrimSpace(scheme), strings.TrimSpace(id)
		r.idAt.At += len(arg) - len(strings.TrimLeft(id, blanks))
		d.checkRef(r)
	}
	if p.prompt != nil {
		d.repeated("prompt", p.prompt.at, at)
	}
	p.prompt = r
	return true
}

// checkRef warns of a reference that no run can resolve.
func (d *document) checkRef(r *promptRef) {
	switch r.scheme {
	case "library", "mcp":
	case "file":
		if problem := d.pathProblem(r.id); problem != "" {
			d.add(r.at, finding{"prompt-path", problem + ": the step runs without it", "name a file in the playbook's folder, or below it"})
		}
	default:
		d.add(r.at, finding{"prompt-scheme", fmt.Sprintf("%q is not a place for prompts, so the step runs without it", r.scheme), "use library:, file: or mcp:"})
	}
}

// pathProblem says why a file cannot be read; one with placeholders is not looked
// for.
func (d *document) pathProblem(name string) string {
	if why := plan.Outside(name); why != "" {
		return why
	}
	if d.options.File == nil || len(readsIn(name, place{})) > 0 {
		return ""
	}
	if why := d.options.File(name); why != "" {
		return fmt.Sprintf("%s cannot be read: %s", name, why)
	}
	return ""
}
