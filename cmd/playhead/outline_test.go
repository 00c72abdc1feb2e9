package main

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// outlineOf returns the structure of a Markdown text, without its words.
func outlineOf(source []byte) string {
	var b strings.Builder
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindText, ast.KindString, ast.KindTextBlock:
		default:
			if entering {
				fmt.Fprintf(&b, "%s ", n.Kind())
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
