/** The contents that every program declares, and the moments at which it learns of them. */
const { writeFileSync } = require("node:fs");

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

const moments = { started: performance.timeOrigin, loaded: 0, declared: 0, told: {} };

/** Notes the moment at which the engine tells this program that a resource is complete. */
function note(name, resource) {
    resource.id.apply(() => {
        moments.told[name] = Date.now();
    });
    return resource;
}

/** Declares all contents by `make(name, args)`; call it when everything is loaded. */
function declareAll(make) {
    moments.loaded = Date.now();
    const resources = Array.from({ length: count }, (_, number) => {
        const name = `episode-${number}`;
        return note(name, make(name, argsOf(number)));
    });
    moments.declared = Date.now();
    return resources;
}

process.on("exit", () => {
    if (process.env.BENCH_MOMENTS) writeFileSync(process.env.BENCH_MOMENTS, JSON.stringify(moments));
});

module.exports = { argsOf, declareAll, note };
