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
	defaultLineCount = 2000                                          // that Read returns
	maxLineRunes     = 2000                                          // characters of a line that are returned
	maxReadBytes     = defaultLineCount * maxLineRunes * utf8.UTFMax // bytes of a result
	sniffedBytes     = 8 << 10                                       // bytes that decide whether a file is text
)

// read returns the numbered lines of a file.
func (f *Folder) read(ctx context.Context, c Call) (string, *File, error) {
	a, err := decodeArgs[struct {
		FilePath      string `json:"file_path"`
		Offset, Limit wholeNumber
	}](c.Args)
	if err != nil {
		return "", nil, err
	}
	rel, err := f.toolPlace.RelativeToRoot(a.FilePath)
	if err == nil {
		err = f.checkPattern(c, rel)
	}
	if err != nil {
		return "", nil, err
	}
	file, info, err := f.open(rel)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = file.Close() }()
	lines := numberedLines{firstLine: max(1, int(a.Offset)), maxLines: int(a.Limit)}
	if lines.maxLines <= 0 {
		lines.maxLines = defaultLineCount
	}
	if info.Size() <= maxFileSize {
		lines.contentHash = sha256.New()
	}
	if err := lines.readFrom(ctx, file); err != nil {
		return "", nil, f.describeError(rel, err)
	}
	read := &File{Path: rel}
	if real, err := f.resolveLinks(rel); err == nil {
		read.Path = real
	}
	if lines.contentHash == nil {
		read = nil // the file is too large to be changed
	} else {
		read.Hash = hex.EncodeToString(lines.contentHash.Sum(nil))
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

// numberedLines collects lines of a file with their numbers.
type numberedLines struct {
	firstLine, maxLines    int
	out                    strings.Builder
	lineNumber, shownCount int
	hasMore                bool
	contentHash            hash.Hash // of the whole file; nil: not needed
}

// readFrom reads the lines. If the hash is not needed, it does not read the rest of the file.
func (n *numberedLines) readFrom(ctx context.Context, file io.Reader) error {
	var from io.Reader = file
	if n.contentHash != nil {
		from = io.TeeReader(file, n.contentHash)
	}
	r := bufio.NewReaderSize(from, 64<<10)
	begin, err := r.Peek(sniffedBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if isBinary(begin) {
		return errBinary
	}
	for {
		text, err := readStartOfLine(r, maxLineRunes*utf8.UTFMax)
		if errors.Is(err, io.EOF) && text == nil {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n.lineNumber++; n.lineNumber%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n.lineNumber < n.firstLine {
			continue
		}
		if n.shownCount == n.maxLines || n.out.Len() >= maxReadBytes {
			n.hasMore = true
			if n.contentHash == nil {
				return nil
			}
			_, err := io.Copy(io.Discard, r)
			return err
		}
		n.shownCount++
		fmt.Fprintf(&n.out, "%6d\t%s\n", n.lineNumber, shortenLine(text))
	}
}

func (n *numberedLines) text() string {
	switch {
	case n.lineNumber == 0:
		return "[the file is empty]"
	case n.shownCount == 0:
		return fmt.Sprintf("[the offset is beyond the last line; lines in the file: %d]", n.lineNumber)
	case n.hasMore:
		fmt.Fprintf(&n.out, "[there are more lines: read on with offset %d]\n", n.firstLine+n.shownCount)
	}
	return strings.TrimSuffix(n.out.String(), "\n")
}

// readStartOfLine reads a line and returns it without its end, but at most maxBytes+1 bytes of it: more than maxBytes means
// that it is longer. At the end it returns nil and io.EOF.
func readStartOfLine(r *bufio.Reader, maxBytes int) ([]byte, error) {
	var line []byte
	for hasBegun := false; ; hasBegun = true {
		part, err := r.ReadSlice('\n')
		if room := maxBytes + 1 - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(part) == 0 && !hasBegun:
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

// shortenLine returns a line as text, cut after maxLineRunes characters.
func shortenLine(line []byte) string {
	text := string(line)
	if utf8.RuneCountInString(text) <= maxLineRunes {
		return text
	}
	return string([]rune(text)[:maxLineRunes]) + fmt.Sprintf(" [line cut after %d characters]", maxLineRunes)
}
