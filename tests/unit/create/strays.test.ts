/** Objects that were made for a resource and that no witness names any more: what is unknown is refused, and never doubled (S1, S9). */
import assert from "node:assert/strict";
import { recordedEntriesOf } from "../../../provider/dist/evidence/library.js";
import { Machine, type Made, type Properties, stateOf, urnOf } from "../../support/machine.ts";

const inputs = { title: "One", content: [{ url: "https://media.example.com/a.mp4" }] };
const stream = { title: "One", region: "us-east-1" };
const hour = 3_600_000;

const kinds = [
    ["Content", inputs],
    ["Livestream", stream],
] as const;

for (const [kind, declared] of kinds)
    describe(`a ${kind} that was made for a resource whose state does not have it`, () => {
        const urn = urnOf("one", kind);
        let machine: Machine;
        const posts = () => machine.core.requests.filter(({ method }) => method === "POST").length;
        const objects = () => [...machine.core.contents(), ...machine.core.livestreams()].length;
        const start = (word = "") => machine.start("first", { VIDEOGRAPH_UNRECORDED: word });
        const create = (process = start(), of: Properties = declared) =>
            process.create(of, { urn }, process.host(kind));

        /** A create of a machine that is lost. Its operation stays in the state. */
        async function lostCreate(): Promise<string> {
            const path = kind === "Content" ? "/contents" : "/livestreams";
            const fate = { kind: "reset", when: "after", path } as const;
            const id = await machine.killedCreate((killed) => create(killed), "after its POST", fate);
            machine.lose();
            await machine.clock.advance(120_000);
            return id;
        }

        beforeEach(() => {
            machine = new Machine();
        });

        it("E1: is refused with its id where the own state cannot be read, and each way out leaves what it says", async () => {
            const id = await lostCreate();
            machine.state = undefined;
            const ways = `${id}.*VIDEOGRAPH_UNRECORDED=${id} .*VIDEOGRAPH_UNRECORDED=-${id} .*VG3039`;
            await assert.rejects(create(), new RegExp(ways, "s"));
            assert.equal((await create(start(id))).id, id);
            assert.deepEqual([posts(), objects()], [1, 1]);
            await create(start(`-${id}`));
            assert.deepEqual([posts(), objects()], [2, 2]);
        });

        it("E1: a first create is made where the own state cannot be read, and nothing is waited for", async () => {
            machine.core.addContent({ title: "One" });
            machine.state = undefined;
            const { elapsed } = machine.clock;
            await create();
            assert.deepEqual([posts(), machine.clock.elapsed - elapsed < 5_000], [1, true]);
        });

        it("E1: is refused also where the list shows it only after the attempts at the state have begun", async () => {
            const id = await lostCreate();
            machine.state = undefined;
            machine.readingMs = 120_000;
            const [{ handle }, until] = [machine.core, machine.clock.now() + 20_000];
            machine.core.handle = async function (request) {
                const reply = await handle.call(this, request);
                const isList = /(contents|livestreams)(\?|$)/.test(request.url);
                if (!isList || request.method !== "GET" || machine.clock.now() > until) return reply;
                return { ...reply, body: JSON.stringify({ ...JSON.parse(String(reply.body)), data: [] }) };
            };
            await assert.rejects(create(), new RegExp(`${id}.*VG3039`, "s"));
            assert.equal(posts(), 1);
        });

        it("A7: is refused where the state of an hour ago names a create that a later run has resolved", async () => {
            const id = await lostCreate();
            const killed = { lostPids: [1], urns: [urn] };
            machine.state = stateOf(killed);
            assert.equal((await create()).id, id);
            machine.lose();
            await machine.clock.advance(hour);
            const { elapsed } = machine.clock;
            await assert.rejects(create(), new RegExp(`${id}.*VG3017`, "s"));
            assert.deepEqual([posts(), machine.clock.elapsed - elapsed < 5_000], [1, true]);
            // What the user leaves alone is not asked about again, also by a create that finds another operation.
            const { outputs } = await create(start(`-${id}`));
            const { handled = [] } = outputs.__meta as { handled?: string[] };
            assert.deepEqual([posts(), handled.length], [2, 2]);
        });

        it("A4: is found where the clock of the machine that began the stack was hours ahead of the service's", async () => {
            const id = await lostCreate();
            for (let index = 0; index < 150; index++) {
                await machine.clock.advance(1_000);
                machine.core.addContent({ title: `Other ${index}` });
            }
            const birth = new Date(machine.clock.now() + 5 * hour).toISOString();
            machine.state = stateOf({ birth, lostPids: [1], urns: [urn] });
            assert.equal((await create()).id, id);
        });

        it("is left alone where it was replaced, and deleted since, although the service still shows it", async () => {
            const { handle } = machine.core;
            machine.core.handle = function (request) {
                const { method } = request;
                return handle.call(this, method === "DELETE" ? { ...request, method: "GET" } : request);
            };
            const [another, third] = ["us-west-1", "ap-south-1"].map((region) =>
                kind === "Content" ? { ...declared, content: [{ url: `https://${region}` }] } : { ...declared, region },
            );
            const process = start();
            const host = process.host(kind);
            const made = await create(process);
            await process.diff(made, another ?? {}, { urn }, host);
            const replaced = await create(process, another);
            await process.delete(made, { urn }, host);
            machine.lose();
            // A create that was killed as soon as the engine had noted it.
            machine.state = stateOf({ lostPids: [9], settled: replaced.outputs, has: [replaced.id], urns: [urn] });
            const next = start();
            await next.diff(replaced, third ?? {}, { urn }, next.host(kind));
            assert.equal((await create(next, third)).failed, undefined);
            assert.equal(objects(), 3);
        });

        it("A1: is kept by the delete of a record whose object this very resource has adopted since, in another process", async () => {
            const native = machine.start();
            const made = await create(native);
            const adopting = machine.start();
            machine.state = stateOf();
            // The state's record is of another provider: its removal would delete the object.
            const held = "urn:pulumi:dev::shop::videograph:index:Content::one";
            machine.state = stateOf({ elsewhere: { [made.id]: held } });
            const { content: _, ...known } = declared as Properties & { content?: unknown };
            const adopted = { ...known, importId: made.id };
            await assert.rejects(
                create(adopting, adopted),
                new RegExp(`${made.id}.*pulumi state delete '${held}'.*VG6012`),
            );
            machine.state = stateOf();
            await create(machine.start(), adopted);
            await native.delete(made, { urn }, native.host(kind));
            assert.match(native.said.join(), /was not deleted, only its record: .*shop\/dev\/one.*VG6009/);
            assert.equal(objects(), 1);
        });
    });

