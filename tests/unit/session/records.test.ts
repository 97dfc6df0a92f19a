/**
 * What comes from outside, and people may edit: lines of the journal, records of a state, the engine's export, project files. Each field of each, missing and of every
 * other type: an error that names the place, or the documented fallback, and nothing is taken for something else. The fields are those of the schemas.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Schema } from "../../../provider/dist/definitions/definition.js";
import { Journal } from "../../../provider/dist/evidence/journal.js";
import { changeLine, entryLine } from "../../../provider/dist/evidence/journalFile.js";
import { pack } from "../../../provider/dist/evidence/library.js";
import { metaOf, recordedMeta } from "../../../provider/dist/inputs/recordedMeta.js";
import { type Properties, unknownValue } from "../../../provider/dist/inputs/values.js";
import { LifecycleError } from "../../../provider/dist/messages/index.js";
import { content } from "../../../provider/dist/resources/content.js";
import { libraryIn } from "../../../provider/dist/resources/contentLibrary/record.js";
import { livestream } from "../../../provider/dist/resources/livestream.js";
import { findProject, projectFile } from "../../../provider/dist/session/project.js";
import { parseExport, recordedOperation, recordedResource } from "../../../provider/dist/session/stackExport.js";
import { anyJson, changedForms } from "../../support/changedForms.ts";
import { Machine, urnOf } from "../../support/machine.ts";

/** The forms that the schema refuses. */
function* brokenForms(schema: Schema, value: Properties) {
    for (const form of changedForms(schema, value)) if (!form.isTaken) yield form;
}

const pattern = (path: string) => path.replace(/[.[\]]/g, "\\$&");

function refused(read: () => unknown, message: RegExp): void {
    assert.throws(read, (error) => error instanceof LifecycleError && message.test(error.message));
}

let folder: string;
beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "videograph-records-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a line of the journal", () => {
    const urn = "urn:pulumi:dev::videos::videograph:index:Content::trailer";
    const entry = {
        ...{ nonce: "0123456789ab", kind: "Content", urn, resourceDigest: "r", titleDigest: "t", inputsDigest: "i" },
        ...{ fingerprint: "f", startedAt: 1, writer: { pid: 1, host: "elsewhere", started: "s" } },
        ...{ marker: "m", birth: "b", id: "c1", adoptedNonce: "" },
    };
    let files = 0;
    async function journalOf(...lines: unknown[]): Promise<Journal> {
        const own = join(folder, String(files++));
        mkdirSync(own, { mode: 0o700 });
        const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
        writeFileSync(join(own, "0123456789ab.jsonl"), `\n${text}\n`);
        return new Journal({ folder: own });
    }
    const isRefused = async (journal: Journal) => {
        const named =
            /cannot be used \(line 2 of 0123456789ab\.jsonl is not as it was written\).*Undo the change.*VG3020/;
        await assert.rejects(journal.entries(), named);
        // Nothing is created without it.
        await assert.rejects(journal.open({ ...entry, nonce: "ba9876543210" }), named);
    };

    it("S1: with a field that is missing or of another type stops every create, by its file and number", async () => {
        const change = { nonce: entry.nonce, marker: "m", birth: "b", id: "c1", adoptedNonce: "", closed: true };
        const forms = [...brokenForms(entryLine, entry), ...brokenForms(changeLine, change)];
        assert.ok(forms.length > 150, String(forms.length));
        for (const { broken } of forms) await isRefused(await journalOf(broken));
        for (const other of [null, 1, [], "text", {}, { nonce: "n", other: 1 }])
            await isRefused(await journalOf(JSON.stringify(other)));
    });

    it("S1: counts once where it is there twice, or has a field twice, and not at all where it was cut off", async () => {
        const twice = JSON.stringify(entry).replace("{", '{"nonce":"other",');
        for (const lines of [[entry, entry], [twice], [entry, JSON.stringify(entry).slice(0, -9)]]) {
            const [only, ...more] = await (await journalOf(...lines)).entries();
            assert.deepEqual([only, more], [entry, []]);
        }
    });
});

