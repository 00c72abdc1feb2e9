package preflight

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"playhead/engine/config"
	"playhead/engine/model"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// The codes of diagnostics.
const (
	CodeModelServer = "preflight/model-server"  // the server cannot be asked
	CodeModel       = "preflight/model"         // the server does not list the model
	CodeToolServer  = "preflight/tool-server"   // no file describes the server, or it did not start
	CodeTool        = "preflight/tool"          // no server has the tool
	CodeText        = "preflight/prompt"        // a text for a prompt is missing
	CodeDocument    = "preflight/document"      // an included document cannot be run
	CodeProgram     = "preflight/command"       // the program of a command does not exist
	CodeInput       = "preflight/input"         // an input has no value
	CodeEnvironment = "preflight/environment"   // an environment variable is not set
	CodeTrust       = "preflight/trust"         // the document may not run its commands
	CodeApproval    = "preflight/approval"      // nobody is there to approve calls
	CodeConfig      = "preflight/configuration" // the configuration file cannot be used
	CodeUnchecked   = "preflight/not-checked"   // it could not be checked
)

// At returns a diagnostic at a place in a file.
func At(file string, line, column int, severity plan.Severity, code, message, suggestion string) plan.Diagnostic {
	return plan.Diagnostic{
		File: file, Line: max(1, line), Column: max(1, column),
		Severity: severity, Code: code, Message: message, Suggestion: suggestion,
	}
}

// Configuration returns the problems of the configuration file as diagnostics.
func Configuration(p *config.Problems) (found []plan.Diagnostic) {
	for _, one := range p.List {
		remedy := "correct the file"
		if strings.HasSuffix(one.Message, "?") { // it has a remedy
			remedy = ""
		}
		found = append(found, At(p.Path, one.Line, one.Column, plan.Error, CodeConfig, one.Message, remedy))
	}
	return found
}

// judge turns answers into diagnostics about needs. A problem that several needs share is reported
// once.
type judge struct {
	ports    Ports
	answers  answers
	found    []plan.Diagnostic
	reported map[string]bool
}

func (j *judge) add(n Need, severity plan.Severity, code, message, suggestion string) {
	j.found = append(j.found, At(n.File, n.Line, n.Column, severity, code, message, suggestion))
}

// addOnce adds a problem with a thing that other needs may share.
func (j *judge) addOnce(thing string, n Need, severity plan.Severity, code, message, suggestion string) {
	if j.reported == nil {
		j.reported = map[string]bool{}
	}
	if thing += " " + string(severity); !j.reported[thing] {
		j.reported[thing] = true
		j.add(n, severity, code, message, suggestion)
	}
}

func (j *judge) unchecked(n Need, what, why string) {
	j.add(n, plan.Info, CodeUnchecked, "not checked: "+n.stepText()+" "+what+", and "+why, "")
}

func (j *judge) need(n Need) {
	switch n.Kind {
	case ModelNeed:
		j.model(n, j.ports.Model(n.Name, n.Alias))
	case ApprovalNeed:
		if j.ports.WaitsForApproval {
			j.add(n, plan.Warning, CodeApproval, n.stepText()+" somebody to approve calls of the model, and nobody is there",
				"the run would stop at the first call: use --approve none or --trust to allow calls without asking")
		}
	case ToolNeed:
		j.tool(n)
	case TextNeed:
		j.text(n)
	case DocumentNeed:
		j.add(n, plan.Error, CodeDocument, n.stepText()+" the document "+n.Name+", which cannot be run: "+n.Problem, "correct the path or the document")
	case ProgramNeed:
		if !j.ports.Program(n.Name) {
			j.add(n, plan.Warning, CodeProgram, n.stepText()+" the program "+n.Name+", which is not there", "install it, or correct PATH or the name")
		}
	}
}

