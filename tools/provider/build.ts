/**
 * Completes `provider/dist`, after `tsgo --build`: what a program, the process of dynamic resources and a command load becomes one file each, because
 * Node takes longer to find and open sixty files than to run them. So does what few processes need: undici, which the first request loads, and a lookup.
 * The package holds these files alone; the other modules are for tests and tools.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import manifest from "../../provider/package.json" with { type: "json" };
import { bundle } from "../plugin/bundle.ts";

const root = join(import.meta.dirname, "..", "..");
const sources = join(root, "provider", "src");
const dist = join(root, "provider", "dist");
const target = "node20";

/**
 * These stay files of their own, by a name that is the same in all files that load them. In one file with what loads it later, a module would keep
 * all of zod, used or not.
 */
const apart: Plugin = {
    name: "apart",
    setup({ onResolve }) {
        onResolve({ filter: /^\.\/undici$/ }, () => ({ path: "#provider/api/undici", external: true }));
        onResolve({ filter: /^\.\/runLookup$/ }, () => ({ path: "#provider/program/runLookup", external: true }));
    },
};

const entries = ["index", "program/runLookup", "native/index", "dynamic/provider"].map((name) => [
    name,
    join(sources, name),
]);
await bundle(dist, manifest, [
    {
        entryPoints: { ...Object.fromEntries(entries), "cli/main": join(root, "cli", "src", "main") },
        target,
        external: ["@pulumi/pulumi", "semver", "yaml"],
        plugins: [apart],
        sourcemap: true,
        sourcesContent: false,
        // An uncaught error shows the line that it comes from.
        minifyWhitespace: false,
    },
    { entryPoints: { "api/undici": join(sources, "api", "undici") }, target },
]);
// The compiler's, of the file before.
rmSync(join(dist, "api", "undici.js.map"), { force: true });
// The pages that commands write are made of the pieces of the emulator's page.
copyFileSync(join(root, "emulator", "page", "pieces.css"), join(dist, "cli", "pieces.css"));
