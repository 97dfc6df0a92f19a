/**
 * What a team meets in a year, in both faces and in libraries: machines that are lost and nights that are refused (A2, A3, A4), a state of an hour ago
 * that is put back (A7), the way back to the dynamic types (A1), and a service whose replicas are behind (A5, A8). Nothing is doubled, and nothing is lost.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { decided, killedUp, objects, refused, source, theOne } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { stateFile } from "../support/projectFolder.ts";
import { sentBy } from "../support/requests.ts";
import { step } from "../support/step.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

const faces = ["dynamic", "native"] as const;
const entry = (title: string) => ({ title, content: source("a") });
const inFace = (face: string, text: string) => text.replaceAll("videograph.", `${face}.`);

/** A library of each face, whose titles begin with it. */
function libraries(keys: readonly string[], titleOf = (key: string) => key): string {
    const contents = (face: string) => Object.fromEntries(keys.map((key) => [key, entry(`${face} ${titleOf(key)}`)]));
    return faces
        .map((face) => inFace(face, declare("ContentLibrary", `${face}-films`, { contents: contents(face) })))
        .join("");
}

describe("A team's year (S1, S9)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 5 });
    let machines = 0;
    let clock: string | undefined;

    /** A machine with a disk of its own, whose clock is so far from the service's. */
    function onNewMachine(stack: TestStack, aheadMs = 0): void {
        machines += 1;
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, `machine-${machines}`);
        clock ??= stack.env.TEST_CLOCK ?? "";
        const [speed = 1, start = 0] = clock.split("@").map(Number);
        // The clock of `speed` begins at `start`, when it is as much behind as it is faster since.
        stack.env.TEST_CLOCK = `${speed}@${start - aheadMs / (speed - 1)}`;
    }
    const hour = 3_600_000;
    const unheard = { kind: "hang", when: "after", method: "POST" } as const;

    it("a library's update and creates are lost with their machine: night after night the library is refused with the ids, whatever the clocks say and the titles are, and so is a state of an hour ago, which names creates that a later run has resolved; the words adopt all (A2, A3, A4, A7)", async () => {
        const stack = await testbed.stack("");
        onNewMachine(stack);
        await stack.program(libraries(["one"]));
        await stack.up();
        const single = (face: string) =>
            inFace(face, declare("Content", `${face}-film`, entry(`${face} film`))) +
            inFace(face, declare("Livestream", `${face}-stage`, { title: `${face} stage`, region: "us-east-1" }));
        const declared = (titleOf?: (key: string) => string) =>
            faces.map(single).join("") + libraries(["one", "two", "three"], titleOf);
        await stack.program(declared());
        testbed.emulator.inject(unheard);
        await killedUp(testbed, stack, 8);
        const before = await stack.stateText();
        const all = objects(testbed).sort();
        assert.equal(all.length, 10);
        const inLibraries = objects(testbed, ({ title }) => /two|three/.test(title));
        const singles = objects(testbed, ({ title }) => /film|stage/.test(title));
        // The nights are days apart for the machines, and for the service no time has passed.
        for (const [night, aheadMs] of [5 * hour, 30 * hour, -5 * hour].entries())
            await step(`A2, A3, A4: night ${night + 1} refuses what only the library's state could name`, async () => {
                onNewMachine(stack, aheadMs);
                await stack.program(declared((key) => (night > 0 && key === "two" ? "retitled" : key)));
                await refused(stack, ...inLibraries);
                assert.deepEqual(objects(testbed).sort(), all);
            });
        const adopted = (await stack.resources()).map(({ id = "" }) => id);
        assert.deepEqual(adopted.filter((id) => singles.includes(id)).sort(), singles.sort());

        await step(
            "A7: what the state of an hour ago names is refused, although a later run has resolved it",
            async () => {
                await stack.write(stateFile, before);
                onNewMachine(stack);
                testbed.emulator.clearRequests();
                await refused(stack, ...inLibraries, ...singles);
                assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE"), []);
            },
        );

        await step("S9: the words adopt all, and the stack is whole again", async () => {
            await decided(stack, ["all:dynamic-films", "all:native-films", ...singles].join());
            assert.deepEqual(objects(testbed).sort(), all);
            await stack.up("--expect-no-changes");
            await stack.destroy();
            assert.deepEqual(objects(testbed), []);
        });
    });

    it("records change their face: what the dynamic type has is imported once its record is gone, and a native stack goes back by importId, refused while its records would be deleted; by the word of one run, or without them, nothing is (A1)", async () => {
        const stack = await testbed.stack("");
        const keys = ["one", "two"];
        const native = inFace(
            "native",
            declare("Content", "film", entry("film")) +
                declare("Content", "kept", entry("kept")) +
                declare("Livestream", "stage", { title: "stage", region: "us-east-1" }) +
                declare("ContentLibrary", "films", {
                    contents: Object.fromEntries(keys.map((key) => [key, entry(key)])),
                }),
        );
        await stack.program(native + inFace("dynamic", declare("Content", "brought", entry("brought"))));
        await stack.up();
        const id = (title: string) => theOne(testbed, title);

        await step(
            "S9: an import of what the dynamic type has is refused, for the removal of that record would delete it",
            async () => {
                const brought = ["videograph:index:Content", "brought", id("brought")];
                const command = ["import", ...brought, "--protect=false", "--generate-code=false"];
                const { output } = await stack.fails([...command, "--yes", "--skip-preview"], /VG6013/);
                const [, urn = ""] = /`pulumi state delete '([^']+)'`/.exec(output) ?? [];
                await stack.run("state", "delete", urn, "--yes");
                await stack.run(...command, "--yes", "--skip-preview");
            },
        );

        const all = objects(testbed).sort();
        const made = all.filter((one) => one !== id("brought"));
        const contents = Object.fromEntries(keys.map((key) => [key, { title: key, importId: id(key) }]));
        const dynamic = inFace(
            "dynamic",
            declare("Content", "film", { title: "film", importId: id("film") }) +
                declare("Content", "kept", { title: "kept", importId: id("kept") }) +
                declare("Livestream", "stage", { title: "stage", region: "us-east-1", importId: id("stage") }) +
                declare("ContentLibrary", "films", { contents }),
        );
        await stack.program(dynamic + inFace("native", declare("Content", "brought", { title: "brought" })));
        await step("A1: the way back is refused while the native records would be deleted", async () => {
            testbed.emulator.clearRequests();
            const { output } = await refused(stack, ...made);
            assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE"), []);
            // One record leaves by the command of the refusal, the others by the word.
            const [, command = ""] = /`(pulumi state delete '[^']+::kept')`/.exec(output) ?? [];
            assert.ok(command.length <= 200, command);
            await stack.run("state", "delete", command.split("'")[1] ?? "", "--yes");
        });

        await step("A1: by the word, or without the record, each object stays and changes its face", async () => {
            await decided(stack, made.filter((one) => one !== id("kept")).join());
            assert.deepEqual(objects(testbed).sort(), all);
            for (const { urn, type } of await stack.resources())
                assert.match(type, urn.endsWith("::brought") ? /^videograph:/ : /^pulumi-nodejs:dynamic/);
            await stack.up("--expect-no-changes");
            await stack.destroy();
            assert.deepEqual(objects(testbed), []);
        });
    });
});

