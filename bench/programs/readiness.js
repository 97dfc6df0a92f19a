/** Contents that do not wait, and one ContentReadiness that waits for all of them. */
const videograph = require("pulumi-videograph");
const { declareAll } = require("./videos.js");

const contents = declareAll((name, args) => new videograph.Content(name, { ...args, waitForReady: false }));
new videograph.ContentReadiness("library", { contentIds: contents.map(({ contentId }) => contentId) });
