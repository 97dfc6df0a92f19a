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

module.exports = { argsOf, count, declareAll };
