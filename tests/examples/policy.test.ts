/** examples/policy: every rule, by the real CLI. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { gte } from "semver";
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import type { PulumiCli } from "../../tools/pulumiCli/index.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { compile, copyExample } from "./exampleStack.ts";

describe("The policy pack", () => {
    const testbed = useTestbed();

    it("stops a preview by what is wrong in production, and lets the rest pass", async () => {
        const stack = await testbed.stack("");
        const args = await policyArguments(stack, testbed.cli);
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
            const { stdout } = await stack.fails(["preview", ...args]);
            assert.deepEqual(violationsIn(stdout), [
                "advisory naming short",
                "mandatory no-public-playback open",
                "mandatory no-public-playback stage",
                "mandatory no-test-videos short",
                "mandatory waited-for unwatched",
            ]);
        });
        assert.deepEqual(requests, []);

        await stack.program(
            `new videograph.Content("short", { title: "Short", ${source}, playbackPolicy: ["signed"] });`,
        );
        assert.deepEqual(violationsIn((await stack.run("preview", ...args)).stdout), ["advisory naming short"]);
        // The same in a stack that nobody but ourselves looks at.
        await writeFile(join(stack.folder, "policy-config.json"), JSON.stringify({ naming: "disabled" }));
        await stack.program(`new videograph.Content("open", { title: "Open", ${source} });`);
        assert.deepEqual(violationsIn((await stack.run("preview", ...args)).stdout), []);
    });
});

/** By the engine's events: how a terminal shows them differs from one version of the CLI to the next. */
function violationsIn(stdout: string): string[] {
    const lines = stdout.split("\n").filter((line) => line !== "");
    const events = lines.map((line): EngineEvent => JSON.parse(line));
    const packs = events.map(({ policyAnalyzeSummaryEvent: summary }) => summary?.policyPackName);
    assert.ok(packs.includes("videograph"), stdout);
    const violations = events.flatMap(({ policyEvent: found }) =>
        found ? [`${found.enforcementLevel} ${found.policyName} ${found.resourceUrn.split("::").at(-1)}`] : [],
    );
    return violations.sort();
}

interface EngineEvent {
    policyEvent?: { enforcementLevel: string; policyName: string; resourceUrn: string };
    policyAnalyzeSummaryEvent?: { policyPackName: string };
}

/** The options of the CLI that put the pack in force, with the one stack of these tests as production. */
async function policyArguments(stack: TestStack, cli: PulumiCli): Promise<string[]> {
    const copy = join(stack.folder, "policy");
    await copyExample("policy", copy);
    const production = { productionStacks: ["test"] };
    const configuration = { "no-public-playback": production, "no-test-videos": production, "waited-for": production };
    await writeFile(join(stack.folder, "policy-config.json"), JSON.stringify(configuration));
    // `npm run types` checks the types of the pack, which the SDK would do in each run.
    await compile(copy);
    await rm(join(copy, "index.ts"));
    stack.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW = "true";
    const inForce = (pack: string) => ["--policy-pack", pack, "--policy-pack-config", "policy-config.json"];

    const { output } = await stack.attempt("preview", ...inForce("policy"));
    if (!/policy pack .* failed to start: .*not supported/.test(output)) return ["--json", ...inForce("policy")];
    // The CLI's language host is too old for packs. So the engine starts the program that a newer host starts too: the newest engine by
    // its path, an older one by its name, which the pack's runtime gives.
    const starter = join(copy, "pulumi-analyzer-policy-sdk");
    const run = `cd '${copy}' && exec node node_modules/@pulumi/pulumi/cmd/run-policy-pack "$1" .`;
    await writeFile(starter, `#!/bin/sh\n${run}\n`, { mode: 0o755 });
    if (gte(cli.version, "3.274.0")) return ["--json", ...inForce(starter)];
    const project = join(copy, "PulumiPolicy.yaml");
    await writeFile(project, (await readFile(project, "utf8")).replace("runtime: nodejs", "runtime: sdk"));
    stack.env.PATH = [copy, cli.folder, nodeFolder, process.env.PATH].join(delimiter);
    return ["--json", ...inForce("policy")];
}
