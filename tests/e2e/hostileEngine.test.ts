/**
 * S1 where the engine forgets or repeats what it did: `PULUMI_SKIP_CHECKPOINTS`, and an `onError` hook that retries.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { LoggedRequest } from "videograph-emulator";
import { holds, journalOf, killed, objects, refused, theOne } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("An engine that forgets or repeats (S1)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 5 });

    const source = [{ url: "https://media.example.com/a.mp4" }];
    const video = (name: string, more = {}) => declare("Content", name, { title: "One", content: source, ...more });
    const stream = (name: string) => declare("Livestream", name, { title: "One", region: "us-east-1" });
    const posts = () => sentBy(testbed.emulator, "POST").filter(({ accepted }) => accepted).length;
    /** Somebody else's, with our title. */
    let theirs: string[];
    beforeEach(() => {
        testbed.emulator.addContent({ title: "One" });
        testbed.emulator.addLivestream({ title: "One" });
        theirs = objects(testbed);
    });
    const ours = () => objects(testbed).filter((id) => !theirs.includes(id));

    it("where a killed run wrote nothing down (PULUMI_SKIP_CHECKPOINTS), the user decides", async () => {
        const stack = await testbed.stack(video("a") + stream("b") + video("stuck", { title: "Stuck" }));
        stack.env.PULUMI_SKIP_CHECKPOINTS = "true";
        testbed.emulator.inject({ kind: "processing", stuck: true, title: "Stuck" });
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "journal");
        const up = stack.start("up", "--yes", "--skip-preview");
        const answers = async () => (await journalOf(stack)).join().split('"birth":""').length - 1;
        await waitFor("three objects and two answers", async () => ours().length === 3 && (await answers()) >= 2);
        await killed(stack, up);
        testbed.emulator.clearFaults();
        const made = ours();
        assert.deepEqual([made.length, await stack.resources()], [3, []]);
        await refused(stack, ...made.filter((id) => id !== theOne(testbed, "Stuck")));
        assert.deepEqual([ours(), posts()], [made, 3]);
    });

    it("goes on with the object of the first try where an onError hook retries, also where the answer is lost and the hook gives up, in both faces", async () => {
        const faces = ["dynamic", "native"];
        const stack = await testbed.stack(`
            const hook = (name, decide) => ({ hooks: { onError: [new pulumi.ErrorHook(name, decide)] } });
            const again = hook("again", async () => true);
            const region = "us-east-1";
            const dependsOn = Object.entries({ dynamic, native }).flatMap(([face, { Content, Livestream }]) => [
                new Content(face + "-video", { title: "One", content: ${JSON.stringify(source)} }, again),
                new Livestream(face + "-stream", { title: "One", region }, again),
            ]);
            for (const [face, { Livestream }] of Object.entries({ dynamic, native })) {
                let left = 1;
                const once = hook(face + "-once", async () => left-- > 0);
                new Livestream(face + "-lost", { title: face + " lost", region }, { ...once, dependsOn });
            }`);
        testbed.emulator.setVariants({ createData: "terse" });
        const refused = { kind: "status", status: 403, method: "GET" } as const;
        // The first reads of each, such as the wait for Ready, and all looks for the lost ones.
        const asked = new Map<string, number>();
        const isFirst = ({ path }: LoggedRequest) => {
            asked.set(path, (asked.get(path) ?? 0) + 1);
            return (asked.get(path) ?? 0) <= (path.includes("/contents/") ? 2 : 1);
        };
        for (const path of ["/contents/*", "/livestreams/*"])
            testbed.emulator.inject({ ...refused, path, where: isFirst });
        testbed.emulator.inject({ ...refused, path: "/livestreams", where: () => posts() > 4 });
        for (const face of faces)
            testbed.emulator.inject({
                ...{ kind: "status", status: 502, method: "POST", when: "after", times: 1 },
                title: `${face} lost`,
            });
        const first = await stack.upInline();
        assert.notEqual(first.code, 0);
        const retried = (name: string) => new RegExp(`${name} creating .*retrying create due to on-error hook request`);
        for (const face of faces)
            for (const name of ["video", "stream", "lost"]) assert.match(first.output, retried(`${face}-${name}`));
        // A lost one has the row of a create in doubt: newer engines ask for an update of it, which never succeeds.
        const ids = (await stack.resources()).map(({ id = "" }) => id);
        assert.equal(ids.length, 6);
        assert.equal(ids.filter((id) => id.startsWith("unconfirmed-")).length, 2);
        const created = ours();
        assert.equal(created.length, 6);
        testbed.emulator.clearFaults();
        const second = await stack.upInline();
        assert.equal(second.code, 0, second.output);
        testbed.emulator.setVariants({ createData: "object" });
        assert.deepEqual(ours(), created);
        assert.equal(posts(), 6);
        await holds(testbed, stack, ours(), theirs);
    });

    it("keeps what a library has made where an onError hook repeats its create or update, and the repetition fails before it does anything (L4), in both faces", async () => {
        const program = (keysOf: Record<string, string[]>) => `
            for (const [face, keys] of Object.entries(${JSON.stringify(keysOf)})) {
                const content = ${JSON.stringify(source)};
                const contents = Object.fromEntries(keys.map((key) => [key, { title: face + " " + key, content }]));
                let left = 1;
                const once = new pulumi.ErrorHook(face + " once", async () => left-- > 0);
                const { ContentLibrary } = face === "native" ? native : videograph;
                new ContentLibrary(face, { contents }, { hooks: { onError: [once] } });
            }`;
        const stack = await testbed.stack("");
        const titles = () => ours().map((id) => testbed.emulator.content(id)?.title);
        const made: Record<string, string[]> = {};
        for (const face of ["dynamic", "native"]) {
            const fails = async (good: string[], bad: string, what: string) => {
                made[face] = [...good, bad];
                await stack.program(program(made));
                testbed.emulator.inject({ kind: "status", status: 422, method: "POST", title: `${face} ${bad}` });
                // With 3.259 the repetition finds what it made in the journal, and reads no list.
                const isMade = () => good.every((key) => titles().includes(`${face} ${key}`));
                const list = { method: "GET", path: "/contents", where: isMade };
                testbed.emulator.inject({ kind: "status", status: 403, ...list });
                const { output } = await stack.upInline();
                assert.match(output, new RegExp(`${face} .*retrying ${what} due to on-error hook request`));
                testbed.emulator.clearFaults();
            };
            await fails(["good"], "bad", "create");
            await fails(["good", "bad", "more"], "worse", "update");
        }
        const { code, output } = await stack.upInline();
        assert.equal(code, 0, output);
        const expected = Object.entries(made).flatMap(([face, keys]) => keys.map((key) => `${face} ${key}`));
        assert.deepEqual(titles().sort(), expected.sort());
        assert.equal(posts(), expected.length);
    });
});
