/** Refuses an old Node, which would fail deep inside a dependency, with an unhelpful message. */

import { RunError } from "@pulumi/pulumi";
import { messages } from "./messages";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19))
    throw new RunError(messages.oldNode({ version: process.versions.node }));
