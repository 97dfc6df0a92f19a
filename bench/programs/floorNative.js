/** The engine's floor for a resource plugin: the same inputs and outputs, behind which there is nothing. */
const pulumi = require("@pulumi/pulumi");
const { declareAll } = require("./videos.js");

const outputs = ["status", "playbackUrl", "thumbnailUrl", "duration", "resolution", "createdOn"];

class Item extends pulumi.CustomResource {
    constructor(name, args) {
        super("floor:index:Item", name, {
            ...Object.fromEntries(outputs.map((output) => [output, undefined])),
            ...args,
        });
    }
}

declareAll((name, args) => new Item(name, args));
