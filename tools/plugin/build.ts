/** Builds `provider/plugin/`: the resource plugin that Pulumi starts, as one file without dependencies, and its schema. */
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { writeNotices } from "./notices.ts";
import { packageSchema } from "./schema.ts";

const provider = join(import.meta.dirname, "..", "..", "provider");
const plugin = join(provider, "plugin");
const manifest = JSON.parse(await readFile(join(provider, "package.json"), "utf8")) as {
    version: string;
    repository: { url: string };
};
const { version } = manifest;

async function bundle(): Promise<void> {
    const { metafile } = await build({
        entryPoints: [join(provider, "src", "native", "main.ts")],
        outfile: join(plugin, "index.js"),
        bundle: true,
        platform: "node",
        format: "cjs",
        target: "node20",
        metafile: true,
        // Names stay as they are: readable in stack traces, and without `keepNames`, which gives every closure properties of its own.
        minifyWhitespace: true,
        minifySyntax: true,
        legalComments: "eof",
        define: { PLUGIN_VERSION: JSON.stringify(version), PLUGIN_SCHEMA: JSON.stringify(JSON.stringify(schema)) },
        banner: { js: nodeCheck },
        plugins: [ownGrpc],
        logLevel: "warning",
    });
    const unwanted = Object.keys(metafile.inputs).filter((path) =>
        /node_modules\/(typescript|@pulumi\/pulumi\/(?!proto\/))|src\/(program|dynamic|cli)\//.test(path),
    );
    if (unwanted.length > 0) throw new Error(`The plugin must not carry ${unwanted.join(", ")}`);
    writeNotices(plugin, "pulumi-resource-videograph", version, metafile);
}

/** In a package that its users install, gRPC is the SDK's; the plugin has its own. */
const ownGrpc: Plugin = {
    name: "own gRPC",
    setup({ onLoad }) {
        onLoad({ filter: /[\\/]session[\\/]grpc\.ts$/ }, () => ({
            contents: `export * as grpc from "@grpc/grpc-js";`,
            resolveDir: provider,
        }));
    },
};

/** Before anything else is read: an old Node fails deep inside a dependency, with an unhelpful message. */
const nodeCheck = `
const [nodeMajor, nodeMinor] = process.versions.node.split(".").map(Number);
if (nodeMajor < 22 || (nodeMajor === 22 && nodeMinor < 19)) {
    console.error("The Videograph plugin needs Node.js 22.19 or newer, but this is " + process.versions.node + ". Install a newer one, or put it first on the PATH.");
    process.exit(1);
}`;

async function executable(name: string, text: string): Promise<void> {
    await writeFile(join(plugin, name), text);
    await chmod(join(plugin, name), 0o755);
}

const schema = packageSchema({ version, repository: manifest.repository.url });
await rm(plugin, { recursive: true, force: true });
await mkdir(plugin);
await bundle();
const schemaText = `${JSON.stringify(schema, undefined, 4)}\n`;
await writeFile(join(plugin, "schema.json"), schemaText);
// Committed: Pulumi's registry reads it at the tag of a release.
await writeFile(join(provider, "..", "schema.json"), schemaText);
await executable("pulumi-resource-videograph", `#!/usr/bin/env node\nrequire("./index.js");\n`);
await executable("pulumi-resource-videograph.cmd", `@node "%~dp0index.js" %*\r\n`);
