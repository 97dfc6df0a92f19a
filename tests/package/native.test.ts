/** The packed package in a TypeScript project, with the native types: nothing but npm is needed. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { requestsOf } from "../support/requests.ts";
import { usePacked } from "./packages.ts";
import { installIn, registryAnswers } from "./userProject.ts";

/** What `pulumi new typescript` writes: an old module resolution, which knows no `exports`. */
const templateConfig = {
    compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node", outDir: "bin" },
    files: ["index.ts"],
};

describe("The packed package with the native types", function () {
    this.timeout(600_000);
    const packed = usePacked();
    const lab = useLab({}, "native");

    it("lives and dies from an empty folder, in TypeScript as pulumi new writes it", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        const stack = await lab.stack("");
        await rm(join(stack.folder, "index.js"));
        await installIn(stack.folder, "npm", {
            "@pulumi/pulumi": "3.270.0",
            "pulumi-videograph": `file:${packed.provider.tarball}`,
            typescript: "^5.0.0",
            "@types/node": "^22",
        });
        await writeFile(join(stack.folder, "tsconfig.json"), JSON.stringify(templateConfig));
        const program = (importing: string) => `
            import * as videograph from "pulumi-videograph/native";
            const trailer = new videograph.Content("trailer", { title: "Trailer", content: [{ url: "${lab.media.video()}" }] });
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            ${importing}
            export const watch = trailer.playbackUrl;
            export const key = stage.streamKey;
            export const found = videograph.getContentOutput({ contentId: trailer.id }).title;`;
        await writeFile(join(stack.folder, "index.ts"), program(""));
        await stack.up();
        assert.ok(existsSync(join(stack.folder, "home", "plugins", "resource-videograph-v0.1.0")));
        assert.equal((await stack.outputs()).found, "Trailer");
        const ids = [...lab.emulator.contents().map(({ contentId }) => contentId)];
        assert.deepEqual(await requestsOf(lab.emulator, () => stack.preview("--expect-no-changes")), [
            `GET /contents/${ids[0]}`,
        ]);
        await stack.refresh("--expect-no-changes");

        const { contentId } = lab.emulator.addContent({ title: "Elsewhere" });
        const importing = `new videograph.Content("elsewhere", { title: "Elsewhere" }, { import: "${contentId}" });`;
        await writeFile(join(stack.folder, "index.ts"), program(importing));
        await stack.up();
        assert.equal(await stack.resourceId("elsewhere"), contentId);
        await stack.preview("--expect-no-changes");
        // Without the program: with what the state has of the provider.
        await rm(join(stack.folder, "index.ts"));
        await stack.destroy();
        assert.deepEqual([...lab.emulator.contents(), ...lab.emulator.livestreams()], []);
        stack.checkForSecrets(await stack.export());
    });
});
