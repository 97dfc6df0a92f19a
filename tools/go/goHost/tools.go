//go:build tools

// Pins the Go language host of the Pulumi CLI, which later versions of the SDK's module have no more. A module of its
// own: it needs an older version of the SDK than the other hosts do.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
