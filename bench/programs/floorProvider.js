/** The empty lifecycle; a create that only lasts, if it is to. */
const { outputsOf } = require("./videos.js");

let ids = 0;
const pause = Number(process.env.BENCH_PAUSE);
const hasOutputs = Boolean(process.env.BENCH_OUTPUTS);

// As with the others, an interrupt ends the process in order: exit hooks run.
process.on("SIGINT", () => process.exit(0));

module.exports = {
    async create(inputs) {
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        const number = ++ids;
        return { id: `item-${process.pid}-${number}`, outs: hasOutputs ? outputsOf(inputs, number) : inputs };
    },
    // Without it the engine would compare the recorded outputs with the inputs.
    ...(hasOutputs && { diff: async () => ({ changes: false }) }),
};
