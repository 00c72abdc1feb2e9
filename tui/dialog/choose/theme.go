package choose

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/themes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Theme asks for the theme. The screen shows each while it is marked.
func Theme(all []themes.Palette, present themes.Palette) *Dialog {
	var options []model.Origin
	byName := map[string]themes.Palette{}
	for _, p := range all {
		options = append(options, model.Origin{Name: p.Name, About: p.About})
		byName[p.Name] = p
	}
	d := New("Which theme?", options, present.Name)
	d.Marked = func(name string) []tea.Msg { return []tea.Msg{request.Paint{Palette: byName[name]}} }
	d.Left = []tea.Msg{request.Paint{Palette: present}}
	d.Choose = func(_ *runview.Run, name string) []tea.Msg {
		say := "The theme is " + name + " until you quit. To keep it, add theme: " + name + " to the configuration file."
		return []tea.Msg{request.Paint{Palette: byName[name]}, request.Say{Text: say}}
	}
	return d
}
