/** examples/policy: the rules by themselves, and the whole pack in the hands of the real CLI. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { startsFaster } from "./exampleStack.ts";
import { copyPack, hostIsTooOld, packFolder, startWithoutHost } from "./policyPack.ts";

interface Resource {
    urn: string;
    type: string;
    name: string;
    props: Record<string, unknown>;
    propertyDependencies: Record<string, { urn: string }[]>;
}
interface Rules {
    isIn(stacks: readonly string[], resource: { urn: string }): boolean;
    publicPlayback(resource: Resource): string[];
    testVideo(resource: Resource): string[];
    naming(resource: Resource, conventions: { longestTitle: number; ownerTag: string }): string[];
    waitedFor(resources: readonly Resource[]): { urn: string }[];
}

describe("The policy pack's rules", () => {
    let rules: Rules;

    before(async () => {
        // For Pulumi the pack is CommonJS in TypeScript, which Node by itself runs as a module only under this name.
        const folder = await mkdtemp(join(tmpdir(), "videograph-rules-"));
        try {
            await cp(join(packFolder, "rules.ts"), join(folder, "rules.mts"));
            rules = (await import(join(folder, "rules.mts"))) as Rules;
        } finally {
            await rm(folder, { recursive: true });
        }
    });

    const resource = (kind: string, props: Record<string, unknown>, name = "x"): Resource => {
        const type = `pulumi-nodejs:dynamic/videograph:${kind}`;
        return { type, name, urn: `urn:pulumi:production::site::${type}::${name}`, props, propertyDependencies: {} };
    };

    it("know a stack by its whole name", () => {
        const { urn } = resource("Content", {});
        assert.equal(rules.isIn(["staging", "production"], { urn }), true);
        assert.equal(rules.isIn(["prod", "site", "x"], { urn }), false);
    });

    it("allow only signed playback, and want it declared", () => {
        const judge = (kind: string, props: Record<string, unknown>) =>
            rules
                .publicPlayback(resource(kind, props))
                .map((text) => /everybody/.exec(text)?.[0] ?? text.split(":")[0]);
        assert.deepEqual(judge("Content", { playbackPolicy: ["signed"] }), []);
        assert.deepEqual(judge("Content", { playbackPolicy: ["signed", "public"] }), ["everybody"]);
        assert.deepEqual(judge("Content", {}), ["x does not declare playbackPolicy"]);
        assert.deepEqual(judge("Livestream", { playbackPolicy: ["signed"] }), []);
        assert.deepEqual(judge("Livestream", { playbackPolicy: ["signed"], record: true }), [
            "x does not declare recordingsPlaybackPolicy",
        ]);
        assert.deepEqual(
            judge("Livestream", { playbackPolicy: ["signed"], recordingsPlaybackPolicy: ["public"], record: true }),
            ["everybody"],
        );
        assert.deepEqual(judge("ContentReadiness", {}), []);
    });

    it("refuse test videos", () => {
        assert.equal(rules.testVideo(resource("Content", { testVideo: true })).length, 1);
        assert.deepEqual(rules.testVideo(resource("Content", { testVideo: false })), []);
        assert.deepEqual(rules.testVideo(resource("Content", {})), []);
    });

    it("judge titles and tags", () => {
        const judge = (title: unknown, tags: unknown, kind = "Content") =>
            rules.naming(resource(kind, { title, tags }), { longestTitle: 10, ownerTag: "team-" }).length;
        assert.equal(judge("Tides", ["team-sea", "harbour-2"]), 0);
        assert.equal(judge("0123456789", ["team-sea"]), 0);
        assert.equal(judge("0123456789a", ["team-sea"]), 1);
        assert.equal(judge(" Tides", ["team-sea"]), 1);
        assert.equal(judge("tides.MP4", ["team-sea"], "Livestream"), 1);
        for (const tag of ["Sea", "the sea", "sea-", "a--b", ""])
            assert.equal(judge("Tides", ["team-sea", tag]), 1, tag);
        assert.equal(judge("Tides", ["sea"]), 1);
        assert.equal(judge("Tides", undefined), 1);
        // In a preview what another resource will tell is not known yet.
        assert.equal(judge(undefined, ["team-sea"]), 0);
        assert.equal(judge(" ", [], "ContentReadiness"), 0);
    });

    it("want each content waited for, by itself or by a ContentReadiness", () => {
        const waits = resource("Content", {}, "waits");
        const listed = resource("Content", { waitForReady: false }, "listed");
        const forgotten = resource("Content", { waitForReady: false }, "forgotten");
        const readiness = {
            ...resource("ContentReadiness", {}),
            propertyDependencies: { contentIds: [waits, listed] },
        };
        const judge = (...resources: Resource[]) => rules.waitedFor(resources).map(({ urn }) => urn);
        assert.deepEqual(judge(waits, listed, forgotten, readiness), [forgotten.urn]);
        assert.deepEqual(judge(waits, listed), [listed.urn]);
    });
});

describe("The policy pack", function () {
    this.timeout(180_000);
    const testbed = useTestbed();

    it("stops a preview by what is wrong in production, and lets the rest pass", async () => {
        const stack = await testbed.stack("");
        const args = await policyArguments(stack, testbed.cli.folder);
        const source = `content: [{ url: "${testbed.media.video()}" }]`;
        await stack.program(`
            new videograph.Content("open", { title: "Open", ${source}, tags: ["team-sea"] });
            new videograph.Content("short", { title: "Short", ${source}, playbackPolicy: ["signed"], testVideo: true });
            const unwatched = { title: "Unwatched", ${source}, playbackPolicy: ["signed"], waitForReady: false };
            new videograph.Content("unwatched", { ...unwatched, tags: ["team-sea"] });
            const watched = new videograph.Content("watched", { ...unwatched, tags: ["team-sea"] });
            new videograph.ContentReadiness("all", { contentIds: [watched.contentId] });
            new videograph.Livestream("stage", { title: "Stage", region: "us-east-1", tags: ["team-sea"] });
        `);
        const requests = await requestsOf(testbed.emulator, async () => {
            const { output } = await stack.fails(["preview", ...args]);
            const violations = [
                ...output.matchAll(/\[(\w+)\] +(\S+) +\(pulumi-nodejs:dynamic\/videograph:\w+: (\w+)\)/g),
            ];
            assert.deepEqual(violations.map(([, level, policy, name]) => `${level} ${policy} ${name}`).sort(), [
                "advisory naming short",
                "mandatory no-public-playback open",
                "mandatory no-public-playback stage",
                "mandatory no-test-videos short",
                "mandatory waited-for unwatched",
            ]);
        });
        assert.deepEqual(requests, []);

        await stack.program(`
            new videograph.Content("short", { title: "Short", ${source}, playbackPolicy: ["signed"] });
        `);
        assert.match((await stack.run("preview", ...args)).output, /\[advisory\] +naming/);
        // The same in a stack that nobody but ourselves looks at.
        await writeFile(join(stack.folder, "policy-config.json"), JSON.stringify({ naming: "disabled" }));
        await stack.program(`new videograph.Content("open", { title: "Open", ${source} });`);
        assert.match((await stack.run("preview", ...args)).output, /✅ videograph/);
    });
});

/** The options of the CLI that put the pack in force, with the one stack of these tests as production. */
async function policyArguments(stack: TestStack, cliFolder: string): Promise<string[]> {
    const copy = join(stack.folder, "policy");
    await copyPack(copy);
    const production = { productionStacks: ["test"] };
    const configuration = { "no-public-playback": production, "no-test-videos": production, "waited-for": production };
    await writeFile(join(stack.folder, "policy-config.json"), JSON.stringify(configuration));
    Object.assign(stack.env, startsFaster);
    const args = ["--policy-pack", "policy", "--policy-pack-config", "policy-config.json"];

    const { output } = await stack.attempt("preview", ...args);
    if (!hostIsTooOld.test(output)) return args;
    const bin = join(stack.folder, "bin");
    await startWithoutHost(copy, bin);
    stack.env.PATH = [bin, cliFolder, nodeFolder, process.env.PATH].join(delimiter);
    return args;
}
