/** The empty lifecycle; a create that only lasts, if it is to. */
const { outputsOf } = require("./floorOutputs.js");

let ids = 0;
const pause = Number(process.env.BENCH_PAUSE);

// As with the others, an interrupt ends the process in order: exit hooks run, a profile is written.
process.on("SIGINT", () => process.exit(0));

const create = async (outs) => {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    return { id: `item-${process.pid}-${++ids}`, outs };
};

module.exports = {
    create: (inputs) => create(inputs),
    withOutputs: {
        create: (inputs) => create(outputsOf(inputs, ids)),
        // Without it the engine would compare the recorded outputs with the inputs.
        diff: async () => ({ changes: false }),
    },
};
