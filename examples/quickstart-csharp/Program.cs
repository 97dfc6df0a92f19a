// A video that is playable when `pulumi up` ends, a live stream to send to, and the account's signing keys.
using System.Collections.Generic;
using System.Linq;
using Pulumi;
using Videograph = Community.Pulumi.Videograph;

return await Deployment.RunAsync(() =>
{
    var config = new Config();

    var trailer = new Videograph.Content("trailer", new Videograph.ContentArgs
    {
        Title = "Trailer",
        // The property `content`: in C# a member of the class Content cannot have that name.
        Sources = { new Videograph.Inputs.ContentSourceArgs { Url = config.Require("sourceUrl") } },
        PlaybackPolicy = { "public" },
        Metadata = { { "season", "2" } },
    });

    var stage = new Videograph.Livestream("main-stage", new Videograph.LivestreamArgs
    {
        Title = "Main stage",
        Region = "us-east-1",
        Record = true,
    });

    var keys = Videograph.GetSigningKeys.Invoke(new Videograph.GetSigningKeysInvokeArgs { ProductTypeId = 1 });

    return new Dictionary<string, object?>
    {
        ["contentId"] = trailer.Id,
        ["playbackUrl"] = trailer.PlaybackUrl,
        ["ingestUrl"] = stage.RtmpUrl,
        ["streamKey"] = stage.StreamKey, // a secret: shown by `pulumi stack output --show-secrets`
        ["signingKeyIds"] = keys.Apply(found => found.Keys.Select(key => key.SigningKeyId).ToList()),
    };
});
