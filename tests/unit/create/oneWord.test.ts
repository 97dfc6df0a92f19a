/** One word of the user answers for all objects of a resource, however many there are and whatever its name is. */
import assert from "node:assert/strict";
import { Machine, type Made, type Properties, stateOf, urnOf } from "../../support/machine.ts";

const video = (title: string, file = "a") => ({ title, content: [{ url: `https://media.example.com/${file}.mp4` }] });
const first = video("Harbour at night");
const filmsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`film-${index}`, video(`Film ${index}`)]));

/** The commands that a message advises. */
export function advised(text: string): { adopt: string; leave: string } {
    const [adopt = "", leave = ""] = [...text.matchAll(/`VIDEOGRAPH_UNRECORDED=(\S*all:\S+) pulumi up`/g)].map(
        ([command, word = ""]) => {
            assert.ok(command.length <= 200, `${command} has ${command.length} characters`);
            return word;
        },
    );
    return { adopt, leave };
}

describe("One word for all objects of a resource", () => {
    let machine: Machine;
    /** The lines of the last run. */
    let said: readonly string[];

    beforeEach(() => {
        machine = new Machine();
    });

    const start = (word: string) => machine.start("first", { VIDEOGRAPH_UNRECORDED: word });

    async function update(made: Made, contents: Properties, urn: string, word = ""): Promise<Made> {
        const process = start(word);
        const host = process.host("ContentLibrary");
        await process.diff(made, { contents }, { urn }, host);
        said = process.said;
        return process.update(made, { contents }, { urn }, host);
    }

    /** A library whose update made this many contents before its machine was lost; it is refused here. */
    async function refusedLibrary(count: number, name = "films") {
        const urn = urnOf(name, "ContentLibrary");
        machine.state = stateOf({ urns: [urn] });
        const process = start("");
        const library = await process.create({ contents: { first } }, { urn }, process.host("ContentLibrary"));
        machine.state = stateOf({ has: machine.ids, urns: [urn] });
        const contents = { first, ...filmsOf(count) };
        await update(library, contents, urn);
        machine.lose();
        machine.since();
        const { failed = "" } = await update(library, contents, urn);
        assert.equal(machine.ids.length, count + 1);
        assert.doesNotMatch(failed, /same command again/);
        machine.since();
        return {
            failed,
            urn,
            again: (word: string, more: object = {}) => update(library, { ...contents, ...more }, urn, word),
        };
    }

    for (const count of [2, 1_000])
        it(`adopts all ${count} contents that a killed update of a library has made, with few requests`, async () => {
            const { failed, again } = await refusedLibrary(count);
            const { adopt } = advised(failed);
            assert.equal(adopt, "all:films");
            const { failed: still } = await again(adopt);
            assert.deepEqual([still, machine.ids.length], [undefined, count + 1]);
            const requests = machine.since().length;
            assert.ok(requests <= 5 * count + 5, `${requests} requests`);
        });

    it("leaves all of them alone, and makes others", async () => {
        const { failed, again } = await refusedLibrary(200);
        const { leave } = advised(failed);
        const { failed: still } = await again(leave);
        assert.deepEqual([still, leave, machine.ids.length], [undefined, "-all:films", 401]);
        assert.ok(!machine.since().some((request) => request.startsWith("DELETE")));
        // Not a line for each.
        const lines = said.filter((line) => line.includes("VG3022"));
        assert.deepEqual([lines.length, lines.at(-1)?.startsWith("The same is true of 190 more")], [11, true]);
    });

    it("reads each object that a list of ids names once", async () => {
        const { again } = await refusedLibrary(200);
        const [, ...ids] = machine.ids;
        // Nothing is known of what this machine has made.
        const { failed } = await again(ids.join(), { more: video("More") });
        assert.deepEqual([failed, machine.ids.length], [undefined, 202]);
        const requests = machine.since().length;
        assert.ok(requests <= 5 * 201, `${requests} requests`);
    });

    for (const name of ["2026, the films", 'a "film"', "it's", "Filme für alle", "x".repeat(300), "-x"])
        it(`is short and without quotes for the name ${name.slice(0, 20)}`, async () => {
            const { failed, again } = await refusedLibrary(2, name);
            const { adopt } = advised(failed);
            assert.match(adopt, /^all:[\w.-]+$/);
            assert.deepEqual([(await again(adopt)).failed, machine.ids.length], [undefined, 3]);
        });

    it("answers for no other resource", async () => {
        const { again } = await refusedLibrary(2);
        assert.match((await again("all:others")).failed ?? "", /VG3017/);
        assert.equal(machine.ids.length, 3);
    });

    it("refuses still where two objects could be meant for one content, and adopts those of the others", async () => {
        const { again } = await refusedLibrary(3);
        const [, one = ""] = machine.ids;
        const title = String(machine.core.content(one)?.title);
        const twin = machine.core.addContent({ title }).contentId;
        machine.setMetadata(twin, machine.metadataOf(one));
        const { failed = "" } = await again("all:films");
        assert.match(failed, new RegExp(`1 of 3 .*${one}.*VG3017`, "s"));
        assert.ok(failed.includes(twin));
        const decided = await again(`all:films,${one}`);
        assert.deepEqual([decided.failed, machine.ids.length], [undefined, 5]);
    });

    it("takes what is named for itself before what is named with all", async () => {
        const { again } = await refusedLibrary(3);
        const [, one = "", two = ""] = machine.ids;
        assert.deepEqual([(await again(`all:films,-${one},-${two}`)).failed, machine.ids.length], [undefined, 6]);
    });

    it("adopts by importId all contents of a library that another stack has", async () => {
        const urn = urnOf("films", "ContentLibrary");
        const value = "pulumi:shop/staging/film:11111111-22222222-33333333-0123456789ab";
        const ids = Array.from({ length: 200 }, (_, index) => {
            const metadata = [{ key: "managed_by", value }];
            return machine.core.addContent({ title: `Film ${index}`, metadata }).contentId;
        });
        machine.state = stateOf({ urns: [urn] });
        const contents = Object.fromEntries(ids.map((importId, index) => [`film-${index}`, { importId }]));
        const create = (word: string) => {
            const process = start(word);
            return process.create({ contents }, { urn }, process.host("ContentLibrary"));
        };
        const { adopt, leave } = advised((await create("")).failed ?? "");
        assert.deepEqual([adopt, leave], ["all:films", ""]);
        machine.since();
        assert.equal((await create(adopt)).failed, undefined);
        const requests = machine.since().length;
        assert.ok(requests <= 5 * 200, `${requests} requests`);
    });

    for (const kind of ["ContentLibrary", "Content"] as const)
        it(`keeps what the other face adopts at this word, where its delete is shown the marker of before (${kind})`, async () => {
            const native = `urn:pulumi:dev::shop::videograph:index:${kind}::films`;
            machine.state = stateOf({ urns: [native] });
            const inputs = kind === "Content" ? first : { contents: { first, second: video("Ice") } };
            const call = { urn: native };
            const beginning = machine.start();
            const made = await beginning.create(inputs, call, beginning.host(kind));
            const before = machine.ids;
            // The program has the other face now, whose process adopts them; a replica that is behind shows the recorded markers.
            const process = start("all:films");
            await process.delete(made, call, process.host(kind));
            assert.deepEqual(machine.ids, before);
            assert.match(process.said.join(), /was not deleted.*VG3035/);
        });

    it("deletes what leaves a library in the run that adopts", async () => {
        const { urn, again } = await refusedLibrary(2);
        const made = await again("all:films");
        await update(made, { first, "film-0": video("Film 0") }, urn, "all:films");
        assert.equal(machine.ids.length, 2);
    });

    it("adopts the object of a single content", async () => {
        const inputs = video("One");
        await machine.killedCreate((killed) => killed.create(inputs));
        machine.state = stateOf({ birth: "2026-03-03T00:00:00.000000001Z" });
        await assert.rejects(start("all:two").create(inputs), /VG3016/);
        assert.equal((await start("all:one").create(inputs)).id, machine.ids[0]);
    });
});
