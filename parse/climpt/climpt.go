// Package climpt is what both dialects of Climpt's registries share: reading JSON
// with places (json.go, value.go, fields.go), agent.json in both layouts (agent.go),
// telling the dialects apart (dialect.go), the folders that count and the files that
// were read (flow.go, tree.go), load options (options.go) and prompt files
// (prompt.go). A dialect is a package below this one: it takes a Flow and makes a
// Plan of it.
package climpt
