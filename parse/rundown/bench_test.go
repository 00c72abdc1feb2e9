package rundown

import "testing"

// BenchmarkTypical must take at most 60 ms for 1 MB.
func BenchmarkTypical(b *testing.B) {
	file := typical(MaxSize - 512)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if p := Parse("typical.runbook.md", file, Options{}); len(p.Diagnostics) > 0 {
			b.Fatal(p.Diagnostics[0])
		}
	}
}
