/** The engine's floor: as many dynamic resources with the same inputs (and outputs), behind which there is nothing. */
const pulumi = require("@pulumi/pulumi");
const { declareAll, unset } = require("./videos.js");

// A constant, as pulumi-videograph has it: the closure serializer would not be the engine's share.
const __provider = `exports.handler = () => require(process.cwd() + "/floorProvider.js");`;

class Item extends pulumi.CustomResource {
    constructor(name, args) {
        const outputs = process.env.BENCH_OUTPUTS ? unset() : {};
        super("pulumi-nodejs:dynamic/floor:Item", name, { ...outputs, ...args, __provider });
    }
}

declareAll((name, args) => new Item(name, args));
