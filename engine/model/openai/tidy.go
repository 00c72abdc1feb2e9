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
// without the key, and not too long. The key goes before the cut, which could leave half of it.
func (c Config) tidy(text string) error {
	line := strings.Join(strings.Fields(sanitize.Plain(text)), " ")
	if len(c.Key) >= shortestKey {
		line = strings.NewReplacer(c.Key, logs.Hidden, url.QueryEscape(c.Key), logs.Hidden).Replace(line)
	}
	if runes := []rune(line); len(runes) > longestError {
		line = string(runes[:longestError-1]) + "…"
	}
	return errors.New(line)
}
