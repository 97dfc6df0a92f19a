/** The empty lifecycle; a create that only lasts, if it is to. */
let ids = 0;
const pause = Number(process.env.BENCH_PAUSE);

// As with the others, an interrupt ends the process in order: exit hooks run.
process.on("SIGINT", () => process.exit(0));

module.exports = {
    async create(inputs) {
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
        return { id: `item-${process.pid}-${++ids}`, outs: inputs };
    },
};
