/**
 * State of older builds keeps working: no difference, no request, no changed output. Recordings are never changed; another
 * program gets another recording, and each new state version at least one.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateVersion } from "../../provider/dist/lifecycle/state/recordedMeta.js";
import { stateV1Program } from "../fixtures/stateV1Program.ts";
import { useLab } from "../support/lab.ts";
import type { TestStack } from "../support/testStack.ts";

/** The objects that existed before the stack, by the ids that the program imports. */
interface Existing {
    content: string;
    livestream: string;
}

interface Recording {
    file: string;
    version: number;
    /** What the recorded stack declares. Never changed. */
    program: (existing: Existing) => string;
}

const recordings: Recording[] = [
    {
        file: "state-v1.json",
        version: 1,
        program: () => stateV1Program("contentId"),
    },
    {
        // Every kind of resource, as build 73f6cba wrote it: the last one with dynamic providers' own state alone.
        file: "state-73f6cba.json",
        version: 1,
        program: ({ content, livestream }) => `
    const source = (name) => [{ url: "https://media.example.com/" + name + ".mp4" }];
    const plain = new videograph.Content("plain", {
        title: "Plain", content: source("plain"), playbackPolicy: ["signed", "public"], description: "d",
        tags: ["b", "a"], metadata: { season: "2", "odd key": "" }, mp4Support: true, saveOriginalCopy: false,
        watermark: [{ url: "https://media.example.com/logo.png", xPos: "70%", yPos: "12px", opacity: "0.5" }],
        subtitle: [{ url: "https://media.example.com/en.srt", name: "English", languageCode: "en", supportClosedCaptions: true }],
    }, { customTimeouts: { create: "5m", delete: "30s" } });
    new videograph.Content("bare", { title: "Bare", content: source("bare") });
    class Series extends pulumi.ComponentResource {
        constructor(name) {
            super("e2e:index:Series", name);
            new videograph.Content("episode", { title: "Episode", content: source("episode") }, { parent: this });
            new videograph.Livestream("premiere", { title: "Premiere", region: "us-west-1" }, { parent: this });
        }
    }
    new Series("series");
    const later = ["one", "two"].map((name) =>
        new videograph.Content(name, { title: name, content: source(name), waitForReady: false }));
    new videograph.ContentReadiness("library", { contentIds: later.map(({ contentId }) => contentId) });
    new videograph.Content("hidden", {
        title: pulumi.secret("quiet title"), content: [{ url: pulumi.secret("https://media.example.com/quiet.mp4") }],
        description: pulumi.secret("quiet description"), tags: pulumi.secret(["quiet tag"]),
        metadata: { note: pulumi.secret("quiet note") },
    });
    new videograph.Content("presigned", {
        title: "Presigned", content: [{ url: "https://media.example.com/a.mp4?signature=1" }], sourceVersion: "7",
    });
    new videograph.Content("adopted", { importId: "${content}", title: "Existing content" });
    new videograph.Livestream("stage", {
        title: "Stage", region: "us-east-1", record: true, description: "d", dvrDurationInMins: 30, tags: ["b", "a"],
        metadata: { season: "2" }, playbackPolicy: ["public"], recordingsPlaybackPolicy: ["signed"],
    });
    new videograph.Livestream("quietStage", { title: pulumi.secret("quiet stage"), region: "ap-south-1" });
    new videograph.Livestream("adoptedStage", { importId: "${livestream}", title: "Existing livestream" });
    const eu = new videograph.Provider("eu", {});
    new videograph.Content("elsewhere", { title: "Elsewhere", content: source("elsewhere") }, { provider: eu });
`,
    },
];

const pathOf = (file: string) => join(import.meta.dirname, "..", "fixtures", file);

/** The engine records where in the program a resource was registered: paths of the recording machine. */
function withoutPaths(deployment: string): string {
    const machine = new Set(["stackTrace", "sourcePosition"]);
    const clean = JSON.parse(deployment, (key, value) => (machine.has(key) ? undefined : value));
    return `${JSON.stringify(clean, undefined, 4)}\n`;
}

/** Whose ids the recorded program imported. */
function existingIn(deployment: string): Existing {
    const { resources } = JSON.parse(deployment).deployment as { resources: { urn: string; id?: string }[] };
    const idOf = (name: string) => resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id ?? "";
    return { content: idOf("adopted"), livestream: idOf("adoptedStage") };
}

/** What the state says about this package's objects, secrets masked: they are encrypted anew whenever they are written. */
async function recordedObjects(stack: TestStack) {
    const mask = (key: string, value: unknown) => (key === "ciphertext" ? "…" : value);
    const objects = (await stack.resources()).map(({ urn, id, outputs }) =>
        JSON.parse(JSON.stringify({ urn, id, outputs }), mask),
    );
    return objects.sort((a, b) => a.urn.localeCompare(b.urn));
}

describe("state of older builds", function () {
    this.timeout(120_000);
    const lab = useLab({ fetchSources: false });

    for (const { file, program } of recordings) {
        if (process.env.RECORD !== file) continue;
        it(`is recorded as ${file}`, async () => {
            const stack = await lab.stack(
                program({
                    content: lab.emulator.addContent({ title: "Existing content" }).contentId,
                    livestream: lab.emulator.addLivestream({ title: "Existing livestream" }).streamUUID,
                }),
            );
            await stack.up();
            await writeFile(pathOf(file), withoutPaths(await stack.export()));
        });
    }

    it("has a recording of today's version", () => {
        assert.ok(
            recordings.some(({ version }) => version === stateVersion),
            "Add one and record it: RECORD=<file>",
        );
    });

    for (const { file, program } of recordings) {
        it(`${file} is continued with no difference, no request and no changed output`, async () => {
            const deployment = await readFile(pathOf(file), "utf8");
            const stack = await lab.stack(program(existingIn(deployment)));
            await stack.import(deployment);
            const before = await recordedObjects(stack);
            assert.deepEqual(await stack.planned("--expect-no-changes"), []);
            await stack.up("--expect-no-changes");
            assert.deepEqual(await recordedObjects(stack), before);
            assert.deepEqual(lab.emulator.requests, []);
        });
    }
});
