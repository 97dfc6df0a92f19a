// Prints the resources that a Go program declares, as Go's own parser reads it: {"name": {"Title": "…"}}.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), os.Args[1], nil, parser.AllErrors)
	if err != nil {
		panic(err)
	}
	resources := map[string]any{}
	ast.Inspect(file, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if made, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(made.Sel.Name, "New") {
				resources[valueOf(call.Args[1]).(string)] = valueOf(call.Args[2].(*ast.UnaryExpr).X)
				return false
			}
		}
		return true
	})
	if err := json.NewEncoder(os.Stdout).Encode(resources); err != nil {
		panic(err)
	}
}

// valueOf reads pulumi.String("…"), pulumi.StringArray{…}, pulumi.StringMap{…}, the fields of arguments and what they hold.
func valueOf(node ast.Expr) any {
	switch node := node.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(node.Value); err == nil {
			return text
		}
	case *ast.Ident:
		return map[string]any{"true": true, "false": false}[node.Name]
	case *ast.CallExpr:
		return valueOf(node.Args[0])
	case *ast.CompositeLit:
		list, object := []any{}, map[string]any{}
		for _, element := range node.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); !ok {
				list = append(list, valueOf(element))
			} else if field, ok := pair.Key.(*ast.Ident); ok {
				object[field.Name] = valueOf(pair.Value)
			} else {
				object[valueOf(pair.Key).(string)] = valueOf(pair.Value)
			}
		}
		if len(object) > 0 {
			return object
		}
		return list
	}
	panic("unexpected expression")
}
