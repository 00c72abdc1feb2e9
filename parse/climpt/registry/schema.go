package registry

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"playhead/parse/climpt"
)

// Limits of a schema with all references followed.
const (
	maxSchemaDepth  = 50
	maxSchemaValues = 20_000
)

// checkSchemaFolder reports whether there are schemas to read. It warns once if steps refer to some
// and the folder is missing.
func (r *registry) checkSchemaFolder() bool {
	refers := slices.ContainsFunc(r.steps, func(s *step) bool { return s.schemaReference.Value != nil })
	there := r.Exists(r.schemaFolder)
	if refers && !there {
		r.Warn(r.Registry.PlaceOf("schemasBase"), "no-schemas", "the schema folder "+r.schemaFolder+" does not exist: replies are not validated", "create it, or name another one with --schemas")
	}
	return refers && there
}

// readSchema resolves the schema that a step refers to, and reports why it cannot.
func (r *registry) readSchema(s *step) {
	file, name := s.schemaReference.String("file"), s.schemaReference.String("schema")
	if file == "" || name == "" {
		return
	}
	resolver := &schemaResolver{registry: r}
	n, err := resolver.resolveStepSchema(s.schemaReference, file, name)
	var wrong *schemaError
	switch {
	case err == nil:
		s.replySchema = forbidUnlistedProperties(n)
	case errors.Is(err, errAlreadyReported):
	case errors.As(err, &wrong):
		if wrong.place.Line == 0 {
			wrong.place = s.schemaReference.PlaceOf("file")
		}
		r.Error(wrong.place, wrong.code, err.Error(), wrong.suggestion)
	default:
		r.Error(s.schemaReference.Place(), "schema-unresolved", fmt.Sprintf("the schema %s of %s cannot be used: %v", name, file, err), "")
	}
}

// resolveInlineSchema returns a schema inside the registry with its references resolved, or nil if it cannot
// be used, which it reports. The schema validates what a step has output, which may have further
// fields, so additional properties stay allowed.
func (r *registry) resolveInlineSchema(v *climpt.Value) []byte {
	resolver := &schemaResolver{registry: r, inlineRoot: v}
	n, err := resolver.resolveValue("", v, 0)
	if err != nil {
		r.Error(v.Place(), "schema-unresolved", fmt.Sprintf("the schema cannot be used: %v", err), "")
		return nil
	}
	return encodeNode(n)
}

// schemaError is a problem with its own diagnostic code and perhaps a place.
type schemaError struct {
	place                     climpt.Place
	code, message, suggestion string
}

func (e *schemaError) Error() string { return e.message }

// schemaResolver follows the references of one schema.
type schemaResolver struct {
	registry       *registry
	inlineRoot     *climpt.Value // the schema inside the registry, if it is one: the document with the path ""
	openReferences []string      // the references being followed
	valueCount     int
}

// resolveStepSchema resolves an outputSchemaRef (spec §6).
func (s *schemaResolver) resolveStepSchema(o climpt.Fields, file, name string) (jsonNode, error) {
	if strings.HasPrefix(name, "##") || strings.Contains(name, "//") {
		return nil, &schemaError{o.PlaceOf("schema"), "schema-unresolved",
			fmt.Sprintf("%q is not a reference to a schema", name), "write a name, or a pointer that begins with #/"}
	}
	if err := climpt.CheckRelativePath(file); err != nil {
		return nil, s.newPathEscape(err)
	}
	root, err := s.loadFile(path.Clean(file))
	if err != nil {
		return nil, err
	}
	name = strings.TrimPrefix(name, "#")
	pointer := name
	switch {
	case name == "" || name == "/":
		pointer = ""
	case !strings.HasPrefix(name, "/"):
		pointer = s.definitionPointer(root, name)
	}
	if valueAtPointer(root, pointer) == nil {
		return nil, &schemaError{o.PlaceOf("schema"), "schema-missing", fmt.Sprintf("%s has no schema %s", file, name), s.suggestSchema(root)}
	}
	return s.resolvePointer(path.Clean(file), pointer, 0)
}

// suggestSchema suggests an existing schema, or "".
func (s *schemaResolver) suggestSchema(root *climpt.Value) string {
	for _, below := range []*climpt.Value{root.Get("definitions"), root.Get("$defs"), root} {
		for _, m := range below.Members() {
			if m.Is(climpt.Object) {
				return "name an existing schema, such as " + m.Key()
			}
		}
	}
	return ""
}

