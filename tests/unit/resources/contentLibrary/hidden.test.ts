/** A library in a copy of the state without secrets, as the preview of a pull request has it: what is recorded of its entries may be hidden. */
import assert from "node:assert/strict";
import { unknownValue } from "../../../../provider/dist/inputs/values.js";
import { Machine, type Made, type Properties, urnOf } from "../../../support/machine.ts";

const urn = urnOf("films", "ContentLibrary");
const video = (title: string) => ({ title, content: [{ url: `https://media.example.com/${title}.mp4?signature=1` }] });
const before = { contents: { ash: video("Ash"), ice: video("Ice"), oak: video("Oak") } };

describe("a library whose record a copy of the state hides", () => {
    let machine: Machine;
    let shown: Made;
    let hidden: Made;

    beforeEach(async () => {
        machine = new Machine();
        const process = machine.start();
        const made = await process.create(before, { urn }, process.host("ContentLibrary"));
        process.kill();
        shown = made;
        hidden = { ...made, outputs: { ...made.outputs, __entries: "[hidden]" } };
        machine.since();
    });

    /** What a preview says of the library. */
    async function previewed(news: Properties, recorded = hidden) {
        const process = machine.start();
        const difference = await process.diff(recorded, news, { urn }, process.host("ContentLibrary"));
        return { difference, said: process.said.join("\n") };
    }

    it("is previewed: its keys say what comes and goes, and nothing is said to be replaced that nobody can compare", async () => {
        const news = { contents: { ash: video("Ash"), ice: video("Ice 2"), rain: video("Rain") }, release: [] };
        const { difference, said } = await previewed(news);
        assert.equal(difference.kind, "update");
        const summary =
            "Contents of the library: 2 that may change, because the state hides their record (ash, ice), 1 to delete (oak), 1 to create (rain). [VG2034]";
        assert.ok(said.includes(summary), said);
        assert.doesNotMatch(said, /VG4061/);
        const released = await previewed({ ...news, release: ["oak"] });
        assert.match(released.said, /1 to release \(oak\)/);
        // A guard against too many deletions counts those that are sure.
        await assert.rejects(previewed({ ...news, maxDeletes: 0 }), /VG2035/);
    });

    it("is previewed where the program declares an entry by a value that is not known yet: it may differ in all its inputs", async () => {
        const news = { contents: { ...before.contents, ice: unknownValue, rain: unknownValue } };
        const { said } = await previewed(news, shown);
        const changes = "1 to replace only if a value differs that is not known yet (ice), 1 to create (rain)";
        assert.ok(said.includes(`Contents of the library: ${changes}. [VG2034]`), said);
        assert.doesNotMatch(said, /VG2024|VG4061/);
    });

    it("is neither updated nor read nor deleted: each would take its videos for others", async () => {
        const process = machine.start();
        const host = process.host("ContentLibrary");
        const broken = /broken at __entries.*VG2056/;
        await assert.rejects(process.update(hidden, before, { urn }, host), broken);
        await assert.rejects(process.read(hidden, { urn }, host), broken);
        await assert.rejects(process.delete(hidden, { urn }, host), broken);
        assert.deepEqual([machine.ids.length, machine.since()], [3, []]);
    });
});
