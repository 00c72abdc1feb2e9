package openai

import (
	"errors"
	"net/url"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
)

const longestError = 300 // characters

// tidy makes an error of a text that may have others' words in it: one line, without controls,
// without the key, and not too long. The key goes before the cut, which could leave half of it,
// and also where controls divide it: nobody is to read it between them.
func (c Config) tidy(text string) error {
	if !logs.Short(c.Key) {
		text = logs.NewSecrets([]string{c.Key, url.QueryEscape(c.Key)}).Text(text)
	}
	line := oneSpaced(sanitize.Plain(text))
	if runes := []rune(line); len(runes) > longestError {
		line = string(runes[:longestError-1]) + "…"
	}
	return errors.New(line)
}

func oneSpaced(line string) string { return strings.Join(strings.Fields(line), " ") }
