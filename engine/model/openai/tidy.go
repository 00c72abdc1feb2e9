package openai

import (
	"errors"
	"net/url"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
)

const (
	longestError = 300 // characters
	shortestKey  = 4   // what is shorter is no secret, but may be part of any word
)

// tidy makes an error of a text that may have others' words in it: one line, without controls,
// without the key, and not too long. The key goes before the cut, which could leave half of it,
// and also where controls divide it: nobody is to read it between them.
func (c Config) tidy(text string) error {
	line := oneSpaced(sanitize.Plain(text))
	if len(c.Key) >= shortestKey {
		mask := strings.NewReplacer(c.Key, logs.Hidden, url.QueryEscape(c.Key), logs.Hidden)
		line = mask.Replace(line)
		if printed := oneSpaced(sanitize.OutputPlain(strings.ReplaceAll(text, "\n", " "))); mask.Replace(printed) != printed {
			line = mask.Replace(printed)
		}
	}
	if runes := []rune(line); len(runes) > longestError {
		line = string(runes[:longestError-1]) + "…"
	}
	return errors.New(line)
}

func oneSpaced(line string) string { return strings.Join(strings.Fields(line), " ") }
