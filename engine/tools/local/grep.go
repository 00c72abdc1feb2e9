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
	maxGrepBytes    = 1 << 20 // bytes of a result
	maxSearchedLine = 1 << 20 // bytes of a line that are searched
)

// grepSearch is a call of Grep.
type grepSearch struct {
	Pattern                               string      `json:"pattern"`
	Path                                  string      `json:"path"`
	Glob                                  string      `json:"glob"`
	OutputMode                            string      `json:"output_mode"`
	IgnoreCase                            bool        `json:"-i"`
	WithNumbers                           *bool       `json:"-n"`
	LinesAfter                            wholeNumber `json:"-A"`
	LinesBefore                           wholeNumber `json:"-B"`
	LinesAround                           wholeNumber `json:"-C"`
	HeadLimit                             wholeNumber `json:"head_limit"`
	folder                                *Folder
	expression                            *regexp.Regexp
	out                                   strings.Builder
	lineCount                             int  // the number of lines in the result
	isFull                                bool // the result is as long as it may be
	partlySearchedLineCount               int  // the number of long lines without a match in the part that was searched
	contextLinesBefore, contextLinesAfter int
}

// grep searches files for a regular expression.
func (f *Folder) grep(ctx context.Context, c Call) (string, error) {
	s, err := decodeArgs[grepSearch](c.Args)
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
		return "", f.describeError(base, err)
	}
	isIncomplete := false
	if info.IsDir() {
		isIncomplete, err = f.visitFilesBelow(ctx, c, base, func(rel string, e fs.DirEntry) error {
			if !e.Type().IsRegular() || !s.matchesName(base, rel) {
				return nil
			}
			if err := s.searchFile(ctx, rel); !errors.As(err, new(*unsearchedError)) {
				return err
			}
			return nil
		})
	} else if err = f.checkPattern(c, base); err == nil {
		err = s.searchFile(ctx, base)
	}
	if err != nil && !errors.Is(err, errStopSearch) {
		return "", err
	}
	return s.resultText(isIncomplete), nil
}

// prepare checks the arguments of the call and compiles the expression.
func (s *grepSearch) prepare(f *Folder) (err error) {
	s.folder, s.OutputMode = f, cmp.Or(s.OutputMode, "files_with_matches")
	switch s.OutputMode {
	case "files_with_matches", "content", "count":
	default:
		return fmt.Errorf("there is no output_mode %q: use files_with_matches, content or count", s.OutputMode)
	}
	if s.Glob != "" && !doublestar.ValidatePattern(s.Glob) {
		return fmt.Errorf("the glob %s is not valid", s.Glob)
	}
	const maxLines = 100 // before a match, and after it
	s.contextLinesBefore, s.contextLinesAfter = min(int(max(s.LinesBefore, s.LinesAround)), maxLines), min(int(max(s.LinesAfter, s.LinesAround)), maxLines)
	pattern := s.Pattern
	if s.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	if s.expression, err = regexp.Compile(pattern); err != nil {
		return fmt.Errorf("the pattern is not a valid RE2 regular expression: %w", err)
	}
	return nil
}

