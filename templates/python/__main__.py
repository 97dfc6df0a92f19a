"""A video that anyone can play."""
import pulumi
import pulumi_videograph as videograph

config = pulumi.Config()

trailer = videograph.Content(
    "trailer",
    title="Trailer",
    content=[{"url": config.require("sourceUrl")}],
    playback_policy=["public"],
)

pulumi.export("playbackUrl", trailer.playback_url)
