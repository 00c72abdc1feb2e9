package playbook

import "testing"

// BenchmarkTypical must take at most 10 ms for 200,000 bytes.
func BenchmarkTypical(b *testing.B) {
	file := typical(MaxSize - 1000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if p := Parse("typical.playbook.md", file, Options{}); !p.Runnable() {
			b.Fatal(p.Diagnostics[0])
		}
	}
}
