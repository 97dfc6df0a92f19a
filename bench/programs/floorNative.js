/** The engine's floor for a resource plugin: the same inputs and outputs, behind which there is nothing. */
const pulumi = require("@pulumi/pulumi");
const { declareAll, unset } = require("./videos.js");

class Item extends pulumi.CustomResource {
    constructor(name, args) {
        super("floor:index:Item", name, { ...unset(), ...args });
    }
}

declareAll((name, args) => new Item(name, args));