describe("a record in the state", () => {
    const meta = {
        ...{ v: 1, fingerprint: "f", mark: "m", adoptedNonce: "a", imported: true, external: false, handled: ["h"] },
        ...{ unconfirmed: { titleDigest: "t", startedAt: 1 }, unseenSince: 1, putAt: 1 },
    };

    it("S1: of an object, with a field of another type, is refused by its place", () => {
        assert.deepEqual(metaOf({ __meta: meta }), meta);
        const forms = [...brokenForms(recordedMeta, meta)];
        assert.ok(forms.length > 60, String(forms.length));
        for (const { path, broken } of forms)
            refused(() => metaOf({ __meta: broken }), new RegExp(`broken at __meta\\.${pattern(path)}.*VG2056`));
        for (const other of ["text", 1, true, []])
            refused(() => metaOf({ __meta: other }), /broken at __meta: .*VG2056/);
    });

    it("with other values of any type is compared, read and updated all the same", async () => {
        const inputs = {
            Content: {
                title: "Film",
                content: [{ url: "https://media.test/a.mp4" }],
                metadata: { a: "b" },
                tags: ["a"],
            },
            Livestream: { title: "Live", region: "us-east-1" },
        };
        const machine = new Machine();
        for (const [kind, { definition }] of Object.entries({ Content: content, Livestream: livestream })) {
            const [urn, name] = [urnOf("film", kind), kind as keyof typeof inputs];
            const process = machine.start();
            const made = await process.create(inputs[name], { urn }, process.host(name));
            for (const property of Object.keys({ ...definition.inputs.shape, ...definition.outputs.shape }))
                for (const value of [
                    undefined,
                    5,
                    "constructor",
                    { a: 1 },
                    [null],
                    { toString: null, valueOf: null },
                ]) {
                    const one = { ...made, outputs: { ...made.outputs, [property]: value } };
                    const next = machine.start();
                    const host = next.host(name);
                    await next.diff(one, inputs[name], { urn }, host);
                    // A preview of a replacement says what ends.
                    const other = { ...inputs[name], playbackPolicy: ["signed"], __attempt: unknownValue };
                    await next.diff(one, other, { urn }, host);
                    await next.read(one, { urn }, host);
                    const { failed } = await next.update(one, { ...inputs[name], title: "New" }, { urn }, host);
                    assert.equal(failed, undefined, `${kind}.${property}: ${JSON.stringify(value)}`);
                    next.kill();
                }
        }
    });

    it("S1: of a library is never read as one without contents", () => {
        const object = ["film", "c1", meta];
        const library = { __meta: { v: 1, handled: ["h"], newest: 1, entries: pack([object]), left: pack(["c0"]) } };
        const recorded = { ...library, __entries: pack([{ title: "Film" }]), results: '{"film":{"status":"Ready"}}' };
        assert.equal(libraryIn(recorded).entries.get("film")?.olds.status, "Ready");
        for (const { path, broken } of brokenForms(recordedMeta, library.__meta))
            refused(
                () => libraryIn({ ...recorded, __meta: broken }),
                new RegExp(`broken at __meta\\.${pattern(path)}.*VG2056`),
            );
        const packed = [1, {}, [1], [["film"]], [["film", "c1"]], [["film", 1, meta]], [["film", "c1", []]]];
        for (const entries of ["", "text", ...packed.map(pack)])
            refused(
                () => libraryIn({ ...recorded, __meta: { ...library.__meta, entries } }),
                /__meta\.entries.*VG2056/,
            );
        for (const left of ["text", pack([1])])
            refused(() => libraryIn({ ...recorded, __meta: { ...library.__meta, left } }), /__meta\.left.*VG2056/);
        for (const __entries of ["text", 1, pack({}), pack(["text"])])
            refused(() => libraryIn({ ...recorded, __entries }), /broken at __entries.*VG2056/);
        for (const results of ["text", "[]", '{"film":1}'])
            refused(() => libraryIn({ ...recorded, results }), /results.*VG2056/);
    });
});

describe("the engine's export", () => {
    const resource = {
        ...{ urn: "urn:pulumi:dev::videos::videograph:index:Content::a", type: "videograph:index:Content", id: "c1" },
        ...{ created: "2026-01-01T00:00:00Z", external: false, inputs: {}, outputs: {}, provider: "p::id" },
    };
    const exported = (resources: unknown[], operations: unknown[] = []) =>
        parseExport(JSON.stringify({ deployment: { resources, pending_operations: operations } }));

    it("S1: with a field of another form is no state, so that no create trusts it", () => {
        assert.equal(exported([resource], [{ type: "creating", resource }])?.creates.length, 1);
        const forms = [...brokenForms(recordedResource, resource)];
        assert.ok(forms.length > 50, String(forms.length));
        for (const { broken } of forms) assert.equal(exported([broken]), undefined, JSON.stringify(broken));
        for (const { broken } of brokenForms(recordedOperation, { type: "creating", resource }))
            assert.equal(exported([resource], [broken]), undefined, JSON.stringify(broken));
    });

    it("names the library whose record is broken", () => {
        const library = {
            ...resource,
            type: "videograph:index:ContentLibrary",
            outputs: { __meta: { entries: "text" } },
        };
        refused(() => exported([library]), /^urn:pulumi:dev::videos::.*broken at __meta\.entries.*VG2056/);
    });
});

describe("a project file", () => {
    const project = {
        ...{ name: "videos", runtime: { name: "nodejs" }, main: "src/index.ts" },
        plugins: { providers: [{ name: "videograph", path: "plugin" }] },
    };
    const read = (value: unknown) => {
        writeFileSync(join(folder, "Pulumi.yaml"), typeof value === "string" ? value : JSON.stringify(value));
        return findProject(folder);
    };

    it("with a part that is missing or of another type is read without that part; without a name it is none", () => {
        const whole = { name: "videos", runtime: "nodejs", folder, programFolder: join(folder, "src") };
        assert.deepEqual(read(project), { ...whole, pluginFolder: join(folder, "plugin") });
        for (const name of Object.keys(projectFile.shape) as (keyof typeof project)[]) {
            const { [name]: _, ...without } = project;
            for (const value of [without, ...anyJson.map((wrong) => ({ ...project, [name]: wrong }))]) {
                const found = read(value);
                const hasName = "name" in value && typeof value.name === "string";
                assert.equal(found !== undefined, hasName, JSON.stringify(value));
                if (found === undefined) continue;
                assert.equal(typeof found.runtime, "string");
                if (name !== "main") assert.equal(found.programFolder, whole.programFolder);
                if (name !== "plugins") assert.equal(found.pluginFolder, join(folder, "plugin"));
            }
        }
        for (const providers of [[1], [null], [{ path: 1 }], [{ name: 1, path: "a" }], {}])
            assert.equal(read({ ...project, plugins: { providers } })?.pluginFolder, undefined);
        assert.equal(read("name: a\nname: b"), undefined);
    });
});
