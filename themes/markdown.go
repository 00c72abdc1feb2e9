package themes

import "charm.land/glamour/v2/ansi"

// Markdown is the style of rendered text. Code has one colour and no
// highlighting: what a block is run as shows in the output pane, not here.
func (s *Styles) Markdown() ansi.StyleConfig {
	p := s.Palette
	return ansi.StyleConfig{
		BlockQuote: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: ink(p.Muted)},
			Indent:         ptr(uint(1)), IndentToken: ptr("│ "),
		},
		List:           ansi.StyleList{LevelIndent: 2},
		Heading:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{BlockSuffix: "\n", Bold: ptr(true), Color: ink(p.Text)}},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: ptr(true)},
		Emph:           ansi.StylePrimitive{Italic: ptr(true)},
		Strong:         ansi.StylePrimitive{Bold: ptr(true)},
		HorizontalRule: ansi.StylePrimitive{Color: ink(p.Subtle), Format: "\n────────\n"},
		Item:           ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		Task:           ansi.StyleTask{Ticked: "[x] ", Unticked: "[ ] "},
		Link:           ansi.StylePrimitive{Color: ink(p.Muted), Underline: ptr(true)},
		LinkText:       ansi.StylePrimitive{Color: ink(p.Accent)},
		Image:          ansi.StylePrimitive{Color: ink(p.Muted), Underline: ptr(true)},
		ImageText:      ansi.StylePrimitive{Color: ink(p.Muted), Format: "image: {{.text}}"},
		Code:           ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: ink(p.Command), Bold: bold(p)}},
		CodeBlock: ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{
			StylePrimitive: ansi.StylePrimitive{Color: ink(p.Command)}, Margin: ptr(uint(2)),
		}},
		Table: ansi.StyleTable{CenterSeparator: ptr("┼"), ColumnSeparator: ptr("│"), RowSeparator: ptr("─")},
	}
}

// bold makes up for the colour that a palette has not.
func bold(p Palette) *bool {
	if p.Colourless() {
		return ptr(true)
	}
	return nil
}

func ink(c string) *string {
	if c == "" {
		return nil
	}
	return &c
}

func ptr[T any](v T) *T { return &v }