// definitionPointer returns the pointer to a named definition. The name may contain dots.
func (s *schemaResolver) definitionPointer(root *climpt.Value, name string) string {
	for _, below := range []string{"definitions", "$defs"} {
		if root.Get(below).Has(name) {
			return string(jsontext.Pointer("/" + below).AppendToken(name))
		}
	}
	return string(jsontext.Pointer("").AppendToken(name))
}

// loadFile returns the root of a schema file, which is read once. The name is relative to the schema folder.
func (s *schemaResolver) loadFile(name string) (*climpt.Value, error) {
	if name == "" {
		return s.inlineRoot, nil
	}
	r := s.registry
	doc := r.schemaDocuments[name]
	if doc == nil {
		file, err := r.ResolveBelow(r.schemaFolder, name)
		if err != nil {
			return nil, s.newPathEscape(err)
		}
		data, problem := r.ReadIn(file, climpt.MaxJSONSize)
		if problem != nil {
			return nil, &schemaError{code: "schema-missing", message: fmt.Sprintf("the schema file %s cannot be read: %s", file.Name, problem.Message), suggestion: "check the path"}
		}
		doc = r.ParseDocument(file.Name, data)
		r.schemaDocuments[name] = doc
	}
	if doc.Problem != nil || !doc.Root.Is(climpt.Object) {
		return nil, errAlreadyReported
	}
	return doc.Root, nil
}

func (s *schemaResolver) newPathEscape(err error) *schemaError {
	return &schemaError{code: "path-escape", message: err.Error(), suggestion: "use a path below " + s.registry.schemaFolder}
}

// errAlreadyReported is the error for a file whose own problem is reported where the file is read.
var errAlreadyReported = errors.New("a schema file that it refers to is not a valid JSON object")

// resolvePointer resolves the value at a pointer into a file.
func (s *schemaResolver) resolvePointer(file, pointer string, depth int) (jsonNode, error) {
	ref := file + "#" + pointer
	if slices.Contains(s.openReferences, ref) {
		return nil, fmt.Errorf("%s refers to itself", ref)
	}
	root, err := s.loadFile(file)
	if err != nil {
		return nil, err
	}
	target := valueAtPointer(root, pointer)
	if target == nil {
		return nil, fmt.Errorf("%s: the pointer points to nothing", ref)
	}
	s.openReferences = append(s.openReferences, ref)
	defer func() { s.openReferences = s.openReferences[:len(s.openReferences)-1] }()
	return s.resolveValue(file, target, depth)
}

// valueAtPointer returns the value at a JSON pointer, or nil.
func valueAtPointer(root *climpt.Value, pointer string) *climpt.Value {
	v := root
	for token := range jsontext.Pointer(pointer).Tokens() {
		if v.Is(climpt.Array) {
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(v.Items()) {
				return nil
			}
			v = v.Items()[n]
			continue
		}
		if v = v.Get(token); v == nil {
			return nil
		}
	}
	return v
}

