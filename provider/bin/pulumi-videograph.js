#!/usr/bin/env node
// In the oldest JavaScript there is, so that an old Node says what is wrong instead of failing at the first new word.
var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
    console.error(
        "pulumi-videograph needs Node.js 22.19 or newer, and this is " +
            process.versions.node +
            ". Install a newer one, or put it first on the PATH.",
    );
    process.exitCode = 1;
} else {
    require("../dist/cli/main.js").main();
}
