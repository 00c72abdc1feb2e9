package rundown

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CommandName is the name of the format's own program, rd.
const CommandName = "rd"

// RunRD does what documents call rd for while their scenarios run (spec §6), and returns its exit
// status. "rd echo" prints its arguments and exits with the given result, and "rd prompt" shows a text. The
// attempt is the value of PLAYHEAD_ATTEMPT.
func RunRD(args []string, attempt string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "echo":
			return runEcho(args[1:], attempt, stdout, stderr)
		case "prompt":
			fmt.Fprintf(stdout, "```prompt\n%s\n```\n", strings.Join(args[1:], " "))
			return 0
		}
	}
	return printCommandUsage(stderr)
}

func printCommandUsage(stderr io.Writer) int {
	fmt.Fprintln(stderr, "rd: in a scenario, a step can use only rd echo [WORD…] [--result pass|fail]… and rd prompt TEXT…")
	return 2
}

// runEcho exits with the result at the attempt's index: the last one if there are fewer, pass if there
// are none.
func runEcho(args []string, attempt string, stdout, stderr io.Writer) int {
	words, results, ok := parseEchoArgs(args)
	if !ok {
		return printCommandUsage(stderr)
	}
	fmt.Fprintln(stdout, strings.Join(words, " "))
	if len(results) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(attempt)
	if results[min(max(n, 0), len(results)-1)] == "fail" {
		return 1
	}
	return 0
}

func parseEchoArgs(args []string) (words, results []string, ok bool) {
	for i := 0; i < len(args); i++ {
		value, isResult := strings.CutPrefix(args[i], "--result=")
		if (args[i] == "--result" || args[i] == "-r") && i+1 < len(args) {
			i++
			value, isResult = args[i], true
		}
		switch {
		case !isResult:
			words = append(words, args[i])
		case value != "pass" && value != "fail":
			return nil, nil, false
		default:
			results = append(results, value)
		}
	}
	return words, results, true
}
