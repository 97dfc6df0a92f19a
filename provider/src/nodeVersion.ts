/** An old Node would fail deep inside a dependency, with a message that helps nobody. */
import { RunError } from "@pulumi/pulumi";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
    throw new RunError(
        `pulumi-videograph needs Node.js 22.19 or newer, and this is ${process.versions.node}. Install a newer one, or put it first on the PATH.`,
    );
}
