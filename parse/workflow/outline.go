package workflow

import (
	"fmt"
	"strings"
)

// lineKind is the kind of a line.
type lineKind byte

const (
	textLine        lineKind = iota
	partHeadingLine          // a heading of §3.1
	fencedLine               // in a fenced block, including the fences
	commentLine
)

// outline has the lines of a document by their kinds (§3.1, §3.2). It examines only ASCII, so
// damaged encoding has no effect.
type outline struct {
	lines                     []string
	lineKinds                 []lineKind
	headingByLine             map[int]*heading
	fenceByFirstLine          map[int]*fence
	hiddenHeadings            []*heading // in fences and comments
	malformedStepHeadingLines []int      // the lines that are nearly step headings
	unclosedBlocks            []unclosedBlock
	closingIndex              closingLines
	firstStepLine             int  // the line of the first step heading, -1 if there is none
	stepHasFence              bool // the current step has a fence
}

type fence struct {
	firstLine, lineAfter int  // the first line, and the one after the last
	contentEnd           int  // the line after the last of the content
	indent               int  // of its opener, in bytes
	isCanonical          bool // opened by exactly three backticks at the start of a line
}

// unclosedBlock is a block that is still open at the end of the file.
type unclosedBlock struct {
	place       place
	description string
}

// classifyLines determines the kinds of a document's lines.
func classifyLines(lines []string) *outline {
	o := &outline{lines: lines, lineKinds: make([]lineKind, len(lines)), headingByLine: map[int]*heading{}, fenceByFirstLine: map[int]*fence{}, firstStepLine: -1}
	o.closingIndex = findClosingLines(lines)
	for i := 0; i < len(lines); {
		i = o.classifyLine(i)
	}
	return o
}

// classifyLine determines the kind of a line, and returns the next line to examine.
func (o *outline) classifyLine(i int) int {
	text := o.lines[i]
	if opensComment(text) {
		return o.skipComment(i)
	}
	if f, ok := readFenceOpener(text); ok && (f.canOpenAnywhere() || o.firstStepLine >= 0 && !o.stepHasFence) {
		return o.skipFence(i, f)
	}
	if h := readHeading(i, text); h != nil {
		o.lineKinds[i], o.headingByLine[i] = partHeadingLine, h
		if h.documentPart == stepPart {
			o.recordStepHeading(i)
		}
	} else if _, keyword := findMalformedHeading(text); keyword != "" && stepKeywordPattern.MatchString(text) {
		o.malformedStepHeadingLines = append(o.malformedStepHeadingLines, i)
	}
	return i + 1
}

func (o *outline) recordStepHeading(line int) {
	o.stepHasFence = false
	if o.firstStepLine < 0 {
		o.firstStepLine = line
	}
}

func opensComment(text string) bool {
	inner := strings.TrimLeft(text, " ")
	return strings.HasPrefix(inner, "<!--") && len(text)-len(inner) <= 3
}

// skipComment classifies the lines of a comment, and returns the line after it.
func (o *outline) skipComment(i int) int {
	end := i
	if o.closingIndex.lastCommentEndLine < i {
		o.unclosedBlocks = append(o.unclosedBlocks, unclosedBlock{place{i, strings.Index(o.lines[i], "<")}, "this comment"})
		end = o.nextHeadingLine(i)
	} else {
		for !strings.Contains(o.lines[end], "-->") {
			end++
		}
		end++
	}
	o.setBlockKind(i, end, commentLine)
	return end
}

// skipFence classifies the lines of a fenced block, and returns the line after it.
func (o *outline) skipFence(i int, open fenceOpener) int {
	f := &fence{firstLine: i, indent: open.IndentBytes, isCanonical: open.isCanonical()}
	o.stepHasFence = true
	if !o.closingIndex.isClosed(i, open) {
		o.unclosedBlocks = append(o.unclosedBlocks, unclosedBlock{place{i, open.IndentBytes}, "this block"})
		f.contentEnd = o.nextHeadingLine(i)
		f.lineAfter = f.contentEnd
	} else {
		for f.contentEnd = i + 1; !open.isClosedBy(o.lines[f.contentEnd]); f.contentEnd++ {
		}
		f.lineAfter = f.contentEnd + 1
	}
	o.fenceByFirstLine[i] = f
	o.setBlockKind(i, f.lineAfter, fencedLine)
	return f.lineAfter
}

// nextHeadingLine returns the next line that is a heading of §3.1, or the number of lines. A block that nothing closes
// ends before it.
func (o *outline) nextHeadingLine(i int) int {
	for i++; i < len(o.lines); i++ {
		if readHeading(i, o.lines[i]) != nil {
			break
		}
	}
	return i
}

// setBlockKind sets the kind of a block's lines, and records what looks like headings in it.
func (o *outline) setBlockKind(from, end int, k lineKind) {
	for i := from; i < end; i++ {
		o.lineKinds[i] = k
		if i == from {
			continue
		}
		if h := readHeading(i, o.lines[i]); h != nil {
			o.hiddenHeadings = append(o.hiddenHeadings, h)
		}
	}
}

// uncountedStepsText lists the lines that are nearly step headings, for the message of no-steps. It is "" for none.
func (o *outline) uncountedStepsText() string {
	var inside []int
	for _, h := range o.hiddenHeadings {
		if h.documentPart == stepPart {
			inside = append(inside, h.line)
		}
	}
	return lineNumbersText("; step headings in fenced blocks or comments: %d", inside) + lineNumbersText("; headings that are nearly step headings: %d", o.malformedStepHeadingLines)
}

// lineNumbersText returns a count of lines with their numbers, "" for none.
func lineNumbersText(what string, lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	var numbers []string
	for _, l := range lines[:min(len(lines), maxListed)] {
		numbers = append(numbers, fmt.Sprint(l+1))
	}
	if len(lines) > maxListed {
		numbers = append(numbers, "…")
	}
	word := "lines "
	if len(lines) == 1 {
		word = "line "
	}
	return fmt.Sprintf(what, len(lines)) + " (" + word + strings.Join(numbers, ", ") + ")"
}

// maxListed limits how many lines a message lists.
const maxListed = 20
