/** Outputs as a content has them, in size and number. */
exports.outputsOf = (inputs, number) => ({
    ...inputs,
    status: "Ready",
    playbackUrl: `http://127.0.0.1:12345/playback/00000000-0000-4000-8000-${String(number).padStart(12, "0")}/index.m3u8`,
    thumbnailUrl: `http://127.0.0.1:12345/playback/00000000-0000-4000-8000-${String(number).padStart(12, "0")}/thumbnail.png`,
    duration: 60_000,
    resolution: "1920x1080",
    createdOn: 1_760_000_000_000 + number,
    __meta: { v: 1, env: "0123456789abcdef", mark: `pulumi:bench/bench/episode-${number}:0123456789ab` },
});
