/**
 * Checks that this Node is the one that node.json pins. A release's executable is mostly Node itself, so another build of Node would reach all users:
 *
 *     node tools/plugin/checkNode.ts   fails with any other
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import pinned from "./node.json" with { type: "json" };

if (import.meta.main) await checkNode();

/** @throws {Error} for any other version or build. */
export async function checkNode(): Promise<void> {
    const platform = `${process.platform}-${process.arch}`;
    const digest = createHash("sha256")
        .update(await readFile(process.execPath))
        .digest("hex");
    if (digest !== (pinned.sha256 as Record<string, string>)[platform])
        throw new Error(
            `tools/plugin/node.json pins Node ${pinned.version}, but not this ${process.version} for ${platform}, whose SHA-256 is ${digest}: ` +
                "docs/internals/releasing.md says how to check it before it is pinned",
        );
}
