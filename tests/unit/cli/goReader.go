// Prints the resources that a Go program declares, as Go's own parser reads it: {"name": {"title": "…"}}.
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
		call, ok := node.(*ast.CallExpr)
		if !ok || !strings.HasPrefix(nameOf(call.Fun), "New") {
			return true
		}
		args := call.Args[2].(*ast.UnaryExpr).X.(*ast.CompositeLit)
		inputs := map[string]any{}
		for _, element := range args.Elts {
			pair := element.(*ast.KeyValueExpr)
			name := pair.Key.(*ast.Ident).Name
			inputs[strings.ToLower(name[:1])+name[1:]] = valueOf(pair.Value)
		}
		resources[valueOf(call.Args[1]).(string)] = inputs
		return false
	})
	if err := json.NewEncoder(os.Stdout).Encode(resources); err != nil {
		panic(err)
	}
}

func nameOf(node ast.Expr) string {
	if selector, ok := node.(*ast.SelectorExpr); ok {
		return selector.Sel.Name
	}
	return ""
}

// valueOf reads pulumi.String("…"), pulumi.StringArray{…}, pulumi.StringMap{…} and what they hold.
func valueOf(node ast.Expr) any {
	switch node := node.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(node.Value)
		if err != nil {
			return node.Value
		}
		return text
	case *ast.Ident:
		return node.Name == "true"
	case *ast.CallExpr:
		return valueOf(node.Args[0])
	case *ast.CompositeLit:
		if strings.HasSuffix(nameOf(node.Type), "Map") {
			values := map[string]any{}
			for _, element := range node.Elts {
				pair := element.(*ast.KeyValueExpr)
				values[valueOf(pair.Key).(string)] = valueOf(pair.Value)
			}
			return values
		}
		values := []any{}
		for _, element := range node.Elts {
			values = append(values, valueOf(element))
		}
		return values
	}
	panic("unexpected expression")
}
