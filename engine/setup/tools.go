package setup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/model"
	"playhead/engine/preflight"
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/engine/tools/mcp"
	"playhead/engine/trust"
	"playhead/parse/near"
	"playhead/parse/plan"
)

type toolServers struct {
	servers   *mcp.Servers
	config    mcp.Config
	described []preflight.Server // all that files describe
	programs  []trust.Item       // that would be started
	run       *journal.Run       // in whose folder their logs are; nil: it has none yet
	early     string             // where they are until then; empty: there is none
	secrets   []string           // that are masked in them
	prompted  bool               // nothing is started
	unknown   []string           // what a person should know of servers that nobody describes
	problems  []error            // of servers that need variables which are not set
}

// servers finds the tool servers of a document; nil if it needs none.
func servers(c *engine.Config, o *Options) (*toolServers, error) {
	need := neededServers(c, !o.Unattended || c.Source != model.Manual || c.Replies != nil)
	if len(need.names) == 0 {
		return nil, nil
	}
	t := &toolServers{prompted: c.Options.Prompted}
	var specs []mcp.Spec
	if !t.prompted {
		path, err := OriginalDocument(c)
		if err != nil {
			return nil, err
		}
		if specs, err = mcp.Read(serverFiles(path, c.Dir)); err != nil {
			return nil, Errorf("%w", err)
		}
	}
	specs = slices.DeleteFunc(specs, func(s mcp.Spec) bool {
		if plan.IsLocal(s.Name) {
			t.unknown = append(t.unknown, fmt.Sprintf("%s:%d: the tool server %s is not used: that name is reserved for Playhead's own tools", s.File, s.Line, s.Name))
		}
		return plan.IsLocal(s.Name)
	})
	t.start(specs, need, c, o.Version)
	c.Tools = t
	c.Texts.(texts.Schemes)["mcp"] = t
	return t, nil
}

func (t *toolServers) start(specs []mcp.Spec, need serverNeeds, c *engine.Config, version string) {
	config := mcp.Config{Env: c.Env, LogFile: t.logFile, Secrets: func() []string { return t.secrets }, Version: version}
	for _, s := range specs {
		config.ServerNames = append(config.ServerNames, s.Name)
		t.described = append(t.described, preflight.Server{Name: s.Name, File: s.File, Line: s.Line, Starts: s.Starts()})
	}
	for _, i := range need.among(config.ServerNames) {
		s, err := specs[i].Expand(os.LookupEnv)
		if err != nil {
			t.described[i].Problem, s.Problem = err, err
			t.problems = append(t.problems, err)
		}
		config.Specs = append(config.Specs, s)
		c.Secrets = append(c.Secrets, s.Secrets()...)
		if s.Starts() {
			t.programs = append(t.programs, item(specs[i]))
		}
	}
	if !t.prompted {
		t.unknown = append(t.unknown, need.missing(c.Plan.Path, config.ServerNames)...)
	}
	t.config, t.servers = config, mcp.New(config)
}

// serverFiles are where files of servers may be: beside the document, in the working
// folder, in the configuration folder. Programs start in the folder of the file that
// names them, those of the configuration in the working folder.
func serverFiles(path, dir string) []mcp.Place {
	out := []mcp.Place{
		{File: filepath.Join(filepath.Dir(path), mcp.FileName), Dir: filepath.Dir(path)},
		{File: filepath.Join(dir, mcp.FileName), Dir: dir},
		{File: filepath.Join(xdg.ConfigHome, "playhead", mcp.FileName), Dir: dir},
	}
	for i := range out {
		if absolute, err := filepath.Abs(out[i].Dir); err == nil {
			out[i].Dir = absolute
		}
	}
	return out
}

// serverNeeds are the servers that a document names for its tools and prompts.
type serverNeeds struct {
	names []string
	open  bool // only the run knows which servers it needs
}

// add adds the server of a tool; "" is any.
func (n *serverNeeds) add(name string) {
	n.names = append(n.names, name)
	n.open = n.open || name == ""
}

// addIn adds the server that a text names, at the place where server finds it.
func (n *serverNeeds) addIn(text plan.Prompt, server func(text string) string) {
	name := server(plan.Source(text))
	r, err := text.Render(plan.AnyValue{})
	if err != nil || server(r.Text) != name {
		name = "" // it depends on values
	}
	n.add(name)
}

