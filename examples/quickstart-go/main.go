// A video that is playable when `pulumi up` ends, a live stream to send to, and the account's signing keys.
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
			Metadata:       pulumi.StringMap{"season": pulumi.String("2")},
		})
		if err != nil {
			return err
		}

		stage, err := videograph.NewLivestream(ctx, "main-stage", &videograph.LivestreamArgs{
			Title:  pulumi.String("Main stage"),
			Region: pulumi.String("us-east-1"),
			Record: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}

		keys := videograph.GetSigningKeysOutput(ctx, videograph.GetSigningKeysOutputArgs{ProductTypeId: pulumi.Int(1)})

		ctx.Export("contentId", trailer.ID())
		ctx.Export("playbackUrl", trailer.PlaybackUrl)
		ctx.Export("ingestUrl", stage.RtmpUrl)
		ctx.Export("streamKey", stage.StreamKey) // a secret: shown by `pulumi stack output --show-secrets`
		ctx.Export("signingKeyIds", keys.Keys().ApplyT(func(found []videograph.SigningKey) []string {
			ids := []string{}
			for _, key := range found {
				ids = append(ids, key.SigningKeyId)
			}
			return ids
		}))
		return nil
	})
}
