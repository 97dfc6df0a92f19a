module quickstart

go 1.25.11

require (
	github.com/not--published/pulumi-videograph/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
)

replace github.com/not--published/pulumi-videograph/sdk/go => ./sdk
