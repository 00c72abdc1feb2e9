package service

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestProtocolDoc: the service replies to the examples of docs/protocol.md as the page says.
func TestProtocolDoc(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, document, _ := strings.Cut(string(page), "```markdown\n")
	document, _, _ = strings.Cut(document, "```")
	s := serve(t, document)
	c := s.client()
	s.stands(c)
	conn := s.raw()
	in := bufio.NewReader(conn)
	seen := map[string]bool{}
	for n, line := range strings.Split(string(page), "\n") {
		if sent, is := strings.CutPrefix(line, "    → "); is {
			seen[regexp.MustCompile(`"method":"(\w+)"`).FindStringSubmatch(sent)[1]] = true
			if strings.Contains(sent, `"method":"events"`) {
				s.stands(c)
			}
			fmt.Fprintln(conn, sent)
			continue
		}
		want, is := strings.CutPrefix(line, "    ← ")
		if !is {
			continue
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		got, err := in.ReadString('\n')
		for err == nil && isNotification(got) && !isNotification(want) { // a notification may come before a reply
			got, err = in.ReadString('\n')
		}
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*") + "$"
		if !regexp.MustCompile(pattern).MatchString(strings.TrimSuffix(got, "\n")) {
			t.Errorf("line %d:\ngot  %s\nwant %s", n+1, got, want)
		}
	}
	for name := range methodByName {
		if !seen[name] && name != "type" {
			t.Errorf("there is no example of %s", name)
		}
	}
}

func isNotification(line string) bool { return strings.Contains(line, `"method":"events"`) }
