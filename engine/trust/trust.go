// Package trust remembers which documents a person allowed to run commands.
//
// Commands lists what a document would execute; the person reads that once and
// says yes. Trust is then given to content, not to a name: a Hash covers the
// document, all that it includes, and what would be executed, so an edit anywhere
// asks again. A document that executes nothing needs no trust.
package trust

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"playhead/parse/plan"
)

// Hash names the content of a document and of all documents it includes, with the
// tool servers that it would start. What is executed is part of it: read as another
// format, the same bytes may run others.
func Hash(p *plan.Plan, servers ...Item) string {
	h := hasher{sums: map[*plan.Plan]string{}}
	sum := sha256.New()
	field(sum, h.document(p))
	for _, item := range Commands(p) {
		field(sum, item.Step, item.Language, item.Text)
	}
	for _, item := range servers {
		field(sum, "server", item.Server, item.Text, item.Exact)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// hasher sums each document once, however often it is included.
type hasher struct{ sums map[*plan.Plan]string }

// document sums a document's bytes, and the path and sum of each child. One that
// could not be loaded counts as missing, so that its appearance changes the sum.
func (h hasher) document(p *plan.Plan) string {
	if p == nil {
		return "missing"
	}
	if sum, ok := h.sums[p]; ok {
		return sum
	}
	h.sums[p] = "included by itself" // until it is known
	sum := sha256.New()
	field(sum, string(p.Source))
	for _, f := range p.Files {
		if !f.Folder {
			field(sum, string(f.Source))
		}
	}
	for _, c := range p.Children {
		field(sum, c.Path, h.document(c.Plan))
	}
	h.sums[p] = hex.EncodeToString(sum.Sum(nil))
	return h.sums[p]
}

// field adds texts with their lengths, so that none can pass for another's part.
func field(sum hash.Hash, texts ...string) {
	for _, text := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		sum.Write(n[:])
		sum.Write([]byte(text))
	}
}
