package logs

import "slices"

// Watch returns a channel that receives when the log has changed since the last receive, at
// once if there is something already. Unwatch it when done.
func (l *Log) Watch() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	ch := make(chan struct{}, 1)
	l.watchers = append(l.watchers, ch)
	if l.index.size > 0 || l.closed {
		ch <- struct{}{}
	}
	return ch
}

// Unwatch ends a Watch. The channel receives nothing more.
func (l *Log) Unwatch(ch <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers = slices.DeleteFunc(l.watchers, func(w chan struct{}) bool { return w == ch })
}

// notify tells the watchers; those that have not taken the last notice need no other.
func (l *Log) notify() {
	for _, w := range l.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}