// neededServers finds what the document needs a server for. Results that are there already
// need none, nor do models that nobody replies for.
func neededServers(c *engine.Config, replies bool) serverNeeds {
	var n serverNeeds
	trust.Each(c.Plan, func(_ string, s *plan.Step, a plan.Action) {
		switch w := a.Work.(type) {
		case plan.Tool:
			if !plan.IsLocal(w.Server) && !c.Results.Has(tools.Request{Label: s.ID, Tool: w.Name}) {
				n.add(w.Server)
			}
		case plan.Model:
			if !replies {
				return
			}
			for _, tool := range w.Tools {
				if plan.LocalTool(plan.Source(tool)) != "" {
					continue
				}
				if _, name := tools.SplitName(plan.Source(tool)); !c.Results.Has(tools.Request{Label: s.ID, Tool: name}) {
					n.addIn(tool, func(text string) string { server, _ := tools.SplitName(text); return server })
				}
			}
		case plan.Fetch:
			if w.Scheme == "mcp" {
				n.addIn(w.Ref, func(text string) string { server, _, _ := strings.Cut(text, "/"); return server })
			}
		}
	})
	return n
}

// among returns the indices of what is needed in a list of names.
func (n serverNeeds) among(known []string) []int {
	indexes := map[int]bool{}
	for _, name := range n.names {
		indexes[mcp.Index(known, name)] = true
	}
	var out []int
	for i := range known {
		if n.open || indexes[i] {
			out = append(out, i)
		}
	}
	return out
}

// missing says which of the servers nobody describes, each once.
func (n serverNeeds) missing(path string, known []string) (notes []string) {
	names := slices.Clone(n.names)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != "" && mcp.Index(known, name) < 0 {
			notes = append(notes, fmt.Sprintf("%s names the tool server %q, which no %s describes: %s", path, name, mcp.FileName, near.Hint(name, known)))
		}
	}
	return notes
}

// item is what a person is asked about a server that would be started. It is the
// same one only in the same file.
func item(s mcp.Spec) trust.Item {
	exact, _ := json.Marshal(s) // texts can be written
	if file, err := filepath.Abs(s.File); err == nil {
		exact = append(exact, file...)
	}
	var words []string
	for _, variable := range s.Visible() {
		name, value, _ := strings.Cut(variable, "=")
		words = append(words, name+"="+trust.Line([]string{value}))
	}
	words = append(words, trust.Line(append([]string{s.Command}, s.Args...)))
	return trust.Item{Server: s.Name, Document: s.File, Line: s.Line, Text: strings.Join(words, " "), Exact: string(exact)}
}

func (t *toolServers) startedPrograms() []trust.Item {
	if t == nil {
		return nil
	}
	return t.programs
}

// attach has the servers serve a run. Those that have started go on.
func (t *toolServers) attach(c engine.Config) error {
	if t == nil {
		return nil
	}
	t.run, t.prompted, t.secrets = c.Run, c.Options.Prompted, c.Secrets
	if t.run == nil || t.early == "" {
		return nil
	}
	return errors.Join(t.servers.MoveLogs(), t.removeEarly())
}

// attachEarly lets the servers start before the run has a folder.
func (t *toolServers) attachEarly(c engine.Config) (err error) {
	if t == nil {
		return nil
	}
	if c.Run == nil && t.early == "" {
		if t.early, err = os.MkdirTemp("", "playhead-"); err != nil {
			return err
		}
	}
	return t.attach(c)
}

func (t *toolServers) removeEarly() error {
	if t.early == "" {
		return nil
	}
	dir := t.early
	t.early = ""
	return os.RemoveAll(dir)
}

// omitPrograms leaves only the servers that need not be started.
func (t *toolServers) omitPrograms() {
	if t != nil {
		config := t.config
		config.Specs = slices.DeleteFunc(slices.Clone(config.Specs), mcp.Spec.Starts)
		t.servers = mcp.New(config)
	}
}

func (t *toolServers) close() {
	if t != nil {
		t.servers.Close()
		_ = t.removeEarly() // it is temporary
	}
}

// errPrompted is why no server is asked in a run that executes nothing.
var errPrompted = errors.New("no tool server is started with --prompted")

// Fetch implements texts.Source.
func (t *toolServers) Fetch(ctx context.Context, ref string, say func(string)) (string, error) {
	if t.prompted {
		return "", errPrompted
	}
	return t.servers.Fetch(ctx, ref, say)
}

// Tools implements tools.Servers.
func (t *toolServers) Tools(ctx context.Context, notify func(string)) ([]tools.Tool, error) {
	if t.prompted {
		return nil, errPrompted
	}
	return t.servers.Tools(ctx, notify)
}

// Call implements tools.Servers.
func (t *toolServers) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	if t.prompted {
		return tools.Result{Err: errPrompted}
	}
	return t.servers.Call(ctx, q, out)
}

// oddRunes are the characters that a file should not have in its name.
var oddRunes = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// logFile is where the log of a server goes: a file of its own, whatever it is
// called.
func (t *toolServers) logFile(server string) logs.File {
	name := oddRunes.ReplaceAllString(server, "-")
	if name != server {
		h := fnv.New32()
		h.Write([]byte(server))
		name = fmt.Sprintf("%s-%08x", name, h.Sum32())
	}
	file := "tool-" + name + ".log"
	if t.run == nil {
		return logs.File{Dir: t.early, Name: file}
	}
	return t.run.LogFile("logs/" + file)
}
