/** State of every version that was ever released is taken up without a difference (`stateVersion`). */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateVersion } from "../../provider/dist/lifecycle/state/hidden.js";
import { useLab } from "../support/lab.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures");
const recording = (version: number) => join(fixtures, `state-v${version}.json`);

/** What the recorded stacks declare. Never changed: another program gets another recording. */
const program = `
    const trailer = new videograph.Content("trailer", {
        title: "Trailer",
        content: [{ url: "https://media.example.com/trailer.mp4" }],
        description: "d", tags: ["a"], metadata: { season: "2" }, mp4Support: true,
    }, { customTimeouts: { create: "5m" } });
    const presigned = new videograph.Content("presigned", {
        title: pulumi.secret("quiet"), content: [{ url: "https://media.example.com/a.mp4?signature=1" }],
        sourceVersion: "1", waitForReady: false,
    });
    new videograph.Livestream("stage", { title: "Stage", region: "us-east-1", record: true, dvrDurationInMins: 30 });
    new videograph.ContentReadiness("library", { contentIds: [trailer.contentId, presigned.contentId] });
`;

/** The engine records where in the program a resource was registered: paths of the recording machine. */
function withoutPaths(deployment: string): string {
    const machine = new Set(["stackTrace", "sourcePosition"]);
    const clean = JSON.parse(deployment, (key, value) => (machine.has(key) ? undefined : value));
    return `${JSON.stringify(clean, undefined, 4)}\n`;
}

describe("state of older versions", function () {
    this.timeout(120_000);
    const lab = useLab({ fetchSources: false });

    if (process.env.RECORD === "true") {
        it("is recorded", async () => {
            const stack = await lab.stack(program);
            await stack.up();
            await writeFile(recording(stateVersion), withoutPaths(await stack.export()));
        });
    }

    it("has a recording of today's version", async () => {
        assert.ok((await readdir(fixtures)).includes(`state-v${stateVersion}.json`), "Record it: RECORD=true");
    });

    for (let version = 1; version <= stateVersion; version++) {
        it(`version ${version} is taken up with no difference and no request`, async () => {
            const stack = await lab.stack(program);
            await stack.import(await readFile(recording(version), "utf8"));
            await stack.preview("--expect-no-changes");
            await stack.up("--expect-no-changes");
            assert.deepEqual(lab.emulator.requests, []);
        });
    }
});
