/**
 * Builds of the package that break one of its promises each: a simulation that finds nothing wrong with them is worth
 * nothing. Those of `defects` have a defect that an earlier build really had, by its number in README.md; those of `rows`
 * have another row in the table of the create protocol.
 */
import assert from "node:assert/strict";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtPackage } from "./build.ts";
import type { Hazard } from "./hazards.ts";

interface Edit {
    /** Of the built package. */
    file: string;
    code: string;
    instead: string;
}

export interface Mutant extends Edit {
    name: string;
    /** A second edit, where one is not enough. */
    also?: Edit;
    /** The hazards that show it. Default: none but lost answers, kills and wrong tokens. */
    only?: readonly Hazard[];
    /** A seed shortly before the first that shows it, so that a test need not live all before it. Default: 0. */
    from?: number;
}

const protocol = "lifecycle/create/protocol.js";
const pending = "lifecycle/create/pending.js";
const search = "lifecycle/create/search.js";

const defects: Mutant[] = [
    {
        name: "A1: fails where a field of an answer is missing",
        file: "dynamic/wire.js",
        code: "const outputs = toState(properties);",
        instead:
            'const outputs = toState(properties); if (outputs.rtmpsUrl === undefined) throw new TypeError("includes");',
        only: ["gaps"],
    },
    {
        name: "A2: closes the journal's entry when the engine was answered",
        file: "session/resourceHost.js",
        code: "await (0, lifecycle_1.answered)(this.#session.journal, (0, recordedMeta_1.metaOf)(made.outputs).marker);",
        instead: "await this.#session.journal.close((0, recordedMeta_1.metaOf)(made.outputs).marker ?? '');",
        only: ["checkpoints"],
    },
    {
        name: "A3: believes a gateway's 404",
        file: "api/failure.js",
        code: "error: errors_1.UnconfirmedNotFoundError,",
        instead: "error: errors_1.NotFoundError,",
        only: ["gateway404"],
        from: 75,
    },
    {
        name: "A4: takes the first try of a repeated create for its predecessor",
        file: "lifecycle/state/ownership.js",
        code: "if (urn !== undefined)\n            this.#urnById.set(id, urn);",
        instead: "if (urn !== undefined) { this.#urnById.set(id, urn); this.#shown.set(urn, { id, olds: {} }); }",
        only: ["retries"],
        from: 55,
    },
    {
        name: "A5: knows a backend by the text of its URL",
        file: "session/journalFolder.js",
        code: "digest(backendOf(env, home, workingFolder))",
        instead: "digest(firstBackend)",
        only: ["clones"],
    },
    {
        name: "A6: resumes the create of an object that was moved to another stack",
        file: "lifecycle/create/proof.js",
        code: "anyStack: answered === true",
        instead: "anyStack: false",
        only: ["moves"],
        from: 470,
    },
    {
        name: "A7: records inputs that the service has refused",
        file: "lifecycle/managed.js",
        code: "const had = made.found ?",
        instead: "const had = false ?",
        only: ["refusedUpdates"],
        from: 1480,
    },
    {
        name: "A8: resumes a create without regard to sourceVersion",
        file: "lifecycle/managed.js",
        code: "(0, properties_1.createIdentity)(definition.inputs, inputs)",
        instead: "(0, properties_1.createIdentity)(definition.inputs, { ...inputs, sourceVersion: undefined })",
        only: ["versions"],
    },
    {
        name: "A13: says nothing of what a destroy leaves behind",
        file: "lifecycle/create/proof.js",
        code: "if (pending.length === 0)",
        instead: "if (true)",
        only: ["destroyed"],
        from: 150,
    },
    {
        name: "A16: looks for ever for what a rotated token cannot find",
        file: "lifecycle/create/abandoned.js",
        code: "!entry.searchedUnder?.includes(fingerprint)",
        instead: "true",
        only: ["rotation"],
        from: 110,
    },
    {
        name: "A29: deletes the object that up --replace has resumed",
        file: pending,
        code: "if (!isOwn && (await",
        instead: "if (false && (await",
        also: { file: "lifecycle/create/proof.js", code: "found?.resumed === true ?", instead: "false ?" },
        only: ["replace"],
        from: 90,
    },
];

const rows: Mutant[] = [
    {
        name: "sends again without a search",
        file: protocol,
        code: 'lost: ["ambiguous", "search"]',
        instead: 'lost: ["opening", "open"]',
        from: 2_120,
    },
    {
        name: "sends an interrupted create again without a search",
        file: protocol,
        code: 'opened: ["ambiguous", "search"]',
        instead: 'opened: ["sent", "post"]',
    },
    {
        name: "never looks for a second object",
        file: protocol,
        code: '(doubt ? ["settling", "sweep"] : ["settled", "none"])',
        instead: '["settled", "none"]',
        from: 460,
    },
    {
        name: "leaves the object of an outdated create",
        file: protocol,
        code: 'found: ["outdated", "remove"]',
        instead: 'found: ["fresh", "startOver"]',
    },
];

