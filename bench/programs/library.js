/** All contents as one library. */
const videograph = require("pulumi-videograph");
const { declareAll } = require("./videos.js");

const contents = Object.fromEntries(declareAll((name, args) => [name, args]));
new videograph.ContentLibrary("library", { contents });
