// A video that is playable when `pulumi up` ends, a live stream to send to, and the account's signing keys.
using System.Collections.Generic;
using System.Linq;
using Community.Pulumi.Videograph;
using Community.Pulumi.Videograph.Inputs;
using Pulumi;

return await Deployment.RunAsync(() =>
{
    var config = new Config();

    var trailer = new Content("trailer", new ContentArgs
    {
        Title = "Trailer",
        // The property `content`, whose name a member of the class Content cannot have in C#.
        Sources = { new ContentSourceArgs { Url = config.Require("sourceUrl") } },
        PlaybackPolicy = { PlaybackPolicy.Public },
        Metadata = { { "season", "2" } },
    });

    var stage = new Livestream("main-stage", new LivestreamArgs
    {
        Title = "Main stage",
        Region = "us-east-1",
        Record = true,
    });

    var keys = GetSigningKeys.Invoke(new GetSigningKeysInvokeArgs { ProductTypeId = 1 });

    return new Dictionary<string, object?>
    {
        ["contentId"] = trailer.Id,
        ["playbackUrl"] = trailer.PlaybackUrl,
        ["ingestUrl"] = stage.RtmpUrl,
        ["streamKey"] = stage.StreamKey, // a secret: shown by `pulumi stack output --show-secrets`
        ["signingKeyIds"] = keys.Apply(found => found.Keys.Select(key => key.SigningKeyId).ToList()),
    };
});
