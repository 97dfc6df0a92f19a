/** The engine's floor for dynamic resources with the outputs of a content, too. */
const pulumi = require("@pulumi/pulumi");
const { declareAll } = require("./videos.js");

const __provider = `exports.handler = () => require(process.cwd() + "/floorProvider.js").withOutputs;`;
const outputs = ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"];

class Item extends pulumi.CustomResource {
    constructor(name, args) {
        const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
        super("pulumi-nodejs:dynamic/floor:Item", name, { ...unset, ...args, __provider });
    }
}

declareAll((name, args) => new Item(name, args));
