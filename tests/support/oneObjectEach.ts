/** What must hold after anything hostile: one object for each resource, in a complete state, and nothing of others touched. */
import assert from "node:assert/strict";
import { killAll, providersIn } from "./processes.ts";
import type { PulumiRun } from "./pulumiRun.ts";
import { requestsOf } from "./requests.ts";
import type { Testbed } from "./testbed.ts";
import type { TestStack } from "./testStack.ts";
import { waitFor } from "./waitFor.ts";

/** Objects of other people, with the titles of ours. */
export interface Others {
    /** The ids of all objects that are not theirs. */
    ours(): string[];
    /** Fails when one of theirs was changed or deleted. */
    untouched(): void;
}

export function addOthers({ emulator }: Testbed, ...titles: string[]): Others {
    for (const title of titles) {
        emulator.addContent({ title });
        emulator.addLivestream({ title });
    }
    const all = () => [
        ...emulator.contents().map((content) => ({ ...content, id: content.contentId })),
        ...emulator.livestreams().map((stream) => ({ ...stream, id: stream.streamUUID })),
    ];
    // What becomes of their processing is not ours.
    const kept = () => all().map(({ status: _, ...object }) => ({ ...object, fixed: undefined }));
    const before = kept();
    const theirs = new Set(before.map(({ id }) => id));
    return {
        ours: () =>
            all()
                .map(({ id }) => id)
                .filter((id) => !theirs.has(id))
                .sort(),
        untouched: () =>
            assert.deepEqual(
                kept().filter(({ id }) => theirs.has(id)),
                before,
            ),
    };
}

/** Exactly what these stacks' states have is there, each once; the next preview is empty, the next `up` sends nothing. */
export async function oneObjectEach(testbed: Testbed, others: Others, ...stacks: TestStack[]): Promise<void> {
    const recorded: string[] = [];
    for (const stack of stacks) recorded.push(...(await recordedIds(stack)));
    assert.deepEqual(others.ours(), recorded.sort());
    others.untouched();
    for (const stack of stacks) {
        for (const { initErrors = [] } of await stack.resources()) assert.deepEqual(initErrors, []);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
    }
}

/** The ids of the service's objects that the state has. */
export async function recordedIds(stack: TestStack): Promise<string[]> {
    const resources = await stack.resources();
    return resources.filter(({ type }) => !type.endsWith("ContentReadiness")).map(({ id = "" }) => id);
}

/** `kill -9` of the CLI and its provider, at once; then `pulumi cancel`, because the engine's lock outlives it. */
export async function killed(stack: TestStack, run: PulumiRun): Promise<void> {
    const providers = providersIn(stack.folder);
    assert.notDeepEqual(providers, []);
    run.kill();
    killAll(providers);
    await run.result;
    await waitFor("the provider to end", () => providersIn(stack.folder).length === 0);
    await stack.run("cancel", "--yes");
}
