package choose

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

const replySourceQuestion = "Where do replies come from?"

// FirstReplySourceChosen is the request to use a reply source that was chosen before the run.
type FirstReplySourceChosen struct{ Name string }

// NewFirstReplySourceDialog asks for the reply source of a run for which none is configured. lacks says
// what the configuration of the model server lacks, "" if no server is configured.
func NewFirstReplySourceDialog(sources []model.ReplySourceOption, lacks string) *Dialog {
	all := model.WithManualReplySource(sources)
	d := New(replySourceQuestion, replySourceOptions(all), "")
	d.IsBeforeRun = true
	d.Description = wording.NoReplySourceText(lacks)
	d.OnChoose = func(_ *runview.Run, name string) []tea.Msg {
		if err := replySourceOpenError(all, name); err != nil {
			return []tea.Msg{request.Say{Text: wording.ErrorSentence(err)}, dialog.Open{Dialog: d}}
		}
		return []tea.Msg{FirstReplySourceChosen{name}}
	}
	return d
}

func replySourceOptions(sources []model.ReplySourceOption) (out []NamedOption) {
	for _, s := range sources {
		out = append(out, NamedOption{s.Name, s.Description})
	}
	return out
}

// replySourceOpenError returns why a source cannot be opened, nil if it can.
func replySourceOpenError(all []model.ReplySourceOption, name string) error {
	for _, o := range all {
		if o.Name == name && o.Open != nil {
			_, err := o.Open()
			return err
		}
	}
	return nil
}

// NewReplySourceDialog asks for the reply source. Choosing the present one takes back the person's request
// to reply.
func NewReplySourceDialog(run *runview.Run) *Dialog {
	d := New(replySourceQuestion, replySourceOptions(model.WithManualReplySource(run.ReplySources)), run.Status.ReplySourceName)
	if q := run.Status.Question; q != nil && q.ReplySourceError != "" {
		d.Description = "The step asks a model, but " + draw.CleanLine(q.ReplySourceError) + "."
	}
	d.OnChoose = func(run *runview.Run, name string) []tea.Msg {
		say := request.Say{Text: "The reply source is now \"" + name + "\"." + rerunHint(run)}
		if name == run.Status.ReplySourceName && run.Status.NextReplyManual {
			return []tea.Msg{say, request.Do{Action: "manual-reply"}}
		}
		return []tea.Msg{say, request.Do{Action: "source", Args: control.Args{Text: name}}}
	}
	return d
}

// rerunHint returns which key runs the step of a failed run again, "" if the run is not over.
func rerunHint(run *runview.Run) string {
	if run.Status.State != engine.Over {
		return ""
	}
	return " {rerun} to run step " + draw.CleanLine(run.Track.CurrentRow.Label) + " again."
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
	tool, running := run.IsAtToolStep(), run.Track.RowByLabel(run.Status.RunningStep)
	switch {
	case run.Status.NextReplyManual:
		return run.ManualReplyText()
	case tool && draw.LastToolName(running) != "":
		return "The call was interrupted. Write its result yourself."
	case tool:
		return run.ManualReplyText() + " {manual-reply} to call the tool instead." + rerunHint(run)
	case running.NewestIsModelCall() && !running.NewestAction().IsDone:
		return "The model's reply was interrupted. Write it yourself."
	case run.QuestionState.CanReply:
		return ""
	}
	return run.ManualReplyText() + " {manual-reply} to get replies from the reply source \"" + run.Status.ReplySourceName + "\" again." + rerunHint(run)
}

// NewApprovalsDialog asks when a model's tool calls need a person's approval.
func NewApprovalsDialog(run *runview.Run) *Dialog {
	d := New("When do a model's tool calls need your approval?", []NamedOption{
		{machine.ApproveEach, wording.ApprovalPolicyText(machine.ApproveEach)},
		{machine.ApproveOnce, wording.ApprovalPolicyText(machine.ApproveOnce)},
		{machine.ApproveNone, wording.ApprovalPolicyText(machine.ApproveNone)},
	}, run.ShownTrack.ApprovalPolicy)
	d.OnChoose = func(_ *runview.Run, policy string) []tea.Msg {
		return []tea.Msg{request.Do{Action: "approvals", Args: control.Args{Text: policy}}}
	}
	return d
}
