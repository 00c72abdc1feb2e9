package logs_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/logs"
)

func TestMask(t *testing.T) {
	tests := []struct {
		name    string
		secrets []string
		writes  []string
		want    string
	}{
		{"none", nil, []string{"open text"}, "open text"},
		{"empty ones hide nothing", []string{"", "\n"}, []string{"open\n"}, "open\n"},
		{"whole", []string{"hunter2"}, []string{"password: hunter2\n"}, "password: •••\n"},
		{"split", []string{"hunter2"}, []string{"hun", "t", "er2!"}, "•••!"},
		{"only its beginning", []string{"hunter2"}, []string{"hunt", "ing"}, "hunting"},
		{"its beginning at the end", []string{"hunter2"}, []string{"hunter"}, "hunter"},
		{"beginning within the beginning", []string{"aab"}, []string{"aa", "ab"}, "a•••"},
		{"twice", []string{"abc"}, []string{"abcabc abc"}, "•••••• •••"},
		{"the longest counts", []string{"abc", "abcdef"}, []string{"abcd", "ef abc"}, "••• •••"},
		{"the shorter of two when the longer does not come", []string{"abc", "abcdef"}, []string{"abcd"}, "•••d"},
		{"overlapping ones hide together", []string{"abc", "cde"}, []string{"ab", "cd", "ef"}, "•••f"},
		{"styles stay", []string{"hunter2"}, []string{"a \x1b[1mhun\x1b[31m\x00ter\x1b[m2 b"}, "a \x1b[1m•••\x1b[31m\x1b[m b"},
		{"lines stay that break it", []string{"hunter22"}, []string{"hunt\r\ner22\r\n"}, "•••\r\n\r\n"},
		{"a line is kept waiting for four letters only", []string{"hunter22"}, []string{"hun\n", "ter22\n"}, "hun\n•••\n"},
		{"words that a line end makes of a short one", []string{"count"}, []string{"co\nunt"}, "co\nunt"},
		{"put together by the cursor", []string{"hunter2"}, []string{"hunXer2\r\x1b[3Ct\n"}, "hunXer2\r\x1b[3C\x1b[1G•••\x1b[5G•••\x1b[4G•\n"},
		{"moves without a secret", []string{"hunter2"}, []string{"10%\r20%\r\x1b[Khun\x1b[3Ger\b2\tx\n"}, "10%\r20%\r\x1b[Khun\x1b[3Ger\b2\tx\n"},
		{"several lines, as a terminal prints them", []string{"k1\nk2\n"}, []string{"[k1\r\nk2\r\n] k1\nk2"}, "[•••\r\n] •••"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := logs.NewMasker(&out, tt.secrets)
			for _, w := range tt.writes {
				if n, err := m.Write([]byte(w)); n != len(w) || err != nil {
					t.Fatalf("Write = %d, %v", n, err)
				}
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.want {
				t.Errorf("got %q, want %q", out.String(), tt.want)
			}
		})
	}
}

// TestMaskFlush: Flush writes text that the masker holds back. If this was the beginning of a secret, the rest of the
// secret is masked, and nothing is written twice.
func TestMaskFlush(t *testing.T) {
	for _, tt := range []struct {
		name    string
		secrets []string
		writes  []string
		flushed []string // the output after each write
	}{
		{"nothing held", []string{"hunter2"}, []string{"open", " text"}, []string{"open", "open text"}},
		{"no secret", []string{"hunter2"}, []string{"hunt", "ing"}, []string{"hunt", "hunting"}},
		{"a secret after all", []string{"hunter2"}, []string{"a hunt", "er2!"}, []string{"a hunt", "a hunt•••!"}},
		{"in three pieces", []string{"hunter2"}, []string{"hu", "nt", "er2"}, []string{"hu", "hunt", "hunt•••"}},
		{"a shorter one", []string{"abc", "abcdef"}, []string{"abcd", "x"}, []string{"•••d", "•••dx"}},
		{"the longer one", []string{"abc", "abcdef"}, []string{"abcd", "ef."}, []string{"•••d", "•••d•••."}},
		{"overlapping ones", []string{"abc", "cde"}, []string{"abc", "d", "ef"}, []string{"•••", "•••d", "•••df"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := logs.NewMasker(&out, tt.secrets)
			for i, w := range tt.writes {
				_, err := m.Write([]byte(w))
				if err := errors.Join(err, m.Flush(), m.Flush()); err != nil {
					t.Fatal(err)
				}
				if out.String() != tt.flushed[i] {
					t.Errorf("after %q there is %q, want %q", w, out.String(), tt.flushed[i])
				}
			}
			if err := m.Close(); err != nil || out.String() != tt.flushed[len(tt.flushed)-1] {
				t.Errorf("in the end there is %q (%v)", out.String(), err)
			}
		})
	}
}

func TestMaskHoldsBackNoMoreThanItMust(t *testing.T) {
	var out bytes.Buffer
	m := logs.NewMasker(&out, []string{"hunter2"})
	m.Write([]byte("Password: "))
	if out.String() != "Password: " {
		t.Errorf("only %q came through", out.String())
	}
	m.Write([]byte("hu"))
	if out.String() != "Password: " {
		t.Errorf("%q came through", out.String())
	}
}

// TestMaskDoesNotDependOnTheWrites: the output is the same for any division into writes, and contains no secret.
func TestMaskDoesNotDependOnTheWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.StringMatching(`[abc]{2,5}`), 1, 4).Draw(t, "secrets")
		text := rapid.StringMatching(`[abcd]{0,60}`).Draw(t, "text")
		whole := masked(secrets, text)
		cuts := strings.Split(rapid.StringMatching(`[x|]{60}`).Draw(t, "cuts"), "")
		var writes []string
		last := 0
		for i := range text {
			if cuts[i] == "|" {
				writes, last = append(writes, text[last:i]), i
			}
		}
		if got := masked(secrets, append(writes, text[last:])...); got != whole {
			t.Fatalf("%q in pieces gives %q, whole %q", text, got, whole)
		}
		for _, s := range secrets {
			if strings.Contains(whole, s) {
				t.Fatalf("%q is left in %q", s, whole)
			}
		}
	})
}

func masked(secrets []string, writes ...string) string {
	var out bytes.Buffer
	m := logs.NewMasker(&out, secrets)
	for _, w := range writes {
		m.Write([]byte(w))
	}
	m.Close()
	return out.String()
}

func BenchmarkMask(b *testing.B) {
	block := bytes.Repeat([]byte("forty-nine bytes and a line feed, as is usual....\n"), 80)
	l, _ := create(b)
	m := logs.NewMasker(l, []string{"sk-0123456789abcdef", "hunter2"})
	for b.Loop() {
		m.Write(block)
	}
	b.ReportMetric(80*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
