package playbook

import "strings"

// cursor reads a line from left to right. The forms of the specification are
// regular; read like this they cost a fraction of what expressions do.
type cursor struct {
	text string
	at   int
}

// spaces passes over blanks, and reports whether there were any.
func (c *cursor) spaces() bool {
	from := c.at
	for c.at < len(c.text) && strings.IndexByte(" \t\f\r", c.text[c.at]) >= 0 {
		c.at++
	}
	return c.at > from
}

// take passes over a text, if it is what comes next.
func (c *cursor) take(text string) bool {
	if !strings.HasPrefix(c.text[c.at:], text) {
		return false
	}
	c.at += len(text)
	return true
}

// word reads letters, digits and underscores, "" if there are none.
func (c *cursor) word() string {
	w, end := word(c.text, c.at)
	c.at = end
	return w
}

// digits reads digits, "" if there are none.
func (c *cursor) digits() string {
	from := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
	}
	return c.text[from:c.at]
}

// quoted reads a text in double quotes that holds none.
func (c *cursor) quoted() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.at:], `"`) {
		return "", false
	}
	n := strings.IndexByte(c.text[c.at+1:], '"')
	if n < 0 {
		return "", false
	}
	text = c.text[c.at+1 : c.at+1+n]
	c.at += n + 2
	return text, true
}

// escaped reads a text in double quotes, where \" is a quote.
func (c *cursor) escaped() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.at:], `"`) {
		return "", false
	}
	for i := c.at + 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			i++
		case '"':
			text = strings.ReplaceAll(c.text[c.at+1:i], `\"`, `"`)
			c.at = i + 1
			return text, true
		}
	}
	return "", false
}

// end reports whether there is nothing left but blanks.
func (c *cursor) end() bool {
	c.spaces()
	return c.at == len(c.text)
}

// rest is what is left, trimmed.
func (c *cursor) rest() string { return strings.TrimSpace(c.text[c.at:]) }