// matchesName reports whether the glob allows a file, by its name or by its path below base.
func (s *grepSearch) matchesName(base, rel string) bool {
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

func (s *grepSearch) resultText(isIncomplete bool) string {
	if s.lineCount == 0 {
		s.out.WriteString("[no match]\n")
	}
	if s.isFull {
		fmt.Fprintf(&s.out, "[cut after %s]\n", plan.CountText(s.lineCount, "line"))
	}
	if s.partlySearchedLineCount > 0 {
		fmt.Fprintf(&s.out, "[%s longer than %d MiB: text beyond that limit was not searched]\n", plan.CountText(s.partlySearchedLineCount, "line"), maxSearchedLine>>20)
	}
	if isIncomplete {
		s.out.WriteString(incompleteNote)
	}
	return strings.TrimSuffix(s.out.String(), "\n")
}

// addLine adds a line to the result. It returns errStopSearch if the result is full.
func (s *grepSearch) addLine(line string) error {
	if s.HeadLimit > 0 && s.lineCount >= int(s.HeadLimit) || s.out.Len() > maxGrepBytes {
		s.isFull = true
		return errStopSearch
	}
	s.lineCount++
	s.out.WriteString(line + "\n")
	return nil
}

// unsearchedError is the error for a file that cannot be read or is not text. A search of a folder skips
// such a file.
type unsearchedError struct{ error }

// searchFile adds the matches in a file to the result.
func (s *grepSearch) searchFile(ctx context.Context, rel string) error {
	file, _, err := s.folder.open(rel)
	if err != nil {
		return &unsearchedError{err}
	}
	defer func() { _ = file.Close() }()
	r := bufio.NewReaderSize(file, 64<<10)
	if begin, _ := r.Peek(sniffedBytes); isBinary(begin) {
		return &unsearchedError{s.folder.describeError(rel, errBinary)}
	}
	m := fileMatches{grepSearch: s, shownName: s.folder.toolPlace.RelativeToWorkingDir(rel)}
	for number := 1; ; number++ {
		line, err := readStartOfLine(r, maxSearchedLine)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return &unsearchedError{s.folder.describeError(rel, err)}
			}
			return m.addCount()
		}
		if number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := m.examineLine(number, line); errors.Is(err, errNextFile) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// fileMatches are the matches in one file.
type fileMatches struct {
	*grepSearch
	shownName       string
	matchCount      int
	recentLines     []string // formatted lines to show before the next match
	lastContextLine int      // the last line to show after a match
	lastShownLine   int      // the last line that was shown
}

// examineLine examines a line of the file.
func (m *fileMatches) examineLine(number int, line []byte) error {
	match := m.expression.Match(line)
	switch {
	case match:
		m.matchCount++
	case len(line) > maxSearchedLine:
		m.partlySearchedLineCount++
	}
	switch {
	case m.OutputMode == "files_with_matches" && match:
		return cmp.Or(m.addLine(m.shownName), errNextFile)
	case m.OutputMode != "content":
		return nil
	case match:
		return m.showMatch(number, line)
	case number <= m.lastContextLine:
		m.lastShownLine = number
		return m.addLine(m.formatLine(number, "-", line))
	}
	if m.contextLinesBefore > 0 {
		m.recentLines = append(m.recentLines, m.formatLine(number, "-", line))
		m.recentLines = m.recentLines[max(0, len(m.recentLines)-m.contextLinesBefore):]
	}
	return nil
}

// showMatch shows a match with the lines before it.
func (m *fileMatches) showMatch(number int, line []byte) error {
	if m.lastShownLine > 0 && m.contextLinesBefore+m.contextLinesAfter > 0 && number-len(m.recentLines) > m.lastShownLine+1 {
		if err := m.addLine("--"); err != nil {
			return err
		}
	}
	for _, text := range m.recentLines {
		if err := m.addLine(text); err != nil {
			return err
		}
	}
	m.recentLines, m.lastContextLine, m.lastShownLine = nil, number+m.contextLinesAfter, number
	return m.addLine(m.formatLine(number, ":", line))
}

func (m *fileMatches) formatLine(number int, mark string, line []byte) string {
	if m.WithNumbers != nil && !*m.WithNumbers {
		return m.shownName + mark + shortenLine(line)
	}
	return fmt.Sprintf("%s%s%d%s%s", m.shownName, mark, number, mark, shortenLine(line))
}

// errNextFile ends the search of a file because one match is enough.
var errNextFile = errors.New("next file")

// addCount adds the count of the file's matches.
func (m *fileMatches) addCount() error {
	if m.OutputMode != "count" || m.matchCount == 0 {
		return nil
	}
	return m.addLine(fmt.Sprintf("%s:%d", m.shownName, m.matchCount))
}