// resolveValue follows all references in a value and merges allOf.
func (s *schemaResolver) resolveValue(file string, value *climpt.Value, depth int) (jsonNode, error) {
	if s.valueCount++; depth > maxSchemaDepth || s.valueCount > maxSchemaValues {
		return nil, fmt.Errorf("it is too deep or too large: at most %d levels and %d values", maxSchemaDepth, maxSchemaValues)
	}
	switch ref := value.Get("$ref"); {
	case ref.Is(climpt.String):
		return s.resolveReference(file, ref.Text(), depth+1)
	case ref != nil && !ref.Is(climpt.Object): // an object is a property with the name $ref
		return nil, fmt.Errorf("%s has a $ref that is not a string", cmp.Or(file, "it"))
	}
	switch value.Kind {
	case climpt.Object:
		out := make(jsonMembers, 0, len(value.Members())+1) // one more for additionalProperties
		for _, m := range value.Members() {
			n, err := s.resolveValue(file, m, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, jsonMember{m.Key(), n})
		}
		return mergeAllOf(out), nil
	case climpt.Array:
		out := make([]jsonNode, 0, len(value.Items()))
		for _, item := range value.Items() {
			n, err := s.resolveValue(file, item, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		return out, nil
	}
	return value.GoValue(), nil
}

// resolveReference resolves a $ref: #/pointer, or file#/pointer relative to its own file. It may contain .., so that a
// schema in a subfolder can refer to one above, if it stays inside the schema folder.
func (s *schemaResolver) resolveReference(file, ref string, depth int) (jsonNode, error) {
	name, pointer, found := strings.Cut(ref, "#")
	if !found || pointer != "" && !strings.HasPrefix(pointer, "/") {
		return nil, fmt.Errorf("the reference %q is neither #/pointer nor file#/pointer", ref)
	}
	if strings.Contains(name, "://") {
		return nil, fmt.Errorf("the reference %q is a URL: only files are read", ref)
	}
	if path.IsAbs(name) {
		return nil, s.newPathEscape(fmt.Errorf("%s is not a relative path", name))
	}
	if name != "" {
		name = path.Join(path.Dir(file), name)
	}
	return s.resolvePointer(cmp.Or(name, file), pointer, depth)
}

// mergeAllOf merges the members of allOf into their object.
func mergeAllOf(o jsonMembers) jsonMembers {
	all, _ := o.get("allOf")
	list, ok := all.([]jsonNode)
	if !ok {
		return o
	}
	var out jsonMembers
	for _, n := range list {
		if m, ok := n.(jsonMembers); ok {
			out = out.mergeSchema(m)
		}
	}
	return out.mergeSchema(slices.DeleteFunc(slices.Clone(o), func(m jsonMember) bool { return m.key == "allOf" }))
}

// mergeSchema adds the members of another object: required is the union, properties are overlaid,
// anything else keeps its first value.
func (m jsonMembers) mergeSchema(other jsonMembers) jsonMembers {
	for _, x := range other {
		first, known := m.get(x.key)
		a, isList := first.([]jsonNode)
		b, areLists := x.value.([]jsonNode)
		p, isObject := first.(jsonMembers)
		q, areObjects := x.value.(jsonMembers)
		switch {
		case !known:
			m = append(m, x)
		case x.key == "required" && isList && areLists:
			m = m.with(x.key, nodeUnion(a, b))
		case x.key == "properties" && isObject && areObjects:
			overlaid := slices.Clone(p)
			for _, y := range q {
				overlaid = overlaid.with(y.key, y.value)
			}
			m = m.with(x.key, overlaid)
		}
	}
	return m
}

func nodeUnion(a, b []jsonNode) []jsonNode {
	out := slices.Clone(a)
	for _, n := range b {
		if !slices.ContainsFunc(out, func(o jsonNode) bool { return string(encodeNode(o)) == string(encodeNode(n)) }) {
			out = append(out, n)
		}
	}
	return out
}

// forbidUnlistedProperties adds "additionalProperties": false to the schemas of objects that do not have it.
// It changes the node.
func forbidUnlistedProperties(n jsonNode) jsonNode {
	switch n := n.(type) {
	case []jsonNode:
		for i := range n {
			n[i] = forbidUnlistedProperties(n[i])
		}
	case jsonMembers:
		for i, m := range n {
			switch m.key {
			case "enum", "const", "default", "examples": // values, not schemas
			case "properties", "patternProperties", "definitions", "$defs", "dependentSchemas": // schemas by name
				named := asMembers(m.value)
				for j := range named {
					named[j].value = forbidUnlistedProperties(named[j].value)
				}
			default:
				n[i].value = forbidUnlistedProperties(m.value)
			}
		}
		kind, _ := n.get("type")
		if _, says := n.get("additionalProperties"); kind == "object" && !says {
			return append(n, jsonMember{"additionalProperties", false})
		}
	}
	return n
}

// enumAt returns the list at a pointer such as #/properties/act, or the enum of the schema there. ok is
// false unless it is a list of strings.
func enumAt(schema jsonNode, pointer string) (values []string, ok bool) {
	n := schema
	for token := range jsontext.Pointer(strings.TrimPrefix(pointer, "#")).Tokens() {
		switch o := n.(type) {
		case jsonMembers:
			n, _ = o.get(token)
		case []jsonNode:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(o) {
				return nil, false
			}
			n = o[i]
		default:
			return nil, false
		}
	}
	list, hasEnum := asMembers(n).get("enum")
	if !hasEnum {
		list = n
	}
	items, ok := list.([]jsonNode)
	for _, item := range items {
		text, isText := item.(string)
		ok = ok && isText
		values = append(values, text)
	}
	return values, ok
}