const others: Mutant[] = [
    {
        name: "takes a create among the pending operations for a recorded one",
        file: "session/exportedState.js",
        code: "JSON.parse(exported).deployment?.resources ?? []",
        instead: "JSON.parse(exported)",
        only: ["slowEngine"],
        from: 1_545,
    },
    {
        name: "writes no entry before the first POST",
        file: "lifecycle/create/createOnce.js",
        code: "await journal.open({ ...entry, ...again });",
        instead: "if (again !== false) await journal.open({ ...entry, ...again });",
    },
    {
        name: "never reads the journal",
        file: pending,
        code: "if (urn === undefined)",
        instead: "if (true)",
    },
    {
        name: "believes a 404 under any token",
        file: "lifecycle/notFound.js",
        code: "const isCurrent = this.isCurrent(fingerprint);",
        instead: "return undefined;",
        only: ["foreignToken"],
    },
    {
        name: "replaces in the environment that the token happens to reach",
        file: "lifecycle/managed.js",
        code: "await this.#confirmPredecessor(inputs, operation);",
        instead: "",
        only: ["foreignToken"],
        from: 95,
    },
    {
        name: "believes a 404 right after the create",
        file: "api/limits.js",
        code: "exports.consistencyGraceMs = 30_000;",
        instead: "exports.consistencyGraceMs = 0;",
    },
    {
        name: "records subtitles that were not set",
        file: "lifecycle/state/items.js",
        code: "if (due.size === 0)",
        instead: "if (true)",
        only: ["subtitles"],
        from: 14_120,
    },
    {
        name: "takes a title for the marker",
        file: search,
        code: "(0, marker_1.isSameMarker)((0, marker_1.markerIn)(object.metadata), this.#sought.entry.marker)",
        instead: "true",
    },
];

/** Only the plugin's calls, or a move to its types, can show these. */
const native: Mutant[] = [
    {
        name: "waits on after the first Ctrl-C",
        file: "native/service.js",
        code: "lifetime.cancel();",
        instead: "",
        only: ["native"],
        from: 415,
    },
    {
        name: "tells the plugin's engine of a failure without the id",
        file: "native/wire.js",
        code: "failed.setId(error.id);",
        instead: "",
        only: ["native"],
    },
    {
        name: "loses the object of a create that an error hook repeats after the first Ctrl-C",
        file: "lifecycle/create/createOnce.js",
        code: "if (handedOver !== undefined && posts === 1)",
        instead: "if (false)",
        only: ["native", "retries"],
        from: 90,
    },
    {
        name: "creates in a preview",
        file: "native/resource.js",
        code: "if (request.getPreview()) {\n            // Nothing but",
        instead: "if (false) {\n            // Nothing but",
        only: ["native"],
    },
    {
        name: "promises in a preview what a wait will change",
        file: "native/previews.js",
        code: "const finished = ",
        instead: "const finished = true || ",
        only: ["native"],
        from: 500,
    },
    {
        name: "takes a refresh for an import",
        file: "native/resource.js",
        code: "return olds.__meta !== undefined || ",
        instead: "return ",
        only: ["native"],
        from: 600,
    },
    {
        name: "keeps the pending creates of each type apart",
        file: "lifecycle/create/fileJournal.js",
        code: 'return [parts.stack, parts.project, parents.join("$"), parts.name].join("::");',
        instead: "return urn;",
        only: ["migrations"],
        from: 170,
    },
];

export const mutants: Mutant[] = [...defects, ...rows, ...others, ...native];

/** Makes the broken build and returns its folder: a place within the project, so that the libraries are found. */
export async function build({ name, also, ...edit }: Mutant): Promise<string> {
    const folder = join(import.meta.dirname, "..", "..", ".tmp", "mutants", name.replaceAll(/\W+/g, "-"));
    await rm(folder, { recursive: true, force: true });
    await cp(builtPackage, folder, { recursive: true });
    for (const one of [edit, ...(also === undefined ? [] : [also])]) await breakFile(folder, one, name);
    await writeFile(join(folder, "package.json"), '{"type": "commonjs"}');
    return folder;
}

async function breakFile(folder: string, { file, code, instead }: Edit, name: string): Promise<void> {
    const path = join(folder, file);
    const parts = (await readFile(path, "utf8")).split(code);
    const count = parts.length - 1;
    assert.equal(count, 1, `"${name}" finds its code ${count} times in ${file}: it has to be adapted`);
    await writeFile(path, parts.join(instead));
}
