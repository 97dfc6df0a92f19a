/** A program that its user has bundled (E5): what stands around a bundle is the user's, and the plugin is no part of it. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { useTestbed } from "../support/testbed.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("A bundled program (E5)", () => {
    const testbed = useTestbed({ fetchSources: false });

    it("works in both faces where the package is installed beside it, and else says so in one sentence", async () => {
        const stack = await testbed.stack("");
        const modules = join(stack.folder, "node_modules");
        const declared = (face: string, name: string) =>
            `new ${face}.Livestream("${name}", { title: "${name}", region: "us-east-1" });\n`;
        const ofNative = `import * as native from "pulumi-videograph/native";\n${declared("native", "two")}`;
        const both = `import * as dynamic from "pulumi-videograph";\n${declared("dynamic", "one")}${ofNative}`;
        // The user's own, whose version and repository are not the package's.
        const own = { name: "shop", version: "9.9.9", repository: "github:someone/shop" };
        const bundled = async (format: "cjs" | "esm", text: string) => {
            await stack.write("src/index.ts", text);
            // As esbuild's users write it, for what is CommonJS in it.
            const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
            await build({
                ...{ entryPoints: [join(stack.folder, "src", "index.ts")], bundle: true, platform: "node", format },
                ...{ outfile: join(stack.folder, "dist", "app", "index.js"), external: ["@pulumi/pulumi"] },
                ...(format === "esm" && { banner: { js } }),
            });
            const type = format === "esm" ? "module" : "commonjs";
            await stack.write("package.json", JSON.stringify({ ...own, type, main: "dist/app/index.js" }));
        };
        await bundled("cjs", both);
        await stack.up();
        await bundled("esm", both);
        await stack.preview("--expect-no-changes");
        assert.equal(testbed.emulator.livestreams().length, 2);

        for (const [text, code] of [
            [declared("dynamic", "one"), "VG2010"],
            [ofNative, "VG8009"],
        ] as const) {
            await rm(modules, { recursive: true, force: true });
            await symlink(join(repository, "node_modules"), modules);
            await bundled("esm", `import * as dynamic from "pulumi-videograph";\n${text}`);
            // As in an image that has nothing but the bundle and the SDK.
            await rm(modules);
            await mkdir(modules);
            await symlink(join(repository, "node_modules", "@pulumi"), join(modules, "@pulumi"));
            const said = `(Cannot find module 'pulumi-videograph/provider'|[Aa]dd .* to .*package\\.json.* and install it\\.?) \\[${code}\\]`;
            await stack.previewFails(new RegExp(said));
        }
    });
});
