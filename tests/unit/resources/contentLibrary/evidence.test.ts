/** What the create of a library finds of an earlier one of another machine, which never ended. */
import assert from "node:assert/strict";
import { recordedEntriesOf } from "../../../../provider/dist/evidence/library.js";
import { readMarker } from "../../../../provider/dist/evidence/marker.js";
import { Machine, type Made, type Properties, stateOf, urnOf } from "../../../support/machine.ts";

const urn = urnOf("films", "ContentLibrary");
const video = (title: string, file = "a") => ({ title, content: [{ url: `https://media.example.com/${file}.mp4` }] });
const contents = { first: video(" Harbour  at night ") };
const ice = (file: string) => ({ ...contents, second: video("Ice", file) });
const films = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`film-${index}`, video(`Film ${index}`)]));
const idsIn = (outputs: Properties) => recordedEntriesOf(outputs).map(([, id]) => id);

describe("a library beside the create of a lost machine", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const start = (word: string) => machine.start("first", { VIDEOGRAPH_UNRECORDED: word });

    /** A create on a new machine. `lostPids`: the processes whose creates never ended in the state. */
    async function create(lostPids: number[] = [], declared: object = contents, { keep = false, word = "" } = {}) {
        if (!keep) machine.lose();
        machine.state = stateOf({ lostPids, urns: [urn] });
        const process = start(word);
        const made = await process.create({ contents: declared }, { urn }, process.host("ContentLibrary"));
        process.kill();
        await machine.clock.advance(120_000);
        return made;
    }

    /** As the engine does. */
    async function update(made: Made, news: Properties, process = machine.start()): Promise<Made> {
        const host = process.host("ContentLibrary");
        await process.diff(made, news, { urn }, host);
        return process.update(made, news, { urn }, host);
    }

    it("leaves alone what the user does, and records that with the entry: `orphans` does not delete it", async () => {
        await create();
        const [left = ""] = machine.ids;
        const { outputs } = await create([1], { first: video(contents.first.title, "b") }, { word: `-${left}` });
        const [[, , { handled } = {}] = []] = recordedEntriesOf(outputs);
        assert.deepEqual(handled, [readMarker(machine.metadataOf(left))?.nonce.slice(0, 8)]);
        assert.equal(machine.ids.length, 2);
    });

    for (const keep of [false, true])
        it(`finds it, under a title that the service spells otherwise, beside more contents of others than the library has, ${keep ? "also by the journal of this machine" : "on another machine"}`, async () => {
            machine = new Machine({ variants: { titles: "collapsed" } });
            await machine.killedCreate((killed) => killed.create({ contents }, { urn }, killed.host("ContentLibrary")));
            for (let index = 0; index < 2_600; index++) machine.core.addContent({ title: `Other ${index}` });
            const { failed } = await create([1], { ...contents, ...films }, { keep });
            assert.deepEqual([failed, machine.ids.length], [undefined, 2_641]);
        });

    it("ends its wait for an earlier run when its own time is over", async () => {
        machine.state = stateOf({ lostPids: [1], urns: [urn] });
        const process = start("");
        const { elapsed } = machine.clock;
        const call = { urn, timeouts: { create: 20_000 } };
        await assert.rejects(process.create({ contents }, call, process.host("ContentLibrary")), /VG3004/);
        assert.ok(machine.clock.elapsed - elapsed <= 21_000);
    });

    it("S2: creates nothing with the token of another environment", async () => {
        const library = await create();
        await assert.rejects(update(library, { contents: ice("a") }, machine.start("foreign")), /VG6101/);
        assert.equal(machine.core.requests.filter(({ method }) => method === "POST").length, 1);
    });

    it("L4: an interrupted update records what it has made, also where it was to delete several", async () => {
        const library = await create([], films);
        const process = machine.start();
        machine.core.inject({ kind: "processing", stuck: true });
        void machine.clock.sleep(5_000).then(() => process.interrupt());
        const before = machine.ids;
        const interrupted = await update(library, { contents, maxDeletes: 40 }, process);
        assert.match(interrupted.failed ?? "", /VG4031/);
        const [made = assert.fail()] = machine.ids.filter((one) => !before.includes(one));
        const recorded = idsIn(interrupted.outputs);
        assert.ok(recorded.includes(made), "the new content is in the record");
        assert.equal(recorded.length, 41);
    });

    it("P2, L3: keeps an entry that failed and is Ready by now, and replaces one that is Failed still", async () => {
        machine.core.inject({ kind: "processing", fail: "out of order", times: 2 });
        const library = await create([], ice("a"));
        const [ready = "", stays = ""] = machine.ids;
        machine.core.setContentStatus(ready, "Ready");
        machine.state = stateOf({ has: machine.ids });
        const recorded = idsIn((await update(library, { contents: ice("a") })).outputs);
        assert.deepEqual(recorded.toSorted(), machine.ids.toSorted());
        assert.deepEqual([recorded.includes(ready), recorded.includes(stays), recorded.length], [true, false, 2]);
    });

    it("is not held back by a content that cannot be read", async () => {
        const library = await create();
        const [first = ""] = machine.ids;
        machine.core.inject({ kind: "status", status: 500, method: "GET", path: `/contents/${first}`, times: 99 });
        await update(library, { contents: ice("a") });
        assert.equal(machine.ids.length, 2);
    });

    it("does not ask for namesakes that the library has: one that was replaced is listed, but gone", async () => {
        const library = await create();
        const [first = ""] = machine.ids;
        machine.state = stateOf({ has: [first] });
        // As where it was replaced after the list was read.
        machine.core.inject({ kind: "status", status: 404, method: "GET", path: `/contents/${first}` });
        await update(library, { contents: { ...contents, second: contents.first } });
        assert.equal(machine.ids.length, 2);
    });

    it("says once that its credentials are refused, to a refresh and a destroy", async () => {
        const made = await create([], films);
        machine.core.inject({ kind: "status", status: 401 });
        const process = machine.start();
        const host = process.host("ContentLibrary");
        const calls = [() => process.read(made, { urn }, host), () => process.delete(made, { urn }, host)];
        for (const call of calls)
            await assert.rejects(call, ({ message }) => {
                assert.equal(message.match(/VG1010/g)?.length, 1);
                return !/VG4030/.test(message);
            });
    });

    describe("beside what an update of a lost machine has made", () => {
        let library: Made;
        let lost: string;

        beforeEach(async () => {
            library = await create();
            machine.state = stateOf({ has: machine.ids });
            await update(library, { contents: ice("lost") });
            machine.lose();
            lost = machine.ids.at(-1) ?? "";
        });

        it("is refused; the user's decision to leave it alone lasts", async () => {
            const refused = await update(library, { contents: ice("b") });
            assert.match(refused.failed ?? "", new RegExp(`${lost}.*VG3017`, "s"));
            const decided = await update(library, { contents: ice("b") }, start("create"));
            machine.state = stateOf({ has: machine.ids.filter((one) => one !== lost) });
            await update(decided, { contents: ice("c") });
            assert.ok(machine.ids.includes(lost));
        });

        for (const [what, between] of [
            ["it was refused while another key was created", { ...ice("b"), third: video("Rain") }],
            ["its key was not declared while another one was created", { ...contents, third: video("Rain") }],
        ] as const)
            it(`is found by a later update as well, where ${what}`, async () => {
                for (let index = 0; index < 120; index++) {
                    machine.core.addContent({ title: `Other ${index}` });
                    await machine.clock.advance(120_000);
                }
                const later = await update(library, { contents: between });
                machine.state = stateOf({ has: idsIn(later.outputs) });
                const made = machine.ids.length;
                const refused = await update(later, { contents: { ...between, ...ice("b") } });
                assert.match(refused.failed ?? "", new RegExp(`${lost}.*VG3017`, "s"));
                assert.deepEqual([made, machine.ids.length], [123, 123]);
            });

        it("is left alone where its marker is that of another stack of this name (S9)", async () => {
            const { managed_by = "" } = machine.metadataOf(lost);
            machine.setMetadata(lost, { managed_by: managed_by.replace(/:[0-9a-f]{8}-/, ":00000000-") });
            machine.since();
            await update(library, { contents: ice("lost") });
            assert.equal(machine.ids.length, 3);
            assert.ok(!machine.since().some((request) => /^(PUT|DELETE)/.test(request)));
        });

        it("is adopted by its id, and the row says that it has another source", async () => {
            const process = start(lost);
            await update(library, { contents: ice("b") }, process);
            assert.match(process.said.join(), new RegExp(`${lost} was created with inputs that differ.*VG3023`));
            assert.equal(machine.ids.length, 2);
        });
    });

    it("makes its own object for a key whose object it has released", async () => {
        let library = await create();
        const second = video("Ice");
        for (const news of [{ contents: { second }, release: ["first"] }, { contents: { second, ...contents } }]) {
            machine.lose();
            machine.state = stateOf({ has: idsIn(library.outputs) });
            library = await update(library, news);
        }
        assert.equal(machine.ids.length, 3);
    });
});
