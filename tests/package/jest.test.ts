/** Users' unit tests under Jest, whose own module loader differs from Node's in small ways. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usePacked } from "./packages.ts";
import { installIn, registryAnswers, run } from "./userProject.ts";

const usersTest = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name + "-id", state: inputs }), call: () => ({}) });

test("creates resources", async () => {
    const { Content, Livestream } = require("pulumi-videograph");
    const content = new Content("trailer", { title: "Trailer", content: [{ url: "https://media.example/t.mp4" }] });
    const livestream = new Livestream("stage", { title: "Stage", region: "us-east-1" });
    const ids = await new Promise((resolve) => pulumi.all([content.id, livestream.id]).apply(resolve));
    expect(ids).toEqual(["trailer-id", "stage-id"]);
});
`;

describe("The packed package under Jest", function () {
    this.timeout(300_000);
    const packed = usePacked();
    let folder: string | undefined;

    after(async () => {
        if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    it("lets resources be created in a user's test", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "videograph-jest-"));
        await installIn(folder, "npm", {
            "@pulumi/pulumi": "3.270.0",
            "pulumi-videograph": `file:${packed.provider.tarball}`,
            jest: "^30.0.0",
        });
        await writeFile(join(folder, "resources.test.js"), usersTest);
        await run(join(folder, "node_modules", ".bin", "jest"), ["--ci"], folder);
    });
});
