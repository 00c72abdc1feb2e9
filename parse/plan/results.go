package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Results are the results of children by label, in the order in which they were
// first recorded. As JSON they are one object.
type Results []ChildResult

// ChildResult is one child's result.
type ChildResult struct {
	Label  string
	Result Result
}

// With records a result: a later one of the same label replaces the earlier, in
// its place. The receiver is left as it was.
func (rs Results) With(label string, r Result) Results {
	out := make(Results, len(rs), len(rs)+1)
	copy(out, rs)
	for i := range out {
		if out[i].Label == label {
			out[i].Result = r
			return out
		}
	}
	return append(out, ChildResult{label, r})
}

// Count says how many of the results are r.
func (rs Results) Count(r Result) int {
	n := 0
	for _, c := range rs {
		if c.Result == r {
			n++
		}
	}
	return n
}

// MarshalJSON writes the results as one object, in their order.
func (rs Results) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, c := range rs {
		if i > 0 {
			b.WriteByte(',')
		}
		label, err := json.Marshal(c.Label)
		if err != nil {
			return nil, err
		}
		result, err := json.Marshal(c.Result)
		if err != nil {
			return nil, err
		}
		b.Write(label)
		b.WriteByte(':')
		b.Write(result)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the object, keeping its order.
func (rs *Results) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return fmt.Errorf("results: want an object")
	}
	var out Results
	for dec.More() {
		label, err := dec.Token()
		if err != nil {
			return err
		}
		var r Result
		if err := dec.Decode(&r); err != nil {
			return err
		}
		out = append(out, ChildResult{label.(string), r})
	}
	*rs = out
	return nil
}
