package registry

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/climpt"
)

const (
	// maxDepth limits the levels of a schema with references followed. maxValues limits its values.
	maxDepth  = 50
	maxValues = 20_000
)

// checkSchemaFolder reports whether there are schemas to read. It warns once if steps refer to some
// and the folder is missing.
func (r *registry) checkSchemaFolder() bool {
	refers := slices.ContainsFunc(r.steps, func(s *step) bool { return s.schemaRef.Value != nil })
	there := r.Exists(r.schemas)
	if refers && !there {
		r.Warn(r.Registry.At("schemasBase"), "no-schemas", "the schema folder "+r.schemas+" does not exist: replies are not validated", "create it, or name another one with --schemas")
	}
	return refers && there
}

// readSchema resolves the schema that a step refers to.
func (r *registry) readSchema(s *step) {
	file, name := s.schemaRef.String("file"), s.schemaRef.String("schema")
	if file == "" || name == "" {
		return
	}
	v := &resolver{r: r, base: r.schemas}
	n, err := v.reference(s.schemaRef, file, name)
	var wrong *schemaError
	switch {
	case err == nil:
		s.schema = closeObjects(n)
	case errors.Is(err, errReported):
	case errors.As(err, &wrong):
		if wrong.at.Line == 0 {
			wrong.at = s.schemaRef.At("file")
		}
		r.Error(wrong.at, wrong.code, err.Error(), wrong.suggestion)
	default:
		r.Error(s.schemaRef.Place(), "schema-unresolved", fmt.Sprintf("the schema %s of %s cannot be used: %v", name, file, err), "")
	}
}

// inline resolves a schema inside the registry. It validates what a step has output, which may have
// further fields, so additional properties stay allowed.
func (r *registry) inline(v *climpt.Value) []byte {
	w := &resolver{r: r, base: r.schemas}
	w.files = map[string]*climpt.Value{"": v}
	n, err := w.resolve("", v, 0)
	if err != nil {
		r.Error(v.Place(), "schema-unresolved", fmt.Sprintf("the schema cannot be used: %v", err), "")
		return nil
	}
	return encode(n)
}

// schemaError is a problem with its own diagnostic code and perhaps a place.
type schemaError struct {
	at                        climpt.Place
	code, message, suggestion string
}

func (e *schemaError) Error() string { return e.message }

// resolver follows the references of one schema.
type resolver struct {
	r     *registry
	base  string
	files map[string]*climpt.Value // by path relative to base
	open  []string                 // the references being followed
	count int
}

// reference resolves an outputSchemaRef (spec §6).
func (v *resolver) reference(o climpt.Fields, file, name string) (node, error) {
	if strings.HasPrefix(name, "##") || strings.Contains(name, "//") {
		return nil, &schemaError{o.At("schema"), "schema-unresolved", fmt.Sprintf("%q is not a reference to a schema", name), "write a name, or a pointer that begins #/"}
	}
	root, err := v.file(path.Clean(file))
	if err != nil {
		return nil, err
	}
	name = strings.TrimPrefix(name, "#")
	pointer := name
	switch {
	case name == "" || name == "/":
		pointer = ""
	case !strings.HasPrefix(name, "/"):
		pointer = v.definition(root, name)
	}
	n, err := v.follow(path.Clean(file), pointer, 0)
	if errors.Is(err, errNothing) {
		return nil, &schemaError{o.At("schema"), "schema-missing", fmt.Sprintf("%s has no schema %s", file, name), v.suggest(root)}
	}
	return n, err
}

// suggest names an existing schema.
func (v *resolver) suggest(root *climpt.Value) string {
	for _, below := range []*climpt.Value{root.Get("definitions"), root.Get("$defs"), root} {
		for _, m := range below.Members() {
			if m.Is(climpt.Object) {
				return "name one that is there, such as " + m.Key()
			}
		}
	}
	return ""
}

// escaped writes a key as part of a pointer; unescaped reads it.
var (
	// escaped encodes a key for a JSON pointer; unescaped decodes it.
	escaped   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaped = strings.NewReplacer("~1", "/", "~0", "~")
)

func unescape(token string) string {
	if !strings.Contains(token, "~") { // the replacer makes a copy in any case
		return token
	}
	return unescaped.Replace(token)
}

// definition returns the pointer to a named definition. The name may contain dots.
func (v *resolver) definition(root *climpt.Value, name string) string {
	for _, below := range []string{"definitions", "$defs"} {
		if root.Get(below).Has(name) {
			return "/" + below + "/" + escaped.Replace(name)
		}
	}
	return "/" + escaped.Replace(name)
}

// file returns a schema file, which is read once.
func (v *resolver) file(name string) (*climpt.Value, error) {
	if root := v.files[name]; root != nil {
		return root, nil
	}
	r := v.r
	doc := r.documents[name]
	if doc == nil {
		file, err := r.Within(v.base, name)
		if err != nil {
			return nil, &schemaError{code: "path-escape", message: err.Error(), suggestion: "use a path below " + v.base}
		}
		data, err := r.ReadIn(file, climpt.MaxSize)
		if err != nil {
			return nil, &schemaError{code: "schema-missing", message: fmt.Sprintf("the schema file %s cannot be read: %v", file.Name, err), suggestion: "check the path"}
		}
		doc = r.Document(file.Name, data)
		r.documents[name] = doc
	}
	if doc.Problem != nil || !doc.Root.Is(climpt.Object) {
		return nil, errReported
	}
	return doc.Root, nil
}

