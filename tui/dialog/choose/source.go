package choose

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

const whichSource = "Where do replies come from?"

// FirstSource is the request to use a reply source that was chosen before the run.
type FirstSource struct{ Name string }

// BeforeRun asks for the reply source of a run for which none is configured. lacks says what the
// configuration of the model server lacks, "" if no server is configured.
func BeforeRun(sources []model.Origin, lacks string) *Dialog {
	all := model.WithManual(sources)
	d := New(whichSource, all, "")
	d.BeforeRun = true
	d.About = "This document asks a model, but " +
		cmp.Or(lacks, "no model is configured (set OPENAI_API_KEY or OPENAI_BASE_URL, or use a configuration file)") + ". Choose a reply source."
	d.Choose = func(_ *runview.Run, name string) []tea.Msg {
		if err := opens(all, name); err != nil {
			return []tea.Msg{request.Say{Text: err.Error()}, dialog.Open{Dialog: d}}
		}
		return []tea.Msg{FirstSource{name}}
	}
	return d
}

// opens returns the error of opening a source, nil if it opens.
func opens(all []model.Origin, name string) error {
	for _, o := range all {
		if o.Name == name && o.Open != nil {
			_, err := o.Open()
			return err
		}
	}
	return nil
}

// Source asks for the reply source. Choosing the present source takes back the person's request to reply.
func Source(run *runview.Run) *Dialog {
	d := New(whichSource, model.WithManual(run.Sources), run.Status.Source)
	if q := run.Status.Question; q != nil && q.SourceError != "" {
		d.About = "The step asks a model, but " + draw.Clean(q.SourceError) + ". Choose a reply source."
	}
	d.Choose = func(run *runview.Run, name string) []tea.Msg {
		say := request.Say{Text: "Replies come from " + name + " from now on." + thenAgain(run)}
		if name == run.Status.Source && run.Status.NextReplyManual {
			return []tea.Msg{say, request.Do{Action: "manual-reply"}}
		}
		return []tea.Msg{say, request.Do{Action: "source", Args: control.Args{Text: name}}}
	}
	return d
}

// thenAgain returns which key runs the step of a failed run again, "" if the run is not over.
func thenAgain(run *runview.Run) string {
	if run.Status.State != engine.Over {
		return ""
	}
	return " {rerun} to run " + draw.Clean(run.Track.Current.Label) + " again."
}

// ReplyManually lets the person write the current or next reply, or takes that back.
func ReplyManually(run *runview.Run) []tea.Msg {
	do := request.Do{Action: "manual-reply"}
	if say := manualReplyNotice(run); say != "" {
		return []tea.Msg{request.Say{Text: say}, do}
	}
	return []tea.Msg{do}
}

// manualReplyNotice returns what ReplyManually changes, "" if the question shows it.
func manualReplyNotice(run *runview.Run) string {
	tool, under := run.Track.Current.HasTool(), run.Track.Row(run.Status.Running)
	switch {
	case tool && run.Status.NextReplyManual:
		return "Tools run normally again."
	case tool && draw.LastTool(under) != "":
		return "The call is cancelled. Write its result yourself."
	case tool:
		return "You write the result of the next call. {manual-reply} to call the tool instead." + thenAgain(run)
	case run.Status.NextReplyManual:
		return "Replies come from " + run.Status.Source + " again."
	case under.LastIsModel() && !under.NewestAction().Done:
		return "The call is cancelled. Write the reply yourself."
	case run.Question.CanReply:
		return ""
	}
	return "You write the next reply. {manual-reply} to let " + run.Status.Source + " reply." + thenAgain(run)
}

// Approvals asks when a model's tool calls need a person's approval.
func Approvals(run *runview.Run) *Dialog {
	d := New("When do tool calls of a model need your approval?", []model.Origin{
		{Name: machine.ApproveEach, About: "before each call"},
		{Name: machine.ApproveOnce, About: "before the first call of each tool"},
		{Name: machine.ApproveNone, About: "never"},
	}, run.Shown.Approve)
	d.Choose = func(_ *runview.Run, policy string) []tea.Msg {
		return []tea.Msg{request.Do{Action: "approvals", Args: control.Args{Text: policy}}}
	}
	return d
}
