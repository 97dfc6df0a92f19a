/** Objects that changed hands: another stack has adopted what this one has in its state (W14). */
import assert from "node:assert/strict";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import { NativeResource } from "../../../provider/dist/native/resource.js";
import { Machine, type Made, type Properties, stateOf, urnOf } from "../../support/machine.ts";

const source = [{ url: "https://media.example.com/a.mp4" }];
const theirs = "pulumi:shop/prod/theirs:11111111-22222222-33333333-ba9876543210";
const markOf = ({ outputs }: { outputs: Properties }) => (outputs.__meta as Properties).mark;

describe("an object that another stack has adopted since (S9)", () => {
    let machine: Machine;

    beforeEach(() => {
        machine = new Machine();
    });

    const setMarker = (id: string, managed_by: string) => machine.setMetadata(id, { managed_by });
    const markerOf = (id: string) => machine.metadataOf(id).managed_by;
    const writes = () => machine.since().filter((request) => !request.startsWith("GET"));

    const clipped = () => machine.core.addContent({ title: "Source" }).contentId;
    const kinds = [
        ["Content", () => ({ title: "One", content: source })],
        ["Livestream", () => ({ title: "One", region: "us-east-1" })],
        ["Clip", () => ({ title: "One", startTime: 0, endTime: 5, contentId: clipped() })],
    ] as const;
    for (const [kind, inputsOf] of kinds) {
        const own = { urn: urnOf("one", kind) };
        it(`W14: a ${kind} is neither changed nor deleted, and the row names the new owner; the user's word lets it be changed`, async () => {
            const inputs = inputsOf();
            const news = { ...inputs, title: "Two" };
            const first = machine.start();
            const made = await first.create(inputs, own, first.host(kind));
            const { id } = made;
            first.kill();
            setMarker(id, theirs);
            machine.since();

            const second = machine.start();
            const host = second.host(kind);
            const update = second.update(made, news, own, host);
            await assert.rejects(update, /shop\/prod\/theirs .*VIDEOGRAPH_UNRECORDED=.*VG6010/);
            await second.read(made, own, host);
            assert.match(second.said.join("\n"), /shop\/prod\/theirs.*VG6010/);
            await second.delete(made, own, host);
            assert.match(second.said.join("\n"), /was not deleted.*shop\/prod\/theirs.*VG6009/);
            assert.deepEqual([writes(), markerOf(id)], [[], theirs]);

            const third = machine.start("first", { VIDEOGRAPH_UNRECORDED: id });
            const updated = await third.update(made, news, own, third.host(kind));
            assert.deepEqual([markerOf(id), updated.outputs.title], [markOf(updated), "Two"]);
            assert.notEqual(markOf(updated), theirs);
            setMarker(id, theirs);
            machine.since();
            await third.delete(updated, own, third.host(kind));
            assert.deepEqual(writes(), []);
        });

        it(`W14: a ${kind} that was imported at the user's word shows this owner from its first update on`, async () => {
            const process = machine.start();
            const inputs = inputsOf();
            const { id, outputs } = await process.create(inputs, own, process.host(kind));
            setMarker(id, theirs);
            const __meta = { ...(outputs.__meta as Properties), mark: theirs, imported: true };
            const imported = { id, outputs: { ...outputs, __meta } };
            const updated = await process.update(imported, { ...inputs, title: "Two" }, own, process.host(kind));
            assert.match(markerOf(id) ?? "", /^pulumi:shop\/dev\/one:/);
            assert.equal(markOf(updated), markerOf(id));
        });
    }

    it("S9: a stack with a copy of this one's state is another stack", async () => {
        const own = { urn: urnOf("one", "Content") };
        machine.state = stateOf();
        const process = machine.start();
        const made = await process.create({ title: "One", content: source }, own);
        const copied = String(markOf(made))
            .replace("/dev/", "/prod/")
            .replace(/[0-9a-f]{12}$/, "ba9876543210");
        setMarker(made.id, copied);
        machine.since();
        await process.delete(made, own);
        assert.match(process.said.join("\n"), /was not deleted.*shop\/prod\/one.*VG6009/);
        assert.deepEqual([writes(), markerOf(made.id)], [[], copied]);
    });

    it("S9: of two providers of a program that adopt one object, the one whose marker was lost neither changes nor deletes it", async () => {
        const { contentId: importId } = machine.core.addContent({ title: "Theirs" });
        machine.state = stateOf();
        // Neither process knows of the other, and no state has the object yet.
        const [one, other] = ["one", "other"].map((name) => ({ call: { urn: urnOf(name) }, process: machine.start() }));
        assert.ok(one && other);
        // Both have read it before either has written its marker.
        machine.core.inject({ kind: "latency", ms: 5_000, method: "PUT" });
        const [first, second] = await Promise.all([
            one.process.create({ title: "One", importId }, one.call),
            other.process.create({ title: "Other", importId }, other.call),
        ]);
        await machine.clock.advance(60_000);
        machine.since();
        const next = machine.start();
        const [loser, call] = markOf(first) === markerOf(importId) ? [second, other.call] : [first, one.call];
        await assert.rejects(next.update(loser, { title: "Again", importId }, call), /VG6010/);
        await next.delete(loser, call);
        assert.deepEqual([writes(), machine.ids], [[], [importId]]);
    });

    const films = { urn: urnOf("films", "ContentLibrary") };
    const film = (title: string) => ({ title, content: source });
    const filmsOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, film(key)]));
    const twelve = Array.from({ length: 12 }, (_, index) => `film-${index}`);

    async function library(keys: readonly string[]): Promise<Made> {
        machine.state = stateOf();
        const process = machine.start();
        const made = await process.create({ contents: filmsOf(keys) }, films, process.host("ContentLibrary"));
        assert.equal(made.failed, undefined);
        process.kill();
        machine.since();
        return made;
    }
    const entriesOf = ({ outputs }: Made) => outputs.contents as Record<string, { contentId: string }>;
    const idOf = (made: Made, key: string) => String(entriesOf(made)[key]?.contentId);

    /** The engine imports the object of an entry while the library's update removes that entry. */
    for (const [what, importLeads] of [
        ["an import that has begun", true],
        ["an import that begins while the object is read before its delete", false],
    ] as const) {
        it(`L8: an entry that leaves its library is kept by ${what}`, async () => {
            const made = await library(["moved", "stays"]);
            const moved = idOf(made, "moved");
            machine.core.inject({ path: `/contents/${moved}`, kind: "latency", ms: 500 });
            const process = machine.start("first", { VIDEOGRAPH_UNRECORDED: moved });
            const native = new NativeResource(process.session, "Content");
            const read = () => native.read(new providerProto.ReadRequest().setId(moved).setUrn(urnOf("moved")));
            const change = { ...films, timeouts: {}, id: made.id, olds: made.outputs };
            const news = { contents: filmsOf(["stays"]) };
            const update = () => process.host("ContentLibrary").update({ ...change, news });
            const [first, second] = importLeads ? [read, update] : [update, read];
            const begun = first();
            await machine.clock.advance(100);
            await machine.run(Promise.all([begun, second()]));
            assert.ok(machine.ids.includes(moved));
            assert.match(process.said.join("\n"), new RegExp(`${moved} was kept.*VG3013`));
        });
    }

    for (const listMetadata of [false, true]) {
        it(`W14: an entry of a library, where lists show ${listMetadata ? "" : "no "}metadata`, async () => {
            machine = new Machine({ variants: { listMetadata } });
            const made = await library(twelve);
            const [gone, changed, kept] = [idOf(made, "film-0"), idOf(made, "film-1"), idOf(made, "film-2")];
            for (const id of [gone, changed]) setMarker(id, theirs);
            const process = machine.start();
            const host = process.host("ContentLibrary");
            const contents = filmsOf(twelve.slice(1));
            const titled = { contents: { ...contents, "film-1": film("Two") } };
            const refused = await process.update(made, titled, films, host);
            assert.match(refused.failed ?? "", /film-1: .*shop\/prod\/theirs.*VG6010/s);
            assert.deepEqual(writes(), []);
            const left = await process.update(made, { contents }, films, host);
            assert.match(process.said.join("\n"), new RegExp(`${gone} was not deleted.*VG6009`));
            assert.ok(machine.ids.includes(gone) && !("film-0" in entriesOf(left)));
            assert.deepEqual(writes(), []);

            await process.delete(left, films, host);
            assert.match(process.said.join("\n"), new RegExp(`${changed} was not deleted.*VG6009`));
            assert.deepEqual(machine.ids, [gone, changed]);
            const requests = machine.since();
            assert.ok(!requests.includes(`DELETE /contents/${changed}`));
            assert.ok(requests.includes(`GET /contents/${kept}`));
        });
    }

    it("W14: an entry of a library that the program releases stays, and only its record goes", async () => {
        const made = await library(twelve);
        const process = machine.start();
        const host = process.host("ContentLibrary");
        const kept = { contents: filmsOf(["film-11"]), release: twelve };
        assert.equal((await process.diff(made, kept, films, host)).kind, "update");
        const updated = await process.update(made, kept, films, host);
        assert.match(process.said.join("\n"), /Contents of the library: 11 to release \(film-0, /);
        assert.deepEqual([Object.keys(entriesOf(updated)), machine.ids.length], [["film-11"], 12]);
        assert.deepEqual(writes(), []);
    });
});
