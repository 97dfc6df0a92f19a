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
        const urn = urnOf("one", kind);
        it(`W14: a ${kind} is neither changed nor deleted, and the row names the new owner; the user's word lets it be changed`, async () => {
            const inputs = inputsOf();
            const news = { ...inputs, title: "Two" };
            const first = machine.start();
            const made = await first.create(inputs, { urn }, first.host(kind));
            const { id, outputs: olds } = made;
            first.kill();
            setMarker(id, theirs);
            machine.since();

            const second = machine.start();
            const host = second.host(kind);
            const update = host.update({ urn, timeouts: {}, id, olds, news });
            await assert.rejects(machine.run(update), /shop\/prod\/theirs .*VIDEOGRAPH_UNRECORDED=.*VG6010/);
            await machine.run(host.read({ urn, timeouts: {}, id, olds }));
            assert.match(second.said.join("\n"), /shop\/prod\/theirs.*VG6010/);
            await second.delete(made, { urn }, host);
            assert.match(second.said.join("\n"), /was not deleted.*shop\/prod\/theirs.*VG6009/);
            assert.deepEqual([writes(), markerOf(id)], [[], theirs]);

            const third = machine.start("first", { VIDEOGRAPH_UNRECORDED: id });
            const outputs = await machine.run(third.host(kind).update({ urn, timeouts: {}, id, olds, news }));
            assert.deepEqual([markerOf(id), outputs.title], [markOf({ outputs }), "Two"]);
            assert.notEqual(markOf({ outputs }), theirs);
            setMarker(id, theirs);
            machine.since();
            await third.delete({ id, outputs }, { urn }, third.host(kind));
            assert.deepEqual(writes(), []);
        });

        it(`W14: a ${kind} that was imported at the user's word shows this owner from its first update on`, async () => {
            const process = machine.start();
            const inputs = inputsOf();
            const { id, outputs } = await process.create(inputs, { urn }, process.host(kind));
            setMarker(id, theirs);
            const olds = { ...outputs, __meta: { ...(outputs.__meta as Properties), mark: theirs, imported: true } };
            const change = { urn, timeouts: {}, id, olds, news: { ...inputs, title: "Two" } };
            const updated = await machine.run(process.host(kind).update(change));
            assert.match(markerOf(id) ?? "", /^pulumi:shop\/dev\/one:/);
            assert.equal(markOf({ outputs: updated }), markerOf(id));
        });
    }

    const urn = urnOf("films", "ContentLibrary");
    const film = (title: string) => ({ title, content: source });

    async function library(keys: readonly string[]): Promise<Made> {
        machine.state = stateOf();
        const process = machine.start();
        const contents = Object.fromEntries(keys.map((key) => [key, film(key)]));
        const host = process.host("ContentLibrary");
        const made = await process.create({ contents }, { urn }, host);
        assert.equal(made.failed, undefined);
        process.kill();
        machine.since();
        return made;
    }
    const idOf = ({ outputs }: Made, key: string) =>
        String((outputs.contents as Record<string, { contentId: string }>)[key]?.contentId);

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
            const news = { contents: { stays: film("stays") } };
            const change = { urn, timeouts: {}, id: made.id, olds: made.outputs, news };
            const update = () => process.host("ContentLibrary").update(change);
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
            const keys = Array.from({ length: 12 }, (_, index) => `film-${index}`);
            const made = await library(keys);
            const [gone, changed, kept] = [idOf(made, "film-0"), idOf(made, "film-1"), idOf(made, "film-2")];
            for (const id of [gone, changed]) setMarker(id, theirs);
            const process = machine.start();
            const host = process.host("ContentLibrary");
            const contents = Object.fromEntries(keys.slice(1).map((key) => [key, film(key)]));
            const change = (news: Properties) =>
                machine.run(host.update({ urn, timeouts: {}, id: made.id, olds, news }));
            let olds = made.outputs;
            const titled = { contents: { ...contents, "film-1": film("Two") } };
            await assert.rejects(change(titled), /film-1: .*shop\/prod\/theirs.*VG6010/s);
            assert.deepEqual(writes(), []);
            olds = await change({ contents });
            assert.match(process.said.join("\n"), new RegExp(`${gone} was not deleted.*VG6009`));
            assert.ok(machine.ids.includes(gone) && !idOf({ id: "", outputs: olds }, "film-0").includes(gone));
            assert.deepEqual(writes(), []);

            await machine.run(host.delete({ urn, timeouts: {}, id: made.id, olds }));
            assert.match(process.said.join("\n"), new RegExp(`${changed} was not deleted.*VG6009`));
            assert.deepEqual(machine.ids, [gone, changed]);
            const requests = machine.since();
            assert.ok(!requests.includes(`DELETE /contents/${changed}`));
            assert.ok(requests.includes(`GET /contents/${kept}`));
        });
    }

    it("W14: an entry of a library that the program releases stays, and only its record goes", async () => {
        const keys = Array.from({ length: 12 }, (_, index) => `film-${index}`);
        const made = await library(keys);
        const process = machine.start();
        const host = process.host("ContentLibrary");
        const kept = { contents: { "film-11": film("film-11") }, release: keys };
        const { kind } = await host.diff({ urn, id: made.id, olds: made.outputs, news: kept });
        const update = host.update({ urn, timeouts: {}, id: made.id, olds: made.outputs, news: kept });
        const outputs = await machine.run(update);
        assert.match(process.said.join("\n"), /Contents of the library: 11 released \(film-0, /);
        assert.deepEqual(
            [kind, Object.keys(outputs.contents as object), machine.ids.length],
            ["update", ["film-11"], 12],
        );
        assert.deepEqual(writes(), []);
    });
});
