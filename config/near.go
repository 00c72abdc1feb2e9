package config

// near is the one of known names that a word was probably meant to be, or nothing. One that
// is as long is the more likely: letters change places.
func near(word string, known []string) string {
	best, least := "", 3
	for _, name := range known {
		d := distance(word, name)
		if d < len(name) && (d < least || d == least && d < 3 && len(name) == len(word)) {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to change, add or take away to make one word of another
// (Levenshtein), up to a difference in length that is too much anyway.
func distance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
