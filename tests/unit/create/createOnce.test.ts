/** Creates whose answers are lost and whose processes are killed: one object, whatever happens (S1). */
import assert from "node:assert/strict";
import type { Fault } from "videograph-emulator";
import { Machine, type Made, type Process, type Properties, stateOf, urnOf } from "../../support/machine.ts";
import { openEntriesIn } from "../../support/memoryFiles.ts";

const inputs = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }], waitForReady: false };
const other = { ...inputs, content: [{ url: "https://media.example.com/other.mp4" }] };
const post = { method: "POST", path: "/contents" } as const;
const lost = { kind: "reset", when: "after" } as const;

describe("create", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const posts = () => machine.core.requests.filter(({ method }) => method === "POST").length;
    const inject = (...faults: Fault[]) => faults.forEach((fault) => void machine.core.inject({ times: 1, ...fault }));

    for (const [what, metadata, isWarned] of [
        ["keeps", undefined, false],
        ["drops", {}, true],
        ["changes", { managed_by: "pulumi:shop/dev/one:1111" }, true],
    ] as const)
        it(`${isWarned ? "warns" : "does not warn"} of a service that ${what} the marker`, async () => {
            const process = machine.start();
            const made = process.create({ ...inputs, waitForReady: true });
            while (machine.ids.length === 0) await machine.clock.advance(100);
            if (metadata) machine.setMetadata(machine.ids[0] ?? "", metadata);
            assert.equal((await made).failed, undefined);
            assert.equal(process.said.join().includes("VG3032"), isWarned);
        });

    // Lost, late, hidden and never accepted, on one machine: "one machine, two faults and no acts" of tests/explore.
    const fates: [string, Fault, number][] = [
        ["finds the object of an HTTP 503", { ...post, kind: "status", status: 503, when: "after" }, 1],
        ["finds the object of an answer that is cut off", { ...post, kind: "truncate" }, 1],
        ["finds the object of an answer without it", { ...post, kind: "body", body: "noData" }, 1],
    ];
    for (const [what, fault, sent] of fates) {
        it(`S1: ${what}`, async () => {
            inject(fault);
            const process = machine.start();
            const made = await process.create(inputs);
            assert.deepEqual([machine.ids, posts()], [[made.id], sent]);
            assert.deepEqual(process.said, []);
        });
    }

    it("E1: asks for the stack's state only once it has reached the service: a state read for a create that has failed by then would be taken for another stack's", async () => {
        const asked: string[] = [];
        machine.state = (urn) => {
            asked.push(urn);
            return stateOf()(urn, "Content");
        };
        machine.core.inject({ kind: "status", status: 401 });
        assert.match(String(await machine.start().create(inputs).catch(String)), /VG1010/);
        assert.deepEqual(asked, []);
        machine.core.clearFaults();
        await machine.start().create(inputs);
        assert.deepEqual(asked, [urnOf("one")]);
    });

    describe("W12: whose answer is lost", () => {
        const add = (count: number, when: string) => {
            for (let index = 0; index < count; index++) machine.core.addContent({ title: `${when} ${index}` });
        };

        for (const [listOrder, pageMaximum, others] of [
            ["newest", 5, 250],
            ["oldest", 5, 250],
            ["oldest", 7, 250],
            ["newest", 50, 2_000],
            ["oldest", 50, 2_000],
            ["random", 50, 2_000],
            ["oldest", 7, 5_000],
        ] as const) {
            it(`S1: is found among ${others} objects in lists of ${pageMaximum} a page, ${listOrder} first`, async () => {
                machine = new Machine({ variants: { listOrder, pageMaximum } });
                add(others / 2, "Older");
                await machine.clock.advance(7_200_000);
                await machine.killedCreate((process) => process.create(inputs));
                add(others / 2, "Younger");
                const made = await machine.start().create(inputs);
                assert.deepEqual([made.failed, posts(), machine.ids.length], [undefined, 1, others + 1]);
            }).timeout(60_000);
        }

        it("W11: is found where the state is not born yet", async () => {
            await machine.killedCreate((process) => process.create(inputs));
            machine.lose();
            machine.core.setVariants({ pageMaximum: 5 });
            for (let index = 0; index < 40; index++) {
                await machine.clock.advance(3_600_000);
                machine.core.addContent({ title: `Other ${(index * 7) % 40}` });
            }
            machine.state = stateOf({ birth: "", lostPids: [1] });
            const made = await machine.start().create(inputs);
            assert.deepEqual([made.failed, posts(), machine.ids.length], [undefined, 1, 41]);
        });

        it("K13: is found beside 5,000 younger contents in a reading of the list for all that were lost", async () => {
            const names = Array.from({ length: 8 }, (_, index) => `film ${index}`);
            const create = (process: Process, title: string) =>
                process.create({ ...inputs, title }, { urn: urnOf(title) });
            const all = (process: Process) => Promise.all(names.map((name) => create(process, name)));
            machine.core.inject({ ...post, kind: "hang", when: "after" });
            await machine.cutOff(all);
            const ids = machine.ids;
            add(5_000, "Younger");
            machine.since();
            const made = await all(machine.start());
            assert.deepEqual(made.map(({ id }) => id).sort(), ids.sort());
            const starts = machine.core.requests.flatMap(({ query: { start } }) => start ?? []);
            const pages = new Set(starts).size;
            assert.ok(pages >= 50, `${pages} pages`);
            assert.ok(starts.length <= 2 * pages, `${starts.length} requests for ${pages} pages`);
        }).timeout(60_000);

        it("K14: is refused where the list ends in errors beyond a position, until the user decides; what needs no list goes on", async () => {
            await machine.killedCreate((process) => process.create(inputs));
            const [id = ""] = machine.ids;
            add(400, "Younger");
            machine.core.setVariants({ offsetMaximum: 300 });
            const process = machine.start();
            const refused = process.create(inputs);
            await assert.rejects(refused, /npx pulumi-videograph forget/);
            assert.equal((await process.create({ title: "Adopted", importId: machine.ids[1] })).id, machine.ids[1]);
            const made = await machine.start("first", { VIDEOGRAPH_UNRECORDED: id }).create(inputs);
            assert.deepEqual([made.id, posts()], [id, 1]);
        });

        it("K16, K17: are one object each in lists that are late, in no order and hours behind, whatever else has their titles, and are not ended by 429", async () => {
            machine = new Machine({
                variants: {
                    ...{ createdSkewMs: -6 * 3_600_000, listedAfterMs: 2_500 },
                    ...{ pageDefault: 3, pageMaximum: 7, overMaximum: "reject", listOrder: "unstable" },
                },
            });
            for (const path of ["other/test/film", "shop/prod/film", ...Array(8)]) {
                const { contentId } = machine.core.addContent({ title: "film" });
                const managed_by = `pulumi:${path}:11111111-22222222-33333333-0123456789ab`;
                if (path) machine.setMetadata(contentId, { managed_by });
            }
            const others = machine.core.contents();
            inject({ ...post, ...lost, title: "film", times: 3 });
            // The eighth create is let through.
            inject({ ...post, kind: "status", status: 429, title: "limited", times: 7 });
            const process = machine.start();
            const timeouts = { create: 3_600_000 };
            const create = (name: string, title = "film") =>
                process.create({ ...inputs, title }, { urn: urnOf(name), timeouts });
            const made = await Promise.all([create("one"), create("two"), create("three"), create("four", "limited")]);
            assert.ok(made.every(({ failed }) => failed === undefined));
            assert.deepEqual([new Set(made.map(({ id }) => id)).size, posts()], [4, 3 + 8]);
            assert.equal(machine.ids.length, others.length + 4);
            assert.deepEqual(machine.core.contents().slice(0, others.length), others);
        });

        it("ends with the time of its create, also under 429, and shows how far the search is", async () => {
            machine = new Machine({ variants: { listOrder: "oldest", pageMaximum: 5 } });
            add(250, "Older");
            inject({ ...post, kind: "reset", when: "after" });
            const limit = { method: "GET", path: "/contents", kind: "status", status: 429 } as const;
            const limited = machine.core.inject({ ...limit, where: () => posts() > 0 });
            const begin = machine.clock.elapsed;
            const process = machine.start();
            process.isEnding = true;
            const made = await process.create(inputs, { timeouts: { create: 20_000 } });
            // The answer to the POST is why there was a search at all.
            assert.match(made.failed ?? "", /unknown whether .*POST \/contents: .*VG5\d\d\d.*VG3002/);
            assert.equal(machine.clock.elapsed - begin, 20_000);
            process.kill();
            limited.remove();
            const next = machine.start();
            await next.create(inputs);
            assert.ok(next.rows.includes("searching: 200 objects read so far"), next.rows.join("\n"));
            assert.equal(posts(), 1);
        });
    });

    describe("W8: whose answer names an object that another create made", () => {
        const urn = urnOf("two");
        const source = () => machine.core.addContent({ title: "Source" }).contentId;
        /** The next answers to creates are about the object with this id. */
        const answerWith = (id: string, shown: object = {}, times = 1) => {
            const json = {
                status: "Success",
                code: 201,
                message: "",
                data: { contentId: id, status: "Ready", ...shown },
            };
            inject({ method: "POST", kind: "answer", status: 201, json, when: "after", times });
        };
        let process: Process;

        beforeEach(() => {
            process = machine.start();
        });

        it("a clip, and its source", async () => {
            const contentId = source();
            const [clip, host] = [{ urn: urnOf("two", "Clip") }, process.host("Clip")];
            answerWith(contentId);
            const made = await process.create({ title: "Clip", contentId, startTime: 0, endTime: 5 }, clip, host);
            assert.equal(made.failed, undefined);
            assert.deepEqual([machine.ids, posts()], [[contentId, made.id], 1]);
            await process.delete(made, clip, host);
            assert.deepEqual(machine.ids, [contentId]);
        });

        it("a content, and one of this run", async () => {
            const one = await process.create(inputs);
            answerWith(one.id.toUpperCase());
            const made = await process.create({ ...inputs, title: "Two" }, { urn });
            assert.deepEqual(machine.ids, [one.id, made.id]);
        });

        it("a content, and one of this run whose answer comes at the same moment", async () => {
            answerWith(fresh, {}, 2);
            const titles = ["one", "two"];
            const made = await Promise.all(
                titles.map((title) => process.create({ ...inputs, title }, { urn: urnOf(title) })),
            );
            assert.equal(new Set(made.map((one) => one.id)).size, 2);
        });

        const marker = "pulumi:other/prod/film:11111111-22222222-33333333-0123456789ab";
        const fresh = "5a3c1f0e-0000-4000-8000-000000000002";
        for (const [isAnswer, what, shown, where] of [
            [false, "of the state", {}, "state"],
            [false, "that the list showed before, with its title", { title: "One", metadata: [] }, "list"],
            [false, "that the list showed before, and of which nothing is shown", {}, "list"],
            [false, "with another marker", { title: "One", metadata: [{ key: "managed_by", value: marker }] }],
            [false, "with another title, and metadata without a marker", { title: "Source", metadata: [] }],
            [true, "with its title, and metadata without a marker", { title: "One", metadata: [] }],
            [true, "with another title, and no metadata", { title: "Uno" }],
            [true, "of which nothing is shown", {}],
        ] as const)
            it(`${isAnswer ? "believes" : "does not believe"} the answer that names one ${what}`, async () => {
                const id = where === "list" ? source() : fresh;
                machine.state = stateOf({ has: where === "state" ? [id] : [] });
                answerWith(id, shown);
                const made = await process.create(inputs, { urn });
                assert.equal(made.id === id, isAnswer);
                const before = where === "list" ? [id] : [];
                assert.deepEqual([machine.ids, posts()], [isAnswer ? machine.ids : [...before, made.id], 1]);
            });
    });

    // What the next run makes of such a record: law.test.ts.
    it("S1: gives up after two POSTs, and keeps the create in the state", async () => {
        inject({ ...post, kind: "reset" }, { ...post, kind: "lateAcceptance", ms: 80_000 });
        const row = await machine.start().create(inputs);
        assert.match(`${row.id} ${row.failed}`, /^unconfirmed-[0-9a-f]{12} .*VG3001/);
        assert.equal(posts(), 2);
    });

    it("S1, S8: of a request that is under way when the process has to end is kept in the state", async () => {
        inject({ ...post, kind: "hang", when: "after" });
        const process = machine.start();
        void machine.clock.sleep(2_000).then(() => process.answerNow());
        const row = await process.create(inputs);
        assert.match(`${row.id} ${row.failed}`, /^unconfirmed-[0-9a-f]{12} .*unknown whether/i);
        assert.ok(machine.clock.monotonic() < 5_000);
    });

    it("S1: is not sent again because a list is empty that showed objects before", async () => {
        await machine.start().create(inputs);
        const empty = { kind: "answer", status: 200, json: { success: true, data: [] } } as const;
        machine.core.inject({ ...empty, method: "GET", path: "/contents", where: () => posts() > 1 });
        inject({ ...post, ...lost });
        const row = await machine.start().create({ ...inputs, title: "Two" });
        assert.match(`${row.id} ${row.failed}`, /^unconfirmed-[0-9a-f]{12} .*VG3033.*VG3002/);
        assert.equal(posts(), 2);
    });

    it("S1: names the second object of a request that a proxy has repeated", async () => {
        const { core } = machine;
        const answer = core.handle.bind(core);
        core.handle = async (request) => {
            if (request.method !== "POST") return answer(request);
            await answer(request);
            inject({ ...post, ...lost });
            return answer(request);
        };
        const process = machine.start();
        const { id } = await process.create(inputs);
        const [copy = ""] = machine.ids.filter((one) => one !== id);
        assert.equal(machine.ids.length, 2);
        assert.match(process.said.join("\n"), new RegExp(`another ${copy} of this create.*VG3034`));
    });

    it("closes the entry of a refused create", async () => {
        inject({ ...post, kind: "status", status: 422 });
        await assert.rejects(machine.start().create(inputs), /422/);
        assert.equal(machine.files.size, 0);
    });

    it("S1: an object that is being deleted is not the object", async () => {
        inject({ ...post, kind: "reset", when: "after" });
        machine.core.onChange = () => {
            machine.core.onChange = () => undefined;
            machine.core.setContentStatus(machine.ids[0] ?? "", "Deleting");
        };
        const { id } = await machine.start().create(inputs);
        assert.deepEqual([machine.ids.indexOf(id), posts()], [1, 2]);
    });

    for (const [what, isRefused] of [
        ["an unwritable journal", () => true],
        ["a journal that takes no marker", (text: string) => text.includes('"marker"')],
    ] as const)
        it(`S1: ${what} is an error before anything is sent`, async () => {
            const process = machine.start();
            const { set } = machine.files;
            machine.files.set = (path, text) => {
                if (isRefused(text)) throw new Error("EROFS: read-only file system");
                return set.call(machine.files, path, text);
            };
            await assert.rejects(process.create(inputs), /EROFS.*VIDEOGRAPH_JOURNAL_DIR/);
            assert.equal(posts(), 0);
        });

    describe("after a killed run", () => {
        /** A run that is killed when the answer is due, before the engine has it. */
        const killed = async () => {
            let made: Made | undefined;
            await machine.killedCreate(async (process) => (made = await process.create(inputs)), "at its answer");
            machine.state = stateOf({ lostPids: [1] });
            return made ?? assert.fail();
        };

        it("S1: waits for a process that is still at it, and no longer than it lives", async () => {
            const process = machine.start();
            process.isEnding = true;
            await process.create(inputs);
            machine.state = stateOf({ lostPids: [1] });
            const start = machine.clock.elapsed;
            void machine.clock.sleep(5_000).then(() => process.kill());
            await machine.start().create(inputs);
            assert.equal(posts(), 1);
            assert.ok(machine.clock.elapsed - start >= 5_000);
        });

        it("S1: leaves the entry of a process that is at it for longer than anybody waits", async () => {
            const process = machine.start();
            process.isEnding = true;
            const { id } = await process.create(inputs);
            assert.equal((await machine.start().create(inputs)).id, id);
            assert.equal(openEntriesIn(machine.files.values()).length, 1);
        });

        it("S9: whose object a refresh of a row without a marker has put into the state, nothing is deleted after the state gave it away", async () => {
            const { id, outputs } = await killed();
            const __meta = { ...(outputs.__meta as Properties), mark: undefined };
            await machine.start().read({ id, outputs: { __meta } });
            assert.equal(machine.files.size, 0);
            machine.state = stateOf();
            const second = await machine.start().create(other);
            assert.deepEqual(machine.ids, [id, second.id]);
        });

        it("S9: whose object, of which the service shows no marker, an adoption has put into the state, its entry is gone", async () => {
            const { id } = await killed();
            machine.setMetadata(id, {});
            await machine.start().create({ ...inputs, importId: id });
            assert.equal(machine.files.size, 0);
        });

        for (const [what, next] of [
            ["is decided by the user, where the program has not imported it after all", inputs],
            ["is not deleted, where another stack has it now", other],
        ] as const)
            it(`S9: whose object an import has read, perhaps for a preview, ${what}`, async () => {
                const made = await killed();
                const { id } = made;
                const importing = machine.start();
                const request = { id, urn: urnOf("one"), timeouts: {}, isImport: true };
                await machine.run(importing.content.find(request));
                await importing.diff(made, inputs);
                // The pending operation is cleared.
                machine.state = stateOf();
                const create = machine.start().create(next);
                await assert.rejects(create, new RegExp(`${id}.*VIDEOGRAPH_UNRECORDED=${id}`, "s"));
                assert.deepEqual([machine.ids, machine.files.size], [[id], 1]);
                // Once a state shows it, the create has ended.
                await machine.start().diff(made, inputs);
                assert.equal(machine.files.size, 0);
            });

        it("S1: an update that repeats a create without checkpoints, from a hook, leaves its entry", async () => {
            machine.skipsCheckpoints = true;
            const process = machine.start();
            inject({ method: "GET", path: "/contents/*", kind: "status", status: 400, times: 99 });
            const made = await process.create({ ...inputs, waitForReady: true }, { timeouts: { create: 60_000 } });
            assert.ok(made.failed);
            machine.core.clearFaults();
            await process.update(made, inputs);
            assert.equal(machine.files.size, 1);
        });
    });
});
