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

// modelFunctions are what a model may call: the tools that its step names, and the report.
type modelFunctions struct {
	functions      []model.Function
	toolByFunction map[string]tools.Tool // by the name of the function
	reportFunction plan.OfferedTool      // without a name: there is none
}

// declaredFunctions returns the functions of a step by its tool names, without asking servers. It
// is for recorded replies.
func declaredFunctions(e *machine.CallModel) (modelFunctions, error) {
	if e.ToolNameProblem != "" {
		return modelFunctions{}, errors.New(e.ToolNameProblem)
	}
	f := modelFunctions{toolByFunction: map[string]tools.Tool{}, reportFunction: reportFunctionOf(e)}
	for i, function := range plan.FunctionNames(e.Tools, f.reportFunction.Name) {
		name := e.Tools[i]
		var t tools.Tool
		t.Server, t.Name = plan.SplitTool(name)
		f.toolByFunction[function], f.toolByFunction[name] = t, t
	}
	return f, nil
}

func reportFunctionOf(e *machine.CallModel) plan.OfferedTool {
	if e.ReportTool == nil {
		return plan.OfferedTool{}
	}
	return *e.ReportTool
}

// resolveTools finds the tools that a step names among those of the servers.
func resolveTools(e *machine.CallModel, all []tools.Tool) (modelFunctions, error) {
	f := modelFunctions{toolByFunction: map[string]tools.Tool{}, reportFunction: reportFunctionOf(e)}
	for i, function := range plan.FunctionNames(e.Tools, f.reportFunction.Name) {
		if _, twice := f.toolByFunction[function]; twice {
			continue
		}
		t, err := tools.ResolveTool(all, e.Tools[i])
		if err != nil {
			return f, err
		}
		f.toolByFunction[function] = t
		f.functions = append(f.functions, model.Function{Name: function, Description: t.Description, ArgumentSchema: t.Schema})
	}
	if e.ReportTool != nil {
		f.functions = append(f.functions, model.Function{
			Name: e.ReportTool.Name, Description: e.ReportTool.Description, ArgumentSchema: e.ReportTool.Schema,
		})
	}
	return f, nil
}

// functionsFor returns what a model may call. Servers are asked for their tools only once in a run.
func (s *Session) functionsFor(ctx context.Context, e *machine.CallModel, notify func(model.Notice)) (modelFunctions, error) {
	isServers := func(tool string) bool { return plan.LocalToolName(tool) == "" }
	if !slices.ContainsFunc(e.Tools, isServers) {
		return resolveTools(e, local.Catalog())
	}
	if s.config.Tools == nil {
		return modelFunctions{}, errNoTools
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
	all := s.toolCatalog
	s.mu.Unlock()
	if all != nil {
		return all, nil
	}
	all, err := s.config.Tools.Tools(ctx, func(text string) { notify(model.Notice{Text: text}) })
	all = append(local.Catalog(), slices.DeleteFunc(all, func(t tools.Tool) bool { return plan.IsLocalServer(t.Server) })...)
	if err == nil {
		s.mu.Lock()
		s.toolCatalog = all
		s.mu.Unlock()
	}
	return all, err
}

// toolOfCall returns the tool that a call means, nil if its server has not been asked for its tools.
func (s *Session) toolOfCall(c plan.ToolCall) *tools.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range append(local.Catalog(), s.toolCatalog...) {
		if t.Server == c.Server && t.Name == c.Tool {
			t.Description = s.config.Run.MaskText(t.Description)
			return &t
		}
	}
	return nil
}

// resolveCalls returns the calls of a reply with the tools that they mean.
func (f modelFunctions) resolveCalls(r model.Reply) []plan.ToolCall {
	calls := r.WantedCalls
	for i, c := range calls {
		t := f.toolByFunction[c.Name]
		calls[i].Server, calls[i].Tool = t.Server, t.Name
	}
	if r.ReportArgs != "" {
		calls = append(calls, plan.ToolCall{ID: "report", Name: f.reportFunction.Name, Arguments: fillInFixedFields(r.ReportArgs, f.reportFunction.Schema)})
	}
	return calls
}
