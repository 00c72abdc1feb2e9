package climpt

import (
	"sync"
	"sync/atomic"
)

// readers is how many prompt files are read at a time.
const readers = 4

// Ahead reads the files that Prompt is going to be asked for, several at a time: of a
// large registry they are what takes longest. Each is given as Prompt is, below one
// folder. What is wrong with one, Prompt says.
func (f *Flow) Ahead(base string, prompts [][]string) {
	f.realFolder(base)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(readers, len(prompts)) {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(prompts); i = next.Add(1) - 1 {
				f.ahead(base, prompts[i])
			}
		})
	}
	all.Wait()
}

// ahead reads the first file that exists.
func (f *Flow) ahead(base string, paths []string) {
	for _, rel := range paths {
		if name, there, err := f.within(base, rel); there && err == nil {
			_, _ = f.disk.Read(name, maxText)
			return
		}
	}
}

// once is a Disk whose files are looked up and read once, whoever asks, and when.
type once struct {
	Disk
	real memo[string]
	read memo[[]byte]
}

// Real implements Disk.
func (o *once) Real(name string) (string, error) {
	return o.real.get(name, func() (string, error) { return o.Disk.Real(name) })
}

// Read implements Disk.
func (o *once) Read(name string, limit int64) ([]byte, error) {
	return o.read.get(name, func() ([]byte, error) { return o.Disk.Read(name, limit) })
}

// memo keeps what was found by name.
type memo[T any] struct{ found sync.Map }

type result[T any] struct {
	sync.Once
	value T
	err   error
}

func (m *memo[T]) get(name string, find func() (T, error)) (T, error) {
	known, ok := m.found.Load(name)
	if !ok {
		known, _ = m.found.LoadOrStore(name, new(result[T]))
	}
	r := known.(*result[T])
	r.Do(func() { r.value, r.err = find() })
	return r.value, r.err
}
