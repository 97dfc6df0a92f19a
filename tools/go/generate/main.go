// Generates SDKs from a package schema with Pulumi's own generators:
//
//	generate <schema.json> <destination folder> <python | nodejs | go>...
//
// `pulumi package gen-sdk` does the same through language hosts, and the ones that can be built from the Go module proxy
// are too old for it. Every warning of the schema's binder is an error here.
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
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: generate <schema.json> <destination folder> <language>..."))
	}
	for _, language := range os.Args[3:] {
		files, err := generate(language, os.Args[1])
		if err != nil {
			fail(fmt.Errorf("%s: %w", language, err))
		}
		if err := write(filepath.Join(os.Args[2], language), files); err != nil {
			fail(err)
		}
	}
	if len(os.Args) == 3 {
		if _, err := bind(os.Args[1]); err != nil {
			fail(err)
		}
	}
}

// A package is bound anew for each language: generators change it.
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
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return bound, nil
}

func generate(language, path string) (map[string][]byte, error) {
	bound, err := bind(path)
	if err != nil {
		return nil, err
	}
	switch language {
	case "python":
		return python.GeneratePackage(tool, bound, nil, nil)
	case "nodejs":
		return nodejs.GeneratePackage(tool, bound, nil, nil, false, nil)
	case "go":
		return gogen.GeneratePackage(tool, bound, nil)
	default:
		return nil, fmt.Errorf("there is no generator for this language")
	}
}

func write(folder string, files map[string][]byte) error {
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

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