describe("a library whose update was lost with its machine", () => {
    const urn = urnOf("films", "ContentLibrary");
    let machine: Machine;
    let library: Made;
    const film = (title: string) => ({ title, content: [{ url: `https://media.example.com/${title}.mp4` }] });
    const filmsOf = (...keys: string[]) => ({ contents: Object.fromEntries(keys.map((key) => [key, film(key)])) });
    const idsIn = ({ outputs }: Made) => recordedEntriesOf(outputs).map(([, id]) => id);
    const start = (word = "") => machine.start("first", { VIDEOGRAPH_UNRECORDED: word });

    async function update(news: Properties, process = start(), of = library): Promise<Made> {
        const host = process.host("ContentLibrary");
        await process.diff(of, news, { urn }, host);
        const made = await process.update(of, news, { urn }, host);
        machine.lose();
        machine.state = stateOf({ has: idsIn(made) });
        return made;
    }

    for (const listMetadata of [true, false])
        describe(`where lists show ${listMetadata ? "" : "no "}metadata`, () => {
            beforeEach(async () => {
                machine = new Machine({ variants: { listMetadata } });
                const process = start();
                library = await process.create(filmsOf("one"), { urn }, process.host("ContentLibrary"));
                machine.lose();
                machine.state = stateOf({ has: idsIn(library) });
                await machine.clock.advance(3 * hour);
                // Its answer is lost with the machine.
                await update(filmsOf("one", "two", "three"));
                machine.state = stateOf({ has: idsIn(library) });
                assert.equal(machine.ids.length, 3);
            });

            it("A2: is refused each night, with all ids, until the user answers; a refused run changes nothing that counts", async () => {
                for (const night of [1, 2, 3, 4]) {
                    library = await update(filmsOf("one", "two", "three", `night-${night}`));
                    for (const id of machine.ids.slice(1, 3)) assert.ok(library.failed?.includes(id), `night ${night}`);
                    assert.match(library.failed ?? "", /all:films.*VG3036/s);
                    await machine.clock.advance(24 * hour);
                }
                const all = ["one", "two", "three", "night-1", "night-2", "night-3", "night-4"];
                library = await update(filmsOf(...all), start("all:films"));
                assert.deepEqual([library.failed, machine.ids.length, idsIn(library).length], [undefined, 7, 7]);
            });

            it("A3: is refused also where a title has changed since, in the program and on the service", async () => {
                const { contents } = filmsOf("one", "three");
                machine.change(machine.ids[2] ?? "", { title: "Somebody's title" });
                const retitled = { contents: { ...contents, two: film("Another title") } };
                const { failed } = await update(retitled);
                for (const id of machine.ids.slice(1)) assert.ok(failed?.includes(id));
                assert.equal(machine.ids.length, 3);
            });

            it("A4: is refused also where the service's clock is hours behind this machine's", async () => {
                for (const id of machine.ids)
                    machine.change(id, { createdOn: (machine.core.content(id)?.createdOn ?? 0) - 5 * hour });
                const process = start();
                library = await process.update(
                    {
                        ...library,
                        outputs: {
                            ...library.outputs,
                            __meta: {
                                ...(library.outputs.__meta as object),
                                newest: machine.core.content(machine.ids[0] ?? "")?.createdOn,
                            },
                        },
                    },
                    filmsOf("one", "two", "three"),
                    { urn },
                    process.host("ContentLibrary"),
                );
                assert.match(library.failed ?? "", /VG3017/);
                assert.equal(machine.ids.length, 3);
            });

            it("is found by a key that is declared later only, however many updates come before", async () => {
                library = await update(filmsOf("one", "other"));
                await machine.clock.advance(24 * hour);
                library = await update(filmsOf("one", "other", "more"));
                await machine.clock.advance(24 * hour);
                const { failed } = await update(filmsOf("one", "other", "more", "two"));
                assert.ok(failed?.includes(machine.ids[1] ?? "-"), failed);
            });

            it("E1: is refused also where the own state cannot be read", async () => {
                machine.state = undefined;
                const { failed } = await update(filmsOf("one", "two", "three"));
                assert.match(failed ?? "", /VG3039/);
                assert.equal(machine.ids.length, 3);
            });
        });

    it("has left it for a resource whose adoption was refused, and is declared again", async () => {
        machine = new Machine();
        const process = start();
        library = await process.create(filmsOf("one", "two"), { urn }, process.host("ContentLibrary"));
        machine.lose();
        machine.state = stateOf({ has: idsIn(library) });
        await machine.clock.advance(100 * hour);
        library = await update(filmsOf("one", "two", "three"));
        const [, two = ""] = machine.ids;
        await machine.clock.advance(100 * hour);
        const splitting = start();
        splitting.session.claims.claimAdopted(two, urnOf("other", "Content"));
        library = await update(filmsOf("one", "three"), splitting);
        assert.match(splitting.said.join(), /VG3013/);
        const undone = await update(filmsOf("one", "two", "three"));
        assert.ok(undone.failed?.includes(two), undone.failed);
        assert.equal(machine.ids.length, 3);
        library = await update(filmsOf("one", "two", "three"), start("all:films"));
        assert.deepEqual([library.failed, machine.ids.length, idsIn(library).length], [undefined, 3, 3]);
    });

    it("E1: and a new library asks the list once for all entries", async () => {
        machine = new Machine();
        machine.state = undefined;
        const lost = start();
        await lost.create(filmsOf("one", "two"), { urn }, lost.host("ContentLibrary"));
        lost.kill();
        machine.lose();
        machine.since();
        const process = start();
        const { failed } = await process.create(
            filmsOf("one", "two", "three"),
            { urn },
            process.host("ContentLibrary"),
        );
        for (const id of machine.ids.slice(0, 2)) assert.ok(failed?.includes(id));
        assert.equal(machine.ids.length, 3);
        // Before the attempts at the state, and after them.
        assert.equal(machine.since().filter((request) => request === "GET /contents").length, 2);
    });

    describe("whose entry ended in doubt", () => {
        /** The POST is lost, and the list cannot be read until the time is over. */
        async function inDoubt(when: "before" | "after"): Promise<void> {
            const posts = () => machine.core.requests.filter(({ method }) => method === "POST").length;
            const before = posts();
            machine.core.inject({ method: "POST", path: "/contents", kind: "reset", when, times: 1 });
            const lists = { method: "GET", path: "/contents", kind: "status", status: 503 } as const;
            machine.core.inject({ ...lists, where: () => posts() > before });
            library = await update(filmsOf("one", "two"));
            machine.core.clearFaults();
            assert.match(library.failed ?? "", /VG3002/);
            machine.state = stateOf({ has: idsIn(library) });
        }

        beforeEach(async () => {
            machine = new Machine();
            const process = start();
            library = await process.create(filmsOf("one", "two"), { urn }, process.host("ContentLibrary"));
            library = await update({ ...filmsOf("one"), release: ["two"] });
        });

        it("makes its own object beside one that it has released", async () => {
            const [, released = ""] = machine.ids;
            await inDoubt("before");
            library = await update(filmsOf("one", "two"));
            assert.equal(library.failed, undefined);
            assert.ok(machine.ids.includes(released) && !idsIn(library).includes(released));
            assert.equal(machine.ids.length, 3);
        });

        it("releases what it has adopted since, and deletes nothing with the record of the doubt", async () => {
            await inDoubt("after");
            const [adopted = ""] = machine.ids.slice(-1);
            machine.core.inject({ method: "PUT", path: "/contents/*", kind: "status", status: 422 });
            library = await update(filmsOf("one", "two"));
            machine.core.clearFaults();
            assert.match(library.failed ?? "", /422/);
            library = await update({ ...filmsOf("one"), release: ["two"] });
            assert.ok(machine.ids.includes(adopted));
        });
    });

    it("is adopted by the journal of this machine, although its title has changed on the service", async () => {
        machine = new Machine();
        await machine.killedCreate((killed) => killed.create(filmsOf("one"), { urn }, killed.host("ContentLibrary")));
        const [id = ""] = machine.ids;
        machine.change(id, { title: "Somebody's title" });
        machine.state = stateOf({ lostPids: [1], urns: [urn] });
        const process = start();
        library = await process.create(filmsOf("one"), { urn }, process.host("ContentLibrary"));
        assert.deepEqual([library.failed, idsIn(library), machine.ids], [undefined, [id], [id]]);
    });

    it("A8: makes its own object for a key whose object it has deleted, although the service still shows that one", async () => {
        machine = new Machine();
        const process = start();
        library = await process.create(filmsOf("one", "two"), { urn }, process.host("ContentLibrary"));
        const [, second = ""] = idsIn(library);
        const { handle } = machine.core;
        machine.core.handle = function (request) {
            return request.method === "DELETE"
                ? handle.call(this, { ...request, method: "GET" })
                : handle.call(this, request);
        };
        library = await update(filmsOf("one"));
        assert.ok(machine.ids.includes(second));
        library = await update(filmsOf("one", "two"));
        assert.equal(library.failed, undefined);
        assert.ok(!idsIn(library).includes(second));
    });
});

