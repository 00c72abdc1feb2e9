package parse

import "playhead/parse/climpt"

// Detect is the title of the format that a file or folder is in, as messages have it;
// ok is false where no format reads it.
func Detect(name string) (title string, ok bool) {
	l := newLoader(Options{})
	l.name = name
	l.read = l.inFolder(name)
	file, problem := readFile(l.disk, l.read, l.limit(l.read))
	if problem != nil {
		return "", false
	}
	f, _, problem := l.choose(l.read, file)
	if problem != nil || f.claim(l.read, file) < reads {
		return "", false
	}
	if f.name == string(climpt.Registry) { // which claims for both dialects
		f = byFormat(f.parse(l, file).Format)
	}
	return f.title, true
}
