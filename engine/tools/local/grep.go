package local

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"playhead/parse/plan"
)

const (
	maxMatched = 1 << 20 // bytes of a result
	maxLine    = 1 << 20 // bytes of a line that are searched
)

// search is a call of Grep.
type search struct {
	Pattern       string `json:"pattern"`
	Path          string `json:"path"`
	Glob          string `json:"glob"`
	Mode          string `json:"output_mode"`
	IgnoreCase    bool   `json:"-i"`
	Numbers       *bool  `json:"-n"`
	After         count  `json:"-A"`
	Before        count  `json:"-B"`
	Around        count  `json:"-C"`
	HeadLimit     count  `json:"head_limit"`
	folder        *Folder
	expression    *regexp.Regexp
	out           strings.Builder
	lines         int  // of the result
	full          bool // the result is as long as it may be
	cut           int  // lines of which only the beginning was searched, without a match
	before, after int
}

// grep searches files for a regular expression.
func (f *Folder) grep(ctx context.Context, c Call) (string, error) {
	s, err := decode[search](c.Args)
	if err != nil {
		return "", err
	}
	if err := s.prepare(f); err != nil {
		return "", err
	}
	base, err := f.searchRoot(s.Path)
	if err != nil {
		return "", err
	}
	info, err := f.root.Stat(base)
	if err != nil {
		return "", f.describe(base, err)
	}
	short := false
	if info.IsDir() {
		short, err = f.below(ctx, c, base, func(rel string, e fs.DirEntry) error {
			if !e.Type().IsRegular() || !s.matchesName(base, rel) {
				return nil
			}
			if err := s.file(ctx, rel); !errors.As(err, new(*unsearched)) {
				return err
			}
			return nil
		})
	} else if err = f.checkPattern(c, plan.ToolGrep, base); err == nil {
		err = s.file(ctx, base)
	}
	if err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	return s.result(short), nil
}

func (s *search) prepare(f *Folder) (err error) {
	s.folder, s.Mode = f, cmp.Or(s.Mode, "files_with_matches")
	switch s.Mode {
	case "files_with_matches", "content", "count":
	default:
		return fmt.Errorf("there is no output_mode %q: use files_with_matches, content or count", s.Mode)
	}
	if s.Glob != "" && !doublestar.ValidatePattern(s.Glob) {
		return fmt.Errorf("the glob %s cannot be read", s.Glob)
	}
	const most = 100 // lines around a match
	s.before, s.after = min(int(max(s.Before, s.Around)), most), min(int(max(s.After, s.Around)), most)
	pattern := s.Pattern
	if s.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	if s.expression, err = regexp.Compile(pattern); err != nil {
		return fmt.Errorf("the pattern is not a regular expression of RE2: %w", err)
	}
	return nil
}

// matchesName reports whether the glob allows a file, by its name or by its path below base.
func (s *search) matchesName(base, rel string) bool {
	if s.Glob == "" {
		return true
	}
	below := strings.TrimPrefix(strings.TrimPrefix(rel, base), "/")
	for _, name := range []string{path.Base(rel), below} {
		if match, _ := doublestar.Match(s.Glob, name); match {
			return true
		}
	}
	return false
}

func (s *search) result(short bool) string {
	if s.lines == 0 {
		s.out.WriteString("[no match]\n")
	}
	if s.full {
		fmt.Fprintf(&s.out, "[cut after %d lines]\n", s.lines)
	}
	if s.cut > 0 {
		fmt.Fprintf(&s.out, "[%s longer than %d MB: only the beginning was searched]\n", plan.Count(s.cut, "line"), maxLine>>20)
	}
	if short {
		s.out.WriteString(notAll)
	}
	return strings.TrimSuffix(s.out.String(), "\n")
}

// add adds a line to the result.
func (s *search) add(line string) error {
	if s.HeadLimit > 0 && s.lines >= int(s.HeadLimit) || s.out.Len() > maxMatched {
		s.full = true
		return errEnough
	}
	s.lines++
	s.out.WriteString(line + "\n")
	return nil
}

// unsearched is the error for a file that cannot be read or is not text. It does not matter where many
// files are searched.
type unsearched struct{ error }

// file searches a file.
func (s *search) file(ctx context.Context, rel string) error {
	file, _, err := s.folder.open(rel)
	if err != nil {
		return &unsearched{err}
	}
	defer func() { _ = file.Close() }()
	r := bufio.NewReaderSize(file, 64<<10)
	if begin, _ := r.Peek(sniffed); isBinary(begin) {
		return &unsearched{s.folder.describe(rel, errBinary)}
	}
	m := matches{search: s, name: s.folder.place.FromDir(rel)}
	for number := 1; ; number++ {
		line, err := readLine(r, maxLine)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return &unsearched{s.folder.describe(rel, err)}
			}
			return m.end()
		}
		if number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := m.line(number, line); errors.Is(err, errNextFile) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// matches are the matches in one file.
type matches struct {
	*search
	name   string
	found  int
	recent []string // lines before, for the next match
	until  int      // the last line to show after a match
	last   int      // the last line that was shown
}

// line examines a line of the file.
func (m *matches) line(number int, line []byte) error {
	match := m.expression.Match(line)
	switch {
	case match:
		m.found++
	case len(line) > maxLine:
		m.cut++
	}
	switch {
	case m.Mode == "files_with_matches" && match:
		return cmp.Or(m.add(m.name), errNextFile)
	case m.Mode != "content":
		return nil
	case match:
		return m.show(number, line)
	case number <= m.until:
		m.last = number
		return m.add(m.format(number, "-", line))
	}
	if m.before > 0 {
		m.recent = append(m.recent, m.format(number, "-", line))
		m.recent = m.recent[max(0, len(m.recent)-m.before):]
	}
	return nil
}

// show shows a match with the lines before it.
func (m *matches) show(number int, line []byte) error {
	if m.last > 0 && m.before+m.after > 0 && number-len(m.recent) > m.last+1 {
		if err := m.add("--"); err != nil {
			return err
		}
	}
	for _, text := range m.recent {
		if err := m.add(text); err != nil {
			return err
		}
	}
	m.recent, m.until, m.last = nil, number+m.after, number
	return m.add(m.format(number, ":", line))
}

func (m *matches) format(number int, mark string, line []byte) string {
	if m.Numbers != nil && !*m.Numbers {
		return m.name + mark + cutLine(line)
	}
	return fmt.Sprintf("%s%s%d%s%s", m.name, mark, number, mark, cutLine(line))
}

// errNextFile ends the search of a file if only its name matters.
var errNextFile = errors.New("next file")

// end adds the count of the file's matches.
func (m *matches) end() error {
	if m.Mode != "count" || m.found == 0 {
		return nil
	}
	return m.add(fmt.Sprintf("%s:%d", m.name, m.found))
}
