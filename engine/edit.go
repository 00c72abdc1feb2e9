package engine

import (
	"errors"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
)

// EditRule returns the version in force with another text for a rule: a route, a condition or
// anything else that decides. The run does not change.
func (s *Session) EditRule(ref rewrite.RuleRef, text string) (*ReloadOffer, error) {
	if err := s.checkUnmasked(text); err != nil {
		return nil, err
	}
	offer, err := s.offerEdit(func(p *plan.Plan) (map[string][]byte, string, error) {
		c, old, err := ref.Text(p)
		switch {
		case err != nil:
			return nil, "", err
		case strings.TrimRight(text, "\n") == old:
			return nil, "", errors.New("the text is unchanged: it equals the document")
		case s.containsSecret(text) && !s.containsSecret(old):
			return nil, "", rewrite.ErrSecretInDocument
		}
		files, err := ref.Replace(p, text)
		return files, "edit of the " + c.Name("step "+ref.StepID), err
	})
	if err == nil {
		offer.EditedRule = &ref
	}
	return offer, err
}

func (s *Session) containsSecret(text string) bool { return s.config.Run.MaskText(text) != text }

// offerEdit returns the version in force with changed files. edit returns the new contents, and what
// the change is about.
func (s *Session) offerEdit(edit func(p *plan.Plan) (map[string][]byte, string, error)) (*ReloadOffer, error) {
	if s.config.VersionLoader == nil {
		return nil, errNoVersionLoader
	}
	now, err := s.currentVersion()
	if err != nil {
		return nil, err
	}
	about := ""
	v, err := s.config.VersionLoader.LoadEdited(now.snapshot, func(p *plan.Plan) (files map[string][]byte, err error) {
		files, about, err = edit(p)
		return files, err
	})
	if err != nil {
		return nil, err
	}
	v.EditSubject = about
	o, err := s.newReloadOffer(v)
	if err == nil {
		o.CommandsToAllow = nil // the person wrote the new commands
	}
	return o, err
}

// EditSteps returns the version in force with a change of its steps. Steps that have run stay where
// they are and keep their history.
func (s *Session) EditSteps(e plan.StepEdit) (*ReloadOffer, error) {
	return s.offerEdit(func(p *plan.Plan) (map[string][]byte, string, error) {
		data, err := s.config.VersionLoader.FileWithStepEdit(p, e)
		if err == nil && s.isMasked(e.Text) {
			err = errors.New("the text has " + logs.SecretPlaceholder + " in place of a masked secret: use a variable instead")
		}
		if err == nil && s.containsSecret(e.Text) {
			err = rewrite.ErrSecretInDocument
		}
		insertion := "new step before step "
		if e.After {
			insertion = "new step after step "
		}
		about := map[plan.StepVerb]string{
			plan.InsertStep: insertion, plan.DuplicateStep: "copy of step ", plan.RemoveStep: "removal of step ", plan.MoveStep: "move of step ",
		}[e.Verb]
		return map[string][]byte{p.Path: data}, about + e.Step, err
	})
}