var (
	errNothing  = errors.New("it leads to nothing")
	errReported = errors.New("the file cannot be read")
)

// follow resolves what a pointer into a file refers to.
func (v *resolver) follow(file, pointer string, depth int) (node, error) {
	ref := file + "#" + pointer
	if slices.Contains(v.open, ref) {
		return nil, fmt.Errorf("%s refers to itself", ref)
	}
	root, err := v.file(file)
	if err != nil {
		return nil, err
	}
	target := valueAtPointer(root, pointer)
	if target == nil {
		return nil, fmt.Errorf("%s: %w", ref, errNothing)
	}
	v.open = append(v.open, ref)
	defer func() { v.open = v.open[:len(v.open)-1] }()
	return v.resolve(file, target, depth)
}

// valueAtPointer returns the value at a JSON pointer, or nil.
func valueAtPointer(root *climpt.Value, pointer string) *climpt.Value {
	v := root
	if pointer == "" {
		return v
	}
	for _, token := range strings.Split(pointer, "/")[1:] {
		if v.Is(climpt.Array) {
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(v.Items()) {
				return nil
			}
			v = v.Items()[n]
			continue
		}
		if v = v.Get(unescape(token)); v == nil {
			return nil
		}
	}
	return v
}

// resolve follows all references in a value and merges allOf.
func (v *resolver) resolve(file string, value *climpt.Value, depth int) (node, error) {
	if v.count++; depth > maxDepth || v.count > maxValues {
		return nil, fmt.Errorf("it is too deep or too large: at most %d levels and %d values", maxDepth, maxValues)
	}
	switch ref := value.Get("$ref"); {
	case ref.Is(climpt.String):
		return v.ref(file, ref.Text(), depth+1)
	case ref != nil && !ref.Is(climpt.Object): // that is a property of the name
		return nil, fmt.Errorf("%s has a $ref that is not a string", file)
	}
	switch value.Kind {
	case climpt.Object:
		out := make(members, 0, len(value.Members())+1) // closed may add one
		for _, m := range value.Members() {
			n, err := v.resolve(file, m, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, member{m.Key(), n})
		}
		return mergeAllOf(out), nil
	case climpt.Array:
		out := make([]node, 0, len(value.Items()))
		for _, item := range value.Items() {
			n, err := v.resolve(file, item, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		}
		return out, nil
	}
	return value.Any(), nil
}

// ref resolves a $ref: #/pointer, or file#/pointer relative to its own file.
func (v *resolver) ref(file, ref string, depth int) (node, error) {
	name, pointer, found := strings.Cut(ref, "#")
	if !found || pointer != "" && !strings.HasPrefix(pointer, "/") {
		return nil, fmt.Errorf("the reference %q is neither #/pointer nor file#/pointer", ref)
	}
	if strings.Contains(name, "://") {
		return nil, fmt.Errorf("the reference %q is a network address: only files are read", ref)
	}
	if name != "" {
		name = path.Join(path.Dir(file), name)
	}
	return v.follow(cmp.Or(name, file), pointer, depth)
}

// mergeAllOf merges the members of allOf into their object.
func mergeAllOf(o members) members {
	all, ok := o.get("allOf")
	list, isList := all.([]node)
	if !ok || !isList {
		return o
	}
	var out members
	for _, n := range list {
		if m, ok := n.(members); ok {
			out = out.merge(m)
		}
	}
	return out.merge(slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.key == "allOf" }))
}

// merge adds the members of another object: required is the union, properties are overlaid,
// anything else keeps its first value.
func (m members) merge(other members) members {
	for _, x := range other {
		first, known := m.get(x.key)
		a, isList := first.([]node)
		b, areLists := x.value.([]node)
		p, isObject := first.(members)
		q, areObjects := x.value.(members)
		switch {
		case !known:
			m = append(m, x)
		case x.key == "required" && isList && areLists:
			m = m.with(x.key, union(a, b))
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

func union(a, b []node) []node {
	out := slices.Clone(a)
	for _, n := range b {
		if !slices.ContainsFunc(out, func(o node) bool { return string(encode(o)) == string(encode(n)) }) {
			out = append(out, n)
		}
	}
	return out
}

// closeObjects forbids unlisted properties in objects that do not say. It changes the node.
func closeObjects(n node) node {
	switch n := n.(type) {
	case []node:
		for i := range n {
			n[i] = closeObjects(n[i])
		}
	case members:
		for i, m := range n {
			switch m.key {
			case "enum", "const", "default", "examples": // values, no schemas
			default:
				n[i].value = closeObjects(m.value)
			}
		}
		kind, _ := n.get("type")
		if _, says := n.get("additionalProperties"); kind == "object" && !says {
			return append(n, member{"additionalProperties", false})
		}
	}
	return n
}

// enum returns the values at a gate's intentSchemaRef, and whether they are a list of strings.
func enum(schema node, pointer string) ([]string, bool) {
	n := schema
	_, pointer, _ = strings.Cut(pointer, "/")
	for token := range strings.SplitSeq(pointer, "/") {
		switch o := n.(type) {
		case members:
			n, _ = o.get(unescape(token))
		case []node:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(o) {
				return nil, false
			}
			n = o[i]
		default:
			return nil, false
		}
	}
	o, _ := n.(members)
	list, ok := o.get("enum")
	if !ok {
		list = n
	}
	values, ok := list.([]node)
	var out []string
	for _, v := range values {
		s, isText := v.(string)
		ok = ok && isText
		out = append(out, s)
	}
	return out, ok
}
