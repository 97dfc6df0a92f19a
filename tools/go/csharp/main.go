// Generates the C# SDK from a package schema, for the golden files of tests/native/golden/dotnet:
//
//	csharp <schema.json> <destination folder>
//
// The version of its module is the last one that still has this generator. Later ones are in pulumi-language-dotnet, which the Go
// module proxy does not serve.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(path, folder string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	bound, diagnostics, err := schema.BindSpec(spec, nullLoader{}, schema.ValidationOptions{})
	if err == nil && len(diagnostics) > 0 {
		err = diagnostics
	}
	if err != nil {
		return err
	}
	// The generator adds a logo from a network, which is no part of the golden files.
	http.DefaultClient.Transport = http.NewFileTransport(http.FS(fstest.MapFS{}))
	files, err := dotnet.GeneratePackage("pulumi-videograph", bound, nil, nil)
	if err != nil {
		return err
	}
	for name, content := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// The schema refers to no other package.
type nullLoader struct{}

func (nullLoader) LoadPackage(pkg string, _ *semver.Version) (*schema.Package, error) {
	return nil, fmt.Errorf("there is no schema of %s", pkg)
}

func (nullLoader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, fmt.Errorf("there is no schema of %s", descriptor.Name)
}
