/** What the create of a library finds of an earlier one of another machine, which never ended. */
import assert from "node:assert/strict";
import { recordedEntriesOf } from "../../../provider/dist/evidence/library.js";
import { readMarker } from "../../../provider/dist/evidence/marker.js";
import { lifecycles } from "../../../provider/dist/resources/index.js";
import { ResourceHost } from "../../../provider/dist/session/resourceHost.js";
import { Machine, type Made, type Properties, stateOf, urnOf } from "../../support/machine.ts";

const urn = urnOf("films", "ContentLibrary");
const contents = { first: { title: " Harbour  at night ", content: [{ url: "https://media.example.com/a.mp4" }] } };

describe("a library beside the create of a lost machine", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    /** A create on a new machine. `lostPids`: the processes whose creates never ended in the state. */
    async function create(
        lostPids: number[] = [],
        declared: object = contents,
        { keep = false, word = "" } = {},
    ): Promise<Made> {
        if (!keep) machine.files.clear();
        machine.state = stateOf({ lostPids, urns: [urn] });
        const process = machine.start("first", { VIDEOGRAPH_UNRECORDED: word });
        const made = await process.create(
            { contents: declared },
            { urn },
            new ResourceHost(process.session, lifecycles.ContentLibrary),
        );
        process.kill();
        await machine.clock.advance(120_000);
        return made;
    }

    /** With more contents, on a new process. Returns its outputs, and what was said. */
    async function update(
        { id, outputs: olds }: Made,
        more: object,
        token?: string,
        variables?: Record<string, string>,
    ): Promise<[Properties, string]> {
        const process = machine.start(token, variables);
        const host = new ResourceHost(process.session, lifecycles.ContentLibrary);
        const news = { contents: { ...contents, ...more } };
        return [await machine.run(host.update({ urn, timeouts: {}, id, olds, news })), process.said.join()];
    }

    it("adopts what that has created, also where the service shows the title in another form", async () => {
        machine = new Machine({ variants: { titles: "collapsed" } });
        await create();
        const { failed } = await create([1]);
        assert.deepEqual([failed, machine.ids.length], [undefined, 1]);
    });

    it("leaves alone what the user does, and records that with the entry: `orphans` does not delete it", async () => {
        await create();
        const [left = ""] = machine.ids;
        const { outputs } = await create(
            [1],
            { first: { ...contents.first, content: [{ url: "https://media.example.com/b.mp4" }] } },
            { word: `-${left}` },
        );
        const [[, , { handled } = {}] = []] = recordedEntriesOf(outputs);
        assert.deepEqual(handled, [readMarker(machine.metadataOf(left))?.nonce.slice(0, 8)]);
        assert.equal(machine.ids.length, 2);
    });

    it("finds the object of a lost answer, beside a namesake of somebody else", async () => {
        await create();
        const title = "Ice";
        machine.core.addContent({ title });
        machine.core.inject({ kind: "reset", when: "after", method: "POST" });
        const { failed } = await create([1], { ...contents, second: { ...contents.first, title } });
        assert.deepEqual([failed, machine.ids.length], [undefined, 3]);
    });

    const films = Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`film-${index}`, { ...contents.first, title: `Film ${index}` }]),
    );

    for (const keep of [false, true])
        it(`finds it beside more contents of others than the library has, ${keep ? "also by the journal of this machine" : "on another machine"}`, async () => {
            await machine.killedAfterPost({ kind: "reset", when: "after" }, (killed) =>
                killed.create({ contents }, { urn }, new ResourceHost(killed.session, lifecycles.ContentLibrary)),
            );
            for (let index = 0; index < 2_600; index++) machine.core.addContent({ title: `Other ${index}` });
            const { failed } = await create([1], { ...contents, ...films }, { keep });
            assert.deepEqual([failed, machine.ids.length], [undefined, 2_641]);
        });

    it("S2: creates nothing with the token of another environment", async () => {
        const library = await create();
        await assert.rejects(update(library, { second: { ...contents.first, title: "Ice" } }, "foreign"), /VG6101/);
        assert.equal(machine.core.requests.filter(({ method }) => method === "POST").length, 1);
    });

    it("L4: an interrupted update records what it has made, also where it was to delete several", async () => {
        const { id, outputs: olds } = await create([], films);
        const process = machine.start();
        machine.core.inject({ kind: "processing", stuck: true });
        void machine.clock.sleep(5_000).then(() => process.interrupt());
        const before = new Set(machine.ids);
        const host = new ResourceHost(process.session, lifecycles.ContentLibrary);
        const update = host.update({ urn, timeouts: {}, id, olds, news: { contents, maxDeletes: 40 } });
        const failure = await machine.run(update).then(
            () => assert.fail("the update was not interrupted"),
            (error: Error & { outputs?: Properties }) => error,
        );
        assert.match(failure.message, /VG4031/);
        const [made] = machine.ids.filter((one) => !before.has(one));
        const recorded = recordedEntriesOf(failure.outputs ?? {}).map(([, one]) => one);
        assert.ok(recorded.includes(made ?? assert.fail()), "the new content is in the record");
        assert.equal(recorded.length, 41);
    });

    it("P2, L3: keeps an entry that failed and is Ready by now, and replaces one that is Failed still", async () => {
        machine.core.inject({ kind: "processing", fail: "out of order", times: 2 });
        const news = { contents: { ...contents, second: { ...contents.first, title: "Ice" } } };
        const { id, outputs: olds } = await create([], news.contents);
        const [ready = "", stays = ""] = machine.ids;
        machine.core.setContentStatus(ready, "Ready");
        machine.state = stateOf({ has: [...machine.ids] });
        const host = new ResourceHost(machine.start().session, lifecycles.ContentLibrary);
        // As the engine does before each update.
        await host.diff({ urn, id, olds, news });
        const outputs = await machine.run(host.update({ urn, timeouts: {}, id, olds, news }));
        const recorded = recordedEntriesOf(outputs).map(([, one]) => one);
        assert.deepEqual(recorded.toSorted(), machine.ids.toSorted());
        assert.deepEqual([recorded.includes(ready), recorded.includes(stays), recorded.length], [true, false, 2]);
    });

    it("is not held back by a content that cannot be read", async () => {
        const library = await create();
        const [first = ""] = machine.ids;
        machine.core.inject({ kind: "status", status: 500, method: "GET", path: `/contents/${first}`, times: 99 });
        await update(library, { second: { ...contents.first, title: "Ice" } });
        assert.equal(machine.ids.length, 2);
    });

    it("does not ask for namesakes that the library has: one that was replaced is listed, but gone", async () => {
        const library = await create();
        const [first = ""] = machine.ids;
        machine.state = stateOf({ has: [first] });
        // As where it was replaced after the list was read.
        machine.core.inject({ kind: "status", status: 404, method: "GET", path: `/contents/${first}` });
        await update(library, { second: contents.first });
        assert.equal(machine.ids.length, 2);
    });

    describe("beside what an update of a lost machine has made", () => {
        let library: Made;
        let lost: string;

        const ice = (video: string) => ({
            second: { title: "Ice", content: [{ url: `https://media.example.com/${video}.mp4` }] },
        });
        const decided = (VIDEOGRAPH_UNRECORDED: string) => ({ VIDEOGRAPH_UNRECORDED });

        beforeEach(async () => {
            library = await create();
            const has = [...machine.ids];
            machine.state = stateOf({ has });
            await update(library, ice("lost"));
            machine.files.clear();
            lost = machine.ids.at(-1) ?? "";
        });

        it("is refused; the user's decision to leave it alone lasts", async () => {
            const again = update(library, ice("b"));
            await assert.rejects(again, new RegExp(`${lost}.*VG3017`, "s"));
            const [outputs] = await update(library, ice("b"), "first", decided("create"));
            const has = machine.ids.filter((one) => one !== lost);
            machine.state = stateOf({ has });
            await update({ ...library, outputs }, ice("c"));
            assert.ok(machine.ids.includes(lost));
        });

        it("is adopted by its id, and the row says that it has another source", async () => {
            const [, said] = await update(library, ice("b"), "first", decided(lost));
            assert.match(said, new RegExp(`${lost} was created with inputs that differ.*VG3023`));
            assert.equal(machine.ids.length, 2);
        });
    });

    it("makes its own object for a key whose object it has released", async () => {
        const library = await create();
        let olds = library.outputs;
        const second = { title: "Ice", content: [{ url: "https://media.example.com/ice.mp4" }] };
        for (const news of [{ contents: { second }, release: ["first"] }, { contents: { second, ...contents } }]) {
            machine.files.clear();
            machine.state = stateOf({ has: recordedEntriesOf(olds).map(([, one]) => one) });
            const host = new ResourceHost(machine.start().session, lifecycles.ContentLibrary);
            olds = await machine.run(host.update({ ...library, urn, timeouts: {}, olds, news }));
        }
        assert.equal(machine.ids.length, 3);
    });

    it("S9: leaves alone what an earlier create had made that ended, and whose object was released", async () => {
        await create();
        const { failed } = await create([9]);
        assert.deepEqual([failed, machine.ids.length], [undefined, 2]);
        assert.ok(!machine.core.requests.some(({ method }) => method === "PUT" || method === "DELETE"));
    });
});
