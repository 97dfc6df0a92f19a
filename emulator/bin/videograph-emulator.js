#!/usr/bin/env node
// An old Node would fail somewhere else, and would not say why.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
    console.error(`videograph-emulator needs Node.js 22.19 or newer, and this is ${process.versions.node}.`);
    process.exitCode = 1;
} else {
    require("../dist/cli.js");
}
