// Generates SDKs from a package schema with Pulumi's own generators:
//
//	generate <schema.json> <destination folder> <python | nodejs | go>...
//
// `pulumi package gen-sdk` does the same through language hosts, and the ones that can be built from the Go module proxy
// are too old for it. The version is the CLI's own: Go has compiled most of it already where the CLI was built. Every warning of
// the schema's binder is an error here.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-videograph"

func main() {
	for _, language := range os.Args[3:] {
		if err := generate(language, os.Args[1], filepath.Join(os.Args[2], language)); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", language, err)
			os.Exit(1)
		}
	}
}

func generate(language, path, folder string) error {
	// Bound anew for each language: generators change it.
	bound, err := bind(path)
	if err != nil {
		return err
	}
	files, err := filesOf(language, bound)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func bind(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	bound, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err == nil && len(diagnostics) > 0 {
		err = diagnostics
	}
	return bound, err
}

func filesOf(language string, bound *schema.Package) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, bound, nil, nil)
	case "nodejs":
		return nodejs.GeneratePackage(tool, bound, nil, nil, false, nil)
	case "go":
		return gogen.GeneratePackage(tool, bound, nil)
	}
	return nil, fmt.Errorf("there is no generator for this language")
}
