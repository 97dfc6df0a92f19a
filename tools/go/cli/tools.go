//go:build tools

// Pins the Pulumi CLI and everything it is built from; built by tools/pulumiCli/build.ts.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
