package engine

import (
	"context"
	"errors"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/engine/tools/local"
	"playhead/parse/plan"
)

// functions are what a model may call: the tools that its step names, and the report.
type functions struct {
	list   []model.Function
	tools  map[string]tools.Tool // by the name of the function
	report plan.OfferedTool      // without a name: there is none
}

// declaredFunctions uses the tool names of a step without asking servers, for recorded replies.
func declaredFunctions(e *machine.CallModel) (functions, error) {
	if e.ToolNameProblem != "" {
		return functions{}, errors.New(e.ToolNameProblem)
	}
	f := functions{tools: map[string]tools.Tool{}, report: reportOf(e)}
	for i, function := range plan.FunctionNames(e.Tools, f.report.Name) {
		name := e.Tools[i]
		var t tools.Tool
		t.Server, t.Name = plan.SplitTool(name)
		f.tools[function], f.tools[name] = t, t
	}
	return f, nil
}

func reportOf(e *machine.CallModel) plan.OfferedTool {
	if e.Report == nil {
		return plan.OfferedTool{}
	}
	return *e.Report
}

// resolveTools finds the tools that a step names among those of the servers.
func resolveTools(e *machine.CallModel, all []tools.Tool) (functions, error) {
	f := functions{tools: map[string]tools.Tool{}, report: reportOf(e)}
	for i, function := range plan.FunctionNames(e.Tools, f.report.Name) {
		if _, twice := f.tools[function]; twice {
			continue
		}
		t, err := tools.Resolve(all, e.Tools[i])
		if err != nil {
			return f, err
		}
		f.tools[function] = t
		f.list = append(f.list, model.Function{Name: function, Description: t.Description, Schema: t.Schema})
	}
	if e.Report != nil {
		f.list = append(f.list, model.Function{
			Name: e.Report.Name, Description: e.Report.Description, Schema: e.Report.Schema,
		})
	}
	return f, nil
}

// functions returns what a model may call. Servers are asked for their tools once a run.
func (s *Session) functions(ctx context.Context, e *machine.CallModel, notify func(model.Notice)) (functions, error) {
	isServers := func(tool string) bool { return plan.LocalTool(tool) == "" }
	if !slices.ContainsFunc(e.Tools, isServers) {
		return resolveTools(e, local.Catalog())
	}
	if s.cfg.Tools == nil {
		return functions{}, errNoTools
	}
	all, broken := s.allTools(ctx, notify)
	f, err := resolveTools(e, all)
	if err != nil && broken != nil {
		err = broken // the missing tool belongs to a server that could not be asked
	}
	return f, err
}

// allTools returns the tools of all servers. Its error is about servers that could not be asked,
// and they are asked again the next time.
func (s *Session) allTools(ctx context.Context, notify func(model.Notice)) ([]tools.Tool, error) {
	s.mu.Lock()
	all := s.catalog
	s.mu.Unlock()
	if all != nil {
		return all, nil
	}
	all, err := s.cfg.Tools.Tools(ctx, func(text string) { notify(model.Notice{Text: text}) })
	all = append(local.Catalog(), slices.DeleteFunc(all, func(t tools.Tool) bool { return plan.IsLocal(t.Server) })...)
	if err == nil {
		s.mu.Lock()
		s.catalog = all
		s.mu.Unlock()
	}
	return all, err
}

// toolOf returns the tool that a call means, nil if its server has not been asked for its tools.
func (s *Session) toolOf(c plan.ToolCall) *tools.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range append(local.Catalog(), s.catalog...) {
		if t.Server == c.Server && t.Name == c.Tool {
			t.Description = s.cfg.Run.MaskText(t.Description)
			return &t
		}
	}
	return nil
}

// resolveCalls returns the calls of a reply with the tools that they mean.
func (f functions) resolveCalls(r model.Reply) []plan.ToolCall {
	calls := r.Calls
	for i, c := range calls {
		t := f.tools[c.Name]
		calls[i].Server, calls[i].Tool = t.Server, t.Name
	}
	if r.Report != "" {
		calls = append(calls, plan.ToolCall{ID: "report", Name: f.report.Name, Arguments: completeReport(r.Report, f.report.Schema)})
	}
	return calls
}
