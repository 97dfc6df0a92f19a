// Generates the C# SDK from a package schema with Pulumi's own generator:
//
//	generateDotnet <schema.json> <destination folder>
//
// A program and a module of its own: the generator has left the module `pkg/v3` since, and the one it is in now cannot be had
// everywhere. 3.220.0 is the last version that has it here.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: generateDotnet <schema.json> <destination folder>"))
	}
	files, err := generate(os.Args[1])
	if err != nil {
		fail(err)
	}
	for name, content := range files {
		path := filepath.Join(os.Args[2], filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			fail(err)
		}
	}
}

func generate(path string) (map[string][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	bound, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	// The generator downloads the package's logo. The text of the sources does not depend on it.
	logo := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer logo.Close()
	bound.LogoURL = logo.URL
	return dotnet.GeneratePackage("pulumi-videograph", bound, nil, nil)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
