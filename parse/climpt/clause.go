package climpt

import "playhead/parse/plan"

// MemberAt returns the excerpt of the member of an object whose key or value begins at a place.
func MemberAt(at Place) plan.Excerpt {
	return plan.Excerpt{File: at.File, Span: plan.Span{Line: at.Line, Column: at.Column, End: at.Line}, Member: true}
}
