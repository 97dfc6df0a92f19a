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

/** gRPC loads this only to describe itself to debuggers (channelz). Without it the process starts sooner and needs less memory. */
const unused = /[\\/]proto-loader[\\/].+\.c?js$/;

/** Two modules are replaced in the plugin: `session/grpc.ts` takes gRPC from the SDK, which the plugin does not have, and Google's Struct takes too much memory. */
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

/** The first lines of the plugin. Without them, an old Node fails inside a dependency, with an error that does not name Node. */
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
    // A release's list of software (SBOM) covers the commands too, which need these packages.
    Object.keys(dependencies).map((name) => join(provider, "..", "node_modules", name)),
);
// One letter beyond ASCII, and Node keeps the whole file in memory with two bytes for each letter.
if ((await readFile(join(plugin, "index.js"))).some((byte) => byte > 127)) throw new Error("The plugin must be ASCII");
const unwanted = inputs.filter((path) =>
    /node_modules\/(typescript|@pulumi\/pulumi\/(?!proto\/))|src\/(program|dynamic|cli)\//.test(path),
);
if (unwanted.length > 0) throw new Error(`The plugin must not carry ${unwanted.join(", ")}`);
const schemaText = `${JSON.stringify(schema, undefined, 4)}\n`;
await writeFile(join(plugin, "schema.json"), schemaText);
// This copy is committed: Pulumi's registry reads it at the tag of a release.
await writeFile(join(provider, "..", "schema.json"), schemaText);
// The size of Node's heap for new objects, in MB. With the default of 16 the plugin takes a hundred megabytes more, with 1 a third more time. Only the command
// line can set it, so the file below begins as a shell script. Node reads the script's second line as a text and a comment.
const node = "node --max-semi-space-size=8";
// With this fixed limit, the C library of Linux returns large buffers to the system. By default it keeps them, and each state of megabytes needs such a buffer.
const malloc = "export MALLOC_MMAP_THRESHOLD_=131072";
await executable(
    "pulumi-resource-videograph",
    `#!/bin/sh\n":" //; ${malloc}; exec ${node} "$0" "$@"\nrequire("./index.js");\n`,
);
await executable("pulumi-resource-videograph.cmd", `@${node} "%~dp0index.js" %*\r\n`);
