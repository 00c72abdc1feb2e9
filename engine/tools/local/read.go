package local

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	defaultLines = 2000                                   // that Read returns
	maxColumn    = 2000                                   // characters of a line that are returned
	maxRead      = defaultLines * maxColumn * utf8.UTFMax // bytes of a result
	sniffed      = 8 << 10
)

// read returns the numbered lines of a file.
func (f *Folder) read(ctx context.Context, c Call) (string, *File, error) {
	a, err := decode[struct {
		FilePath      string `json:"file_path"`
		Offset, Limit count
	}](c.Args)
	if err != nil {
		return "", nil, err
	}
	rel, err := f.place.Rel(a.FilePath)
	if err == nil {
		err = f.checkPattern(c, c.Tool, rel)
	}
	if err != nil {
		return "", nil, err
	}
	file, info, err := f.open(rel)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = file.Close() }()
	lines := numbered{first: max(1, int(a.Offset)), maxLines: int(a.Limit)}
	if lines.maxLines <= 0 {
		lines.maxLines = defaultLines
	}
	if info.Size() <= MaxFile {
		lines.sum = sha256.New()
	}
	if err := lines.read(ctx, file); err != nil {
		return "", nil, f.describe(rel, err)
	}
	read := &File{Path: rel}
	if real, err := f.resolve(rel); err == nil {
		read.Path = real
	}
	if lines.sum == nil {
		read = nil // the file is too large to be changed
	} else {
		read.Hash = hex.EncodeToString(lines.sum.Sum(nil))
	}
	return lines.text(), read, nil
}

var errBinary = errors.New("this is a binary file: only text can be read")

// isBinary reports whether a file is not text, judging by its beginning.
func isBinary(begin []byte) bool {
	if bytes.IndexByte(begin, 0) >= 0 {
		return true
	}
	broken, all := 0, 0
	for len(begin) > 0 {
		r, n := utf8.DecodeRune(begin)
		if r == utf8.RuneError && n == 1 {
			broken++
		}
		all++
		begin = begin[n:]
	}
	return broken > 3 && broken*10 > all*3
}

// numbered collects some lines of a file with their numbers.
type numbered struct {
	first, maxLines int
	out             strings.Builder
	line, shown     int
	more            bool
	sum             hash.Hash // of the whole file; nil: not needed
}

// read reads the lines. If the hash is not needed, it does not read the rest of the file.
func (n *numbered) read(ctx context.Context, file io.Reader) error {
	var from io.Reader = file
	if n.sum != nil {
		from = io.TeeReader(file, n.sum)
	}
	r := bufio.NewReaderSize(from, 64<<10)
	begin, err := r.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if isBinary(begin) {
		return errBinary
	}
	for {
		text, err := readLine(r, maxColumn*utf8.UTFMax)
		if errors.Is(err, io.EOF) && text == nil {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n.line++; n.line%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n.line < n.first {
			continue
		}
		if n.shown == n.maxLines || n.out.Len() >= maxRead {
			n.more = true
			_, err := io.Copy(io.Discard, n.rest(r))
			return err
		}
		n.shown++
		fmt.Fprintf(&n.out, "%6d\t%s\n", n.line, cutLine(text))
	}
}

// rest returns a reader for the rest of a file.
func (n *numbered) rest(r io.Reader) io.Reader {
	if n.sum == nil {
		return strings.NewReader("")
	}
	return r
}

func (n *numbered) text() string {
	switch {
	case n.line == 0:
		return "[the file is empty]"
	case n.shown == 0:
		return fmt.Sprintf("[the file has %d lines]", n.line)
	case n.more:
		fmt.Fprintf(&n.out, "[there are more lines: read on with offset %d]\n", n.first+n.shown)
	}
	return strings.TrimSuffix(n.out.String(), "\n")
}

// readLine reads a line without its end, and at most most+1 bytes of it: more than most means that
// it is longer. At the end it returns nil and io.EOF.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for got := false; ; got = true {
		part, err := r.ReadSlice('\n')
		if room := most + 1 - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(part) == 0 && !got:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if line == nil {
			line = []byte{}
		}
		return line, nil
	}
}

// cutLine shortens a long line.
func cutLine(line []byte) string {
	text := string(line)
	if utf8.RuneCountInString(text) <= maxColumn {
		return text
	}
	return string([]rune(text)[:maxColumn]) + fmt.Sprintf(" [cut: the first %d characters of the line]", maxColumn)
}
