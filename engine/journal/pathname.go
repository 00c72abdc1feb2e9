package journal

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// pathname is an absolute path as JSON. Unix paths are bytes: one that is not
// valid UTF-8, which JSON could not give back, is written quoted. A quote cannot
// begin an absolute path, so there is no doubt which it is.
type pathname string

// MarshalText writes the path.
func (p pathname) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return []byte(p), nil
	}
	return []byte(strconv.QuoteToASCII(string(p))), nil
}

// UnmarshalText reads it back.
func (p *pathname) UnmarshalText(text []byte) error {
	s := string(text)
	if strings.HasPrefix(s, `"`) {
		var err error
		if s, err = strconv.Unquote(s); err != nil {
			return err
		}
	}
	*p = pathname(s)
	return nil
}
