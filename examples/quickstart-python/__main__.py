"""A video that is playable when `pulumi up` ends, a live stream to send to, and the account's signing keys."""
import pulumi
import pulumi_videograph as videograph

config = pulumi.Config()

trailer = videograph.Content(
    "trailer",
    title="Trailer",
    content=[{"url": config.require("sourceUrl")}],
    playback_policy=["public"],
    metadata={"season": "2"},
)

stage = videograph.Livestream("main-stage", title="Main stage", region="us-east-1", record=True)

keys = videograph.get_signing_keys_output(product_type_id=1)

pulumi.export("contentId", trailer.id)
pulumi.export("playbackUrl", trailer.playback_url)
pulumi.export("ingestUrl", stage.rtmp_url)
pulumi.export("streamKey", stage.stream_key)  # a secret: shown by `pulumi stack output --show-secrets`
pulumi.export("signingKeyIds", keys.keys.apply(lambda found: [key.signing_key_id for key in found]))
