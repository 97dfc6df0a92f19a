// A video that anyone can play.
package main

import (
	"github.com/not--published/pulumi-videograph/sdk/go/videograph"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		trailer, err := videograph.NewContent(ctx, "trailer", &videograph.ContentArgs{
			Title: pulumi.String("Trailer"),
			Content: videograph.ContentSourceArray{
				videograph.ContentSourceArgs{Url: pulumi.String(config.Require(ctx, "sourceUrl"))},
			},
			PlaybackPolicy: pulumi.StringArray{pulumi.String("public")},
		})
		if err != nil {
			return err
		}
		ctx.Export("playbackUrl", trailer.PlaybackUrl)
		return nil
	})
}