func (j *judge) model(n Need, t Target) {
	list, came := j.answers.models[t.ID]
	switch {
	case t.Problem != nil && t.Unset:
		j.addOnce(t.Problem.Error(), n, plan.Error, CodeEnvironment, n.stepText()+" a model: "+t.Problem.Error(), "")
	case t.Problem != nil:
		j.addOnce(t.Problem.Error(), n, plan.Error, CodeModelServer, n.stepText()+" a model: "+t.Problem.Error(), "")
	case !came:
		j.unchecked(n, "the model "+t.Model, "of "+t.Server+" "+errLate.Error())
	case errors.Is(list.err, model.ErrNoList):
		j.unchecked(n, "the model "+t.Model, list.err.Error())
	case list.err != nil:
		j.addOnce("model "+t.ID, n, plan.Error, CodeModelServer, n.stepText()+" the model server "+t.Server+": "+strings.TrimSuffix(list.err.Error(), ". Is the server running?"), "start it, or name another one with --base-url, --model or --source")
	case !t.Has(list.names, t.Model):
		// no error: gateways do not list all models that they serve, and others accept any name
		j.add(n, plan.Warning, CodeModel, fmt.Sprintf("%s the model %q, which the server %s does not list", n.stepText(), t.Model, t.Server), hint(t.Model, list.names, ""))
	}
}

// hint suggests one of the known names, or returns empty if there are none.
func hint(name string, known []string, empty string) string {
	if len(known) == 0 {
		return empty
	}
	known = slices.Clone(known)
	slices.Sort(known)
	return near.Hint(name, slices.Compact(known))
}

func (j *judge) tool(n Need) {
	what := "the tool " + strings.TrimPrefix(n.Server+"/"+n.Name, "/")
	if n.Open {
		j.unchecked(n, what, "its name is known only during the run")
		return
	}
	if plan.IsLocal(n.Server) { // the run has the tool itself
		if !slices.Contains(plan.LocalTools, n.Name) {
			j.add(n, plan.Error, CodeTool, n.stepText()+" "+what+", which Playhead does not provide", hint(n.Name, plan.LocalTools, ""))
		}
		return
	}
	if n.Server != "" && !j.server(n, n.Server, what) {
		return
	}
	list := j.answers.tools
	if list == nil {
		if j.ports.Tools == nil {
			j.addOnce("no servers", n, plan.Error, CodeToolServer, n.stepText()+" "+what+", and there is no tool server", "describe one in .mcp.json")
			return
		}
		j.unchecked(n, what, errLate.Error())
		return
	}
	var names, servers []string
	for _, t := range list.all {
		if n.Server == "" || strings.EqualFold(t.Server, n.Server) {
			names = append(names, t.Name)
			if t.Name == n.Name {
				servers = append(servers, t.Server)
			}
		}
	}
	switch {
	case len(servers) == 1, len(servers) > 1 && n.Server != "":
	case len(servers) > 1:
		j.add(n, plan.Error, CodeTool, n.stepText()+" "+what+", which several servers have: "+strings.Join(servers, ", "), "name it server/tool")
	case n.Server != "":
		j.add(n, plan.Error, CodeTool, n.stepText()+" "+what+", and that server has no such tool", hint(n.Name, names, "it has none"))
	case j.addSilent(n, what):
	case j.ports.UnreadableFile != "":
		j.unchecked(n, what, j.ports.UnreadableFile+" may describe its server, and cannot be read")
	default:
		j.add(n, plan.Error, CodeTool, n.stepText()+" "+what+", which no tool server has", hint(n.Name, names, "name another one in the document"))
	}
}

// server reports whether a server answered. If not, it adds why.
func (j *judge) server(n Need, name, what string) bool {
	var known []string
	if list := j.answers.tools; list != nil {
		if failed := keyOf(list.failed, name); failed != nil && j.findServer(name) == nil {
			j.addOnce("server "+strings.ToLower(name), n, n.severity(), CodeToolServer, n.stepText()+" "+what+": "+failed.Error(), "")
			return false
		}
		for _, t := range list.all {
			if strings.EqualFold(t.Server, name) {
				return true
			}
			known = append(known, t.Server)
		}
	}
	s := j.findServer(name)
	if s == nil && j.ports.UnreadableFile != "" {
		j.unchecked(n, what, j.ports.UnreadableFile+" may describe it, and cannot be read")
		return false
	}
	if s == nil {
		for _, other := range j.ports.Servers {
			known = append(known, other.Name)
		}
		j.addOnce("server "+strings.ToLower(name), n, n.severity(), CodeToolServer,
			fmt.Sprintf("%s %s, and no .mcp.json describes the tool server %q", n.stepText(), what, name), hint(name, known, "describe it there"))
		return false
	}
	return !j.addFault(n, *s, what)
}

