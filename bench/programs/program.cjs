/** All contents, declared in the way that BENCH_VARIANT names: as a floor, behind which there is nothing, or with the package. */
const pulumi = require("@pulumi/pulumi");
const { declareAll } = require("./videos.cjs");

const variant = process.env.BENCH_VARIANT;
const native = variant.includes("native");
const [way] = variant.replace("native-", "").split("-");
// The native face has the same classes. A floor loads none of them.
const videograph = way !== "floor" && require(native ? "pulumi-videograph/native" : "pulumi-videograph");

// A constant, as pulumi-videograph has it: the closure serializer would not be the engine's share.
const __provider = `exports.handler = () => require(process.cwd() + "/floorProvider.cjs");`;

class Item extends pulumi.CustomResource {
    constructor(name, args) {
        super("pulumi-nodejs:dynamic/floor:Item", name, { ...args, __provider });
    }
}

const ways = {
    floor: () => declareAll((name, args) => new Item(name, args)),
    content: () => declareAll((name, args) => new videograph.Content(name, args)),
    readiness() {
        const contents = declareAll((name, args) => new videograph.Content(name, { ...args, waitForReady: false }));
        new videograph.ContentReadiness("library", { contentIds: contents.map(({ id }) => id) });
    },
    library() {
        const contents = Object.fromEntries(declareAll((name, args) => [name, args]));
        new videograph.ContentLibrary("library", { contents });
    },
};
ways[way]();
