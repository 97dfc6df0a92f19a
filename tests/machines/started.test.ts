/** Ways of being started that a trial of ours did not have (issue: other people's machines): each with the real CLI. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stream } from "../support/law.ts";
import { describe as shown } from "../support/pulumiRun.ts";
import { useTestbed } from "../support/testbed.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("A package that is installed beside a component library alone", () => {
    const testbed = useTestbed();

    it("is VG2010 in one line in each call of the provider, also where NODE_PATH hides it, as pnpm's commands set it (U2)", async () => {
        const stack = await testbed.stack(stream("stage"));
        await stack.up();
        // As pnpm lays it out: the package beside the library that depends on it, out of the program's reach.
        const modules = join(stack.folder, "node_modules");
        const hoisted = join(modules, ".pnpm", "node_modules");
        await rm(modules);
        await mkdir(hoisted, { recursive: true });
        await mkdir(join(modules, "library", "node_modules"), { recursive: true });
        await symlink(join(repository, "node_modules", "@pulumi"), join(modules, "@pulumi"));
        for (const folder of [hoisted, join(modules, "library", "node_modules")])
            await symlink(join(repository, "provider"), join(folder, "pulumi-videograph"));
        await writeFile(join(modules, "library", "index.js"), 'module.exports = require("pulumi-videograph");\n');
        await stack.write("index.js", `const videograph = require("library");\n${stream("stage", { title: "Other" })}`);
        const runs = [
            ["preview"],
            ["up", "--yes", "--skip-preview"],
            ["refresh", "--yes", "--skip-preview"],
            ["destroy", "--yes", "--skip-preview"],
        ];
        for (const NODE_PATH of [undefined, hoisted]) {
            stack.env.NODE_PATH = NODE_PATH;
            // The second time one call is enough: the process refuses as a whole.
            for (const run of NODE_PATH === undefined ? runs : runs.slice(-1)) {
                const { output } = await stack.fails(
                    run,
                    /(Cannot find module 'pulumi-videograph\/provider'|install it\.) \[VG2010\]/,
                );
                assert.doesNotMatch(output, /Require stack|node:internal/);
            }
        }
        assert.equal(testbed.emulator.livestreams().length, 1);
        await rm(join(modules), { recursive: true });
        await symlink(join(repository, "node_modules"), modules);
        stack.env.NODE_PATH = undefined;
        await stack.destroy();
        assert.equal(testbed.emulator.livestreams().length, 0);
    });

    it("is loaded from the program's folder, by an inline program of the Automation API in the root of a monorepo (E6)", async () => {
        const stack = await testbed.stack(stream("stage"));
        const modules = join(stack.folder, "node_modules");
        await rm(modules);
        const app = join(stack.folder, "apps", "video");
        await mkdir(join(app, "node_modules"), { recursive: true });
        await mkdir(modules);
        await symlink(join(repository, "node_modules", "@pulumi"), join(modules, "@pulumi"));
        await symlink(join(repository, "provider"), join(app, "node_modules", "pulumi-videograph"));
        await symlink(join(repository, "node_modules", "@pulumi"), join(app, "node_modules", "@pulumi"));
        await stack.write(
            "apps/video/index.js",
            `const videograph = require("pulumi-videograph");\n${stream("stage")}`,
        );
        const file = "./apps/video/index.js";
        const elsewhere = await stack.upInline({ main: ".", file });
        assert.notEqual(elsewhere.code, 0, shown(elsewhere));
        assert.match(elsewhere.output, /Cannot find module 'pulumi-videograph.*VG2010/);
        const found = await stack.upInline({ main: "apps/video", file });
        assert.equal(found.code, 0, shown(found));
        assert.equal(testbed.emulator.livestreams().length, 1);
    });
});