describe("Replicas that are behind (A5, A8)", () => {
    const testbed = useTestbed({ fetchSources: false });

    /** After each PUT two reads of the object are of the time before it, and what is deleted is still shown. */
    function behind(): () => void {
        const { emulator } = testbed;
        const { begin } = emulator;
        const old = new Map<string, { exchange: ReturnType<typeof begin>; reads: number }>();
        emulator.begin = (request, options) => {
            const { method, path } = request;
            const read = () => begin.call(emulator, { ...request, method: "GET", text: "" }, options);
            if (method === "DELETE") return read();
            if (method === "PUT") old.set(path, { exchange: read(), reads: 2 });
            const shown = old.get(path);
            if (method !== "GET" || shown === undefined || shown.reads === 0)
                return begin.call(emulator, request, options);
            shown.reads -= 1;
            return { ...read(), answer: shown.exchange.answer };
        };
        return () => Reflect.deleteProperty(emulator, "begin");
    }

    it("no old title is put back, nothing that was just adopted counts as another's, and what was deleted is not taken for an interrupted create", async () => {
        const { emulator } = testbed;
        const [dynamic = "", native = ""] = faces.map(() => emulator.addContent({ title: "adopted" }).contentId);
        const theirs = "pulumi:shop/prod/theirs:11111111-22222222-33333333-ba9876543210";
        for (const id of [dynamic, native])
            emulator.updateContent(id, { metadata: [{ key: "managed_by", value: theirs }] });
        const program = (title: string, tags: string[], keys: string[]) => {
            const own = { tags, content: source("a") };
            const films = faces.map((face) =>
                inFace(face, declare("Content", face, { title: `${title} ${face}`, ...own })),
            );
            const adopting = [
                inFace(
                    "dynamic",
                    declare("Content", "dynamic-adopted", { title: `${title} adopted`, tags, importId: dynamic }),
                ),
                inFace(
                    "native",
                    declare(
                        "Content",
                        "native-adopted",
                        { title: `${title} adopted`, tags },
                        `{ import: "${native}" }`,
                    ),
                ),
            ];
            return [...films, ...adopting, libraries(keys, (key) => `${title} ${key}`)].join("");
        };
        const stack = await testbed.stack(program("First", ["a"], ["one", "two"]));
        const usual = behind();
        await decided(stack, `${dynamic},${native}`);

        await step("A5: no old title is put back, and nothing that was just adopted counts as another's", async () => {
            await stack.program(program("Second", ["a"], ["one", "two"]));
            await stack.up();
            await stack.program(program("Second", ["b"], ["one"]));
            await stack.up();
            assert.deepEqual(
                objects(testbed, ({ title }) => !title.includes("Second")),
                [],
            );
        });

        await step(
            "A8: what is deleted and still shown is not taken for an interrupted create when its key comes back",
            async () => {
                const left = objects(testbed, ({ title }) => /two/.test(title));
                assert.equal(left.length, 2);
                await stack.program(program("Third", ["b"], ["one", "two"]));
                await stack.up();
                assert.equal(objects(testbed, ({ title }) => /two/.test(title)).length, 4);
                for (const id of left) emulator.deleteContent(id);
            },
        );

        await step("A5: what was adopted is this stack's, also soon after its last PUT", async () => {
            const deleted: string[] = [];
            const { begin } = emulator;
            emulator.begin = (request, options) => {
                if (request.method === "DELETE") deleted.push(request.path.split("/").at(-1) ?? "");
                return begin.call(emulator, request, options);
            };
            await stack.destroy();
            usual();
            assert.deepEqual(deleted.sort(), objects(testbed).sort());
        });
    });
});
