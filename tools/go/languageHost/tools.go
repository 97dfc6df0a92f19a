//go:build tools

// Pins the Node language host of the Pulumi CLI. A module of its own: it needs an older version of the Pulumi SDK
// than the CLI does, and one go.mod holds one version. Later ones are no part of the SDK's module any more.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