// addFault reports whether a server that a file describes failed to answer. If so, it adds why.
func (j *judge) addFault(n Need, s Server, what string) bool {
	if s.Problem != nil {
		j.addOnce("server "+s.Name, Need{File: s.File, Line: s.Line}, n.severity(), CodeEnvironment, withoutPlace(s, s.Problem), "")
		return true
	}
	if s.Starts && !j.ports.Trusted {
		j.unchecked(n, what, "the tool server "+s.Name+" is not started before the document is trusted")
		return true
	}
	if j.answers.tools == nil {
		j.unchecked(n, what, errLate.Error())
		return true
	}
	err := j.answers.tools.failed[s.Name]
	switch {
	case err == nil:
		return false
	case errors.Is(err, errLate):
		j.unchecked(n, what, "of the tool server "+s.Name+" "+errLate.Error())
	default:
		j.addOnce("server "+s.Name, Need{File: s.File, Line: s.Line}, n.severity(), CodeToolServer, n.stepText()+" "+what+": "+withoutPlace(s, err), "correct its entry")
	}
	return true
}

// severity returns how severe it is if a server does not have the item. A step can run without a
// text.
func (n Need) severity() plan.Severity {
	if n.Kind == TextNeed {
		return plan.Warning
	}
	return plan.Error
}

// withoutPlace returns a server's error without the place, because the diagnostic has its own.
func withoutPlace(s Server, err error) string {
	text := strings.Replace(err.Error(), fmt.Sprintf(" (%s:%d)", s.File, s.Line), "", 1)
	return strings.TrimPrefix(text, fmt.Sprintf("%s:%d: ", s.File, s.Line))
}

// addSilent reports whether one of the servers that may have the tool did not answer. If so, it adds
// why.
func (j *judge) addSilent(n Need, what string) bool {
	for _, s := range j.ports.Servers {
		if j.addFault(n, s, what) {
			return true
		}
	}
	return false
}

func (j *judge) findServer(name string) *Server {
	i := slices.IndexFunc(j.ports.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(j.ports.Servers, func(s Server) bool { return strings.EqualFold(s.Name, name) })
	}
	if i < 0 {
		return nil
	}
	return &j.ports.Servers[i]
}

// keyOf returns the error of a server, ignoring the case of its name.
func keyOf(failed map[string]error, name string) error {
	for server, err := range failed {
		if strings.EqualFold(server, name) {
			return err
		}
	}
	return nil
}

func (j *judge) text(n Need) {
	what := "the text " + strings.TrimPrefix(n.Server+":"+n.Name, ":")
	server, _, _ := strings.Cut(n.Name, "/")
	switch answer, came := j.answers.texts[n.Item]; {
	case n.Open:
		j.unchecked(n, what, "its name is known only during the run")
	case j.ports.Texts == nil:
		j.add(n, plan.Warning, CodeText, n.stepText()+" "+what+", and no texts are available here", "")
	case n.Server == "mcp" && !j.server(n, server, what):
	case !came:
		j.unchecked(n, what, errLate.Error())
	case answer.err != nil:
		j.add(n, plan.Warning, CodeText, n.stepText()+" "+what+": "+answer.err.Error(), "without it, the step runs with its own text")
	}
}

// asksText reports whether a text can be fetched: its server must be one that may be started.
func (p Ports) asksText(n Need) bool {
	if n.Server != "mcp" {
		return true
	}
	server, _, _ := strings.Cut(n.Name, "/")
	s := (&judge{ports: p}).findServer(server)
	return s == nil || s.Problem == nil && (p.Trusted || !s.Starts)
}

// missingFiles are the diagnostic codes, without the format's prefix, that say that a file which a
// document names does not exist.
var missingFiles = []string{"prompt-missing", "prompt-path", "path-missing", "schema-missing", "no-schemas"}

// MissingFiles returns the document's diagnostics that say that a file which it names does not
// exist.
func MissingFiles(p *plan.Plan) (out []plan.Diagnostic) {
	for _, d := range p.Diagnostics {
		if slices.Contains(missingFiles, path.Base(d.Code)) {
			out = append(out, d)
		}
	}
	return out
}
