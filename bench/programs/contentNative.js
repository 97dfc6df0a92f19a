/** Native contents that each wait until they are Ready. */
const videograph = require("pulumi-videograph/native");
const { declareAll } = require("./videos.js");

declareAll((name, args) => new videograph.Content(name, args));
