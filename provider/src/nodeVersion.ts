/** Refuses an old Node: otherwise a dependency would fail with an error that does not name the reason. */

import { RunError } from "@pulumi/pulumi";
import { messages } from "./messages";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19))
    throw new RunError(messages.oldNode({ version: process.versions.node }));
