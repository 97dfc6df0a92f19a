/** The contents that every program declares. */
const count = Number(process.env.BENCH_COUNT);

/** The inputs of a content: those that most videos have. */
const argsOf = (number) => ({
    title: `Episode ${number}`,
    content: [{ url: `https://media.example.com/library/episode-${number}.mp4` }],
    playbackPolicy: ["public"],
    description: "An episode of a series",
    tags: ["series", "benchmark"],
    metadata: { season: "2", episode: String(number) },
});

/** Declares all contents by `make(name, args)`. */
const declareAll = (make) => Array.from({ length: count }, (_, number) => make(`episode-${number}`, argsOf(number)));

/** Outputs as a content has them, in size and number. */
const outputsOf = (inputs, number) => {
    const playback = `http://127.0.0.1:12345/playback/00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return {
        ...inputs,
        status: "Ready",
        playbackUrl: `${playback}/index.m3u8`,
        thumbnailUrl: `${playback}/thumbnail.png`,
        duration: 60_000,
        resolution: "1920x1080",
        createdOn: 1_760_000_000_000 + number,
        __meta: { v: 1, env: "0123456789abcdef", mark: `pulumi:bench/bench/episode-${number}:0123456789ab` },
    };
};

/** For a class that has these outputs. */
const unset = () => ({
    ...{ status: undefined, playbackUrl: undefined, thumbnailUrl: undefined },
    ...{ duration: undefined, resolution: undefined, createdOn: undefined },
});

module.exports = { argsOf, declareAll, outputsOf, unset };