describe("a read soon after an own PUT (A5)", () => {
    let machine: Machine;
    const behindMs = 20_000;

    /** Reads of one object come from a replica that is behind for a while. */
    function freeze(id: string): void {
        const { core, clock } = machine;
        const old = structuredClone(core.content(id) ?? core.livestream(id));
        const until = clock.now() + behindMs;
        const { handle } = core;
        core.handle = async function (request) {
            const reply = await handle.call(this, request);
            if (request.method !== "GET" || !request.url.endsWith(id) || clock.now() > until || !old) return reply;
            const answer = JSON.parse(String(reply.body));
            const { title, tags, metadata } = old as never as Record<string, unknown>;
            return { ...reply, body: JSON.stringify({ ...answer, data: { ...answer.data, title, tags, metadata } }) };
        };
    }

    beforeEach(() => {
        machine = new Machine();
    });

    for (const [kind, declared] of kinds) {
        const call = { urn: urnOf("one", kind) };
        it(`does not put the old title of a ${kind} back, nor show it as drift`, async () => {
            const process = machine.start();
            const host = process.host(kind);
            let made = await process.create(declared, call, host);
            freeze(made.id);
            made = await process.update(made, { ...declared, title: "Two" }, call, host);
            made = await process.update(made, { ...declared, title: "Two", tags: ["new"] }, call, host);
            const { title } = machine.core.content(made.id) ?? machine.core.livestream(made.id) ?? {};
            assert.equal(title, "Two");
            freeze(made.id);
            made = await process.update(made, { ...declared, title: "Three", tags: ["new"] }, call, host);
            assert.equal((await process.read(made, call, host))?.outputs.title, "Three");
        });

        it(`does not take a ${kind} that was just adopted for another owner's`, async () => {
            const { contentId } = machine.core.addContent({ title: "One" });
            const { streamUUID } = machine.core.addLivestream({ title: "One" });
            const id = kind === "Content" ? contentId : streamUUID;
            machine.setMetadata(id, { managed_by: "pulumi:shop/prod/theirs:11111111-22222222-33333333-ba9876543210" });
            const process = machine.start("first", { VIDEOGRAPH_UNRECORDED: id });
            const host = process.host(kind);
            freeze(id);
            const adopted = await process.create({ title: "Two", importId: id }, call, host);
            const later = machine.start();
            const updated = await later.update(adopted, { title: "Three", importId: id }, call, later.host(kind));
            assert.equal(updated.failed, undefined);
            freeze(id);
            await later.delete(updated, call, later.host(kind));
            assert.deepEqual([machine.core.contents().length + machine.core.livestreams().length], [1]);
        });
    }
});
