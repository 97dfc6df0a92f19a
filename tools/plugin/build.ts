/** Builds `provider/plugin/`: the resource plugin that Pulumi starts, as one file without dependencies, and its schema. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import manifest from "../../provider/package.json" with { type: "json" };
import { bundle } from "./bundle.ts";
import { packageSchema } from "./schema.ts";

const provider = join(import.meta.dirname, "..", "..", "provider");
const plugin = join(provider, "plugin");
const { version, repository, dependencies } = manifest;

/** What gRPC loads only for services about itself. Without it the process starts sooner and needs less memory. */
const unused = /[\\/]proto-loader[\\/].+\.c?js$/;

/** In a package that its users install, gRPC is the SDK's; the plugin has its own, and its own form of property values. */
const replaced: Plugin = {
    name: "replaced",
    setup({ onLoad }) {
        onLoad({ filter: /[\\/]session[\\/]grpc\.ts$/ }, () => ({
            contents: `export * as grpc from "@grpc/grpc-js";`,
            resolveDir: provider,
        }));
        onLoad({ filter: /google-protobuf[\\/]google[\\/]protobuf[\\/]struct_pb\.js$/ }, () => ({
            contents: `export { Struct } from "./src/native/struct";`,
            resolveDir: provider,
        }));
        onLoad({ filter: unused }, () => ({ contents: "" }));
    },
};

/** Before anything else is read: an old Node fails deep inside a dependency, with an unhelpful message. */
const nodeCheck = `
const [nodeMajor, nodeMinor] = process.versions.node.split(".").map(Number);
if (nodeMajor < 22 || (nodeMajor === 22 && nodeMinor < 19)) {
    console.error("The Videograph plugin needs Node.js 22.19 or newer, not " + process.versions.node + ". Install a newer one, or put it first on the PATH.");
    process.exit(1);
}`;

async function executable(name: string, text: string): Promise<void> {
    await writeFile(join(plugin, name), text);
    await chmod(join(plugin, name), 0o755);
}

const schema = packageSchema(version, repository.url);
await rm(plugin, { recursive: true, force: true });
await mkdir(plugin);
const inputs = await bundle(
    plugin,
    { name: "pulumi-resource-videograph", version },
    [
        {
            entryPoints: { index: join(provider, "src", "native", "main.ts") },
            target: "node20",
            define: { PLUGIN_VERSION: JSON.stringify(version), PLUGIN_SCHEMA: JSON.stringify(JSON.stringify(schema)) },
            banner: { js: nodeCheck },
            plugins: [replaced],
        },
    ],
    // The npm package has the commands too, and its one list is for all that a release has.
    Object.keys(dependencies).map((name) => join(provider, "..", "node_modules", name)),
);
// With one other letter Node reads all of them as Unicode, and keeps two bytes for each.
if ((await readFile(join(plugin, "index.js"))).some((byte) => byte > 127)) throw new Error("The plugin must be ASCII");
const unwanted = inputs.filter((path) =>
    /node_modules\/(typescript|@pulumi\/pulumi\/(?!proto\/))|src\/(program|dynamic|cli)\//.test(path),
);
if (unwanted.length > 0) throw new Error(`The plugin must not carry ${unwanted.join(", ")}`);
const schemaText = `${JSON.stringify(schema, undefined, 4)}\n`;
await writeFile(join(plugin, "schema.json"), schemaText);
// Committed: Pulumi's registry reads it at the tag of a release.
await writeFile(join(provider, "..", "schema.json"), schemaText);
// Garbage of so many megabytes is collected at a time: with Node's 16 it takes a hundred megabytes more, with 1 a third more time. Only the command
// line can say so, and `env` has no place for it on every system: the second line is of the shell, and a text and a comment to Node.
const node = "node --max-semi-space-size=8";
// The C library of Linux learns to keep what large buffers have left: a state of megabytes comes and goes in such. With a fixed limit it gives them back.
const malloc = "export MALLOC_MMAP_THRESHOLD_=131072";
await executable(
    "pulumi-resource-videograph",
    `#!/bin/sh\n":" //; ${malloc}; exec ${node} "$0" "$@"\nrequire("./index.js");\n`,
);
await executable("pulumi-resource-videograph.cmd", `@${node} "%~dp0index.js" %*\r\n`);
