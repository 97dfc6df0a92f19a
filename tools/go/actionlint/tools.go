//go:build tools

// Pins the linter of GitHub workflows; built by tools/linters/index.ts.
package tools

import _ "github.com/rhysd/actionlint/cmd/actionlint"
