/**
 * One life of a stack in which every input of every resource is a secret in every way: given as one, or later, or no longer, by a transform, in a
 * library, presigned. After each run the screen, the log of events and the state are searched for the words in the secrets.
 */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "videograph-emulator";
import { lookups } from "../../provider/dist/lookups/definitions.js";
import type { Testbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { encodings } from "./encodings.ts";
import { definitions, Words } from "./inputs.ts";
import { foundIn } from "./search.ts";

/** `raw`: native types as the SDKs of other languages register them, without the classes. */
export const faces = ["dynamic", "native", "raw"] as const;
export type Face = (typeof faces)[number];

const places = ["Content", "Clip", "Livestream", "entry", "defaults", "catalogue"] as const;
type Place = (typeof places)[number];

/** How a row comes to its secrets. */
const ways = [
    "whole",
    "inner",
    "later, whole",
    "later, inner",
    "no longer",
    "transforms",
    "transformations",
    "presigned",
    "presigned by transforms",
    "presigned by transformations",
    "failing",
    "failing presigned",
] as const;
type Way = (typeof ways)[number];

interface Row {
    name: string;
    kind: string;
    place: Place;
    args: Record<string, unknown>;
    how?: "whole" | "inner" | undefined;
    by?: "transforms" | "transformations" | undefined;
    /** What the program declares where a transform has the rest. */
    plain?: Record<string, unknown> | undefined;
    import?: string;
}

/** A row of the table: what the program declares first, and later. */
interface Cell {
    first: Row;
    later: Row;
    /** Words that are secrets from the first program on, and from the later one on. */
    fromFirst: readonly string[];
    fromLater: readonly string[];
}

/** Creates of these fail. */
const refused = "refuse me";

export class Table {
    readonly #testbed: Testbed;
    readonly #face: Face;
    readonly cells: readonly Cell[];
    #encoding = 0;

    /** `each`: one row for each input, instead of one for all of them. */
    constructor(testbed: Testbed, face: Face, { each = false } = {}) {
        this.#testbed = testbed;
        this.#face = face;
        this.cells = places.flatMap((place) =>
            ways.flatMap((way) => this.#inputSets(place, each).flatMap((names) => this.#cell(place, way, names) ?? [])),
        );
    }

    #inputSets(place: Place, each: boolean): (string[] | undefined)[] {
        if (!each) return [undefined];
        return Object.keys((definitions[place] ?? definitions.Content)?.inputs ?? {})
            .filter((name) => name !== "importId")
            .map((name) => [name]);
    }

    #cell(place: Place, way: Way, names: string[] | undefined): Cell | undefined {
        const isPresigned = way.includes("presigned");
        if (isPresigned && (place === "Livestream" || place === "Clip")) return undefined;
        if (way.includes("inner") && place === "catalogue") return undefined;
        const { media } = this.#testbed;
        const secrets = new Words(media.video, { presigned: isPresigned });
        const others = new Words(media.video);
        const name = [place, way, ...(names ?? [])].join(" ").replaceAll(/\W+/g, "-");
        const by = way.endsWith("transforms")
            ? "transforms"
            : way.endsWith("transformations")
              ? "transformations"
              : undefined;
        const how = isPresigned ? undefined : way.endsWith("inner") ? "inner" : "whole";
        let inputs = this.#inputs(place, way, secrets, names);
        // An input that cannot be changed in place would need another object, and a refused create is another row.
        if (way === "no longer") inputs = { ...this.#inputs(place, way, others, names), ...inPlace(place, inputs) };
        const first: Row = {
            ...{ name, place, by, how, kind: definitions[place] === undefined ? "ContentLibrary" : place },
            args: placed(place, inputs),
            plain: by && placed(place, this.#inputs(place, way, others, names)),
        };
        const text = JSON.stringify(first.args);
        const words = secrets.all.filter((word) => text.includes(isPresigned ? `X-Signature=${word}` : word));
        if (way.startsWith("later"))
            return { first: { ...first, how: undefined }, later: first, fromFirst: [], fromLater: words };
        if (way === "no longer") {
            const changed = inPlace(place, this.#inputs(place, way, others, names));
            const later = { ...first, args: placed(place, { ...inputs, ...changed }), how: undefined };
            return { first, later, fromFirst: words, fromLater: [] };
        }
        return { first, later: first, fromFirst: words, fromLater: [] };
    }

    #inputs(place: Place, way: Way, words: Words, names: string[] | undefined): Record<string, unknown> {
        const definition = definitions[place] ?? definitions.Content;
        assert.ok(definition);
        const inputs = words.inputs(definition, names);
        delete inputs.waitForReady;
        if (way.startsWith("failing")) inputs.title = `${inputs.title} ${refused}`;
        return inputs;
    }

    /** The life of a stack. Returns how many runs of the CLI it took. */
    async live(): Promise<{ runs: number }> {
        const { emulator, media } = this.#testbed;
        const stack = await this.#testbed.stack("", this.#face === "dynamic" ? "dynamic" : "native");
        const log = join(stack.folder, "events.json");
        stack.env.PULUMI_DEBUG_COMMANDS = "true";
        const source = { title: "Source", content: [{ url: media.video() }] };
        const secrets = this.cells.flatMap(({ fromFirst }) => fromFirst);
        let runs = 0;
        const run = async (expected: "good" | "bad" | undefined, ...args: string[]) => {
            const { code, output: printed } = await stack.start(...args).result;
            // The SDK says at the level of --debug what it sends: every property. `--json` and `--event-log` have that too.
            const output = withoutDebug(printed);
            runs++;
            if (expected !== undefined) assert.equal(code === 0 ? "good" : "bad", expected, output.slice(-3000));
            stack.checkForSecrets(output);
            this.#search(args.join(" "), output, secrets);
            this.#search(`the state after ${args.join(" ")}`, await stack.stateText(), secrets);
            const events = withoutDebug(await readFile(log, "utf8").catch(() => ""));
            this.#search(`the events of ${args.join(" ")}`, events, secrets);
            await rm(log, { force: true });
            return output;
        };
        const logged = ["--event-log", log];
        const plan = (rows: Row[], more: object = {}) =>
            stack.write("plan.json", JSON.stringify({ face: this.#face, source, rows, ...more }));
        await stack.write("index.js", await readFile(join(import.meta.dirname, "program.cjs"), "utf8"));

        const taken = new Words(media.video);
        const imported = this.#face === "dynamic" ? [] : this.#imports(emulator, taken);
        const livestream = emulator.addLivestream({ title: "Elsewhere" });
        const content = emulator.addContent({ title: "Elsewhere" });
        const got = { got: { Livestream: livestream.streamUUID, Content: content.contentId } };

        this.#refuse(emulator, ({ method, text }) => method === "POST" && text.includes(refused));
        await plan([...this.cells.map(({ first }) => first), ...imported], got);
        const up = await run("bad", "up", "--yes", "--skip-preview", "--diff", "--continue-on-error", ...logged);
        const made = this.cells.filter(({ first }) => !first.name.includes("failing"));
        const rows = (await stack.resources()).map(({ urn }) => urn.split("::").at(-1));
        const missing = made.filter(({ first }) => !rows.includes(first.name)).map(({ first }) => first.name);
        assert.deepEqual(missing, [], `These were not made:\n${up}`);
        for (const one of emulator.contents()) emulator.updateContent(one.contentId, { description: "Outside" });
        await run("good", "refresh", "--yes", "--skip-preview", "--diff", ...logged);

        // Updates that are refused. What becomes a secret with them is in plain in the state, and in the engine's differences, until one succeeds.
        this.#refuse(emulator, ({ method }) => method !== "GET");
        await plan([...made.map(({ later }) => later), ...imported], got);
        await run("good", "preview", "--diff");
        await run("bad", "up", "--yes", "--skip-preview", "--json", "--continue-on-error", ...logged);
        await run(undefined, "refresh", "--yes", "--skip-preview", ...logged);
        Reflect.deleteProperty(emulator, "begin");
        await run("good", "up", "--yes", "--skip-preview", "--diff", ...logged);
        // An import comes without the program's inputs: what it reads is a secret from the next update on.
        secrets.push(...taken.all, ...made.flatMap(({ fromLater }) => fromLater));
        this.#search("the state", await stack.stateText(), secrets);
        await run("good", "preview", "--json");
        await run("good", "refresh", "--yes", "--skip-preview", "--expect-no-changes", ...logged);
        await run("good", "stack", "output", "--json");
        await run("good", "stack", "export");

        await this.#lookups(stack, plan, run, secrets);
        return { runs };
    }

    /** Objects that exist, for the `import` option. */
    #imports(emulator: Emulator, words: Words): Row[] {
        const title = `Taken ${words.word()}`;
        const { contentId } = emulator.addContent({ title });
        return [
            { name: "imported", kind: "Content", place: "Content", args: { title }, how: "whole", import: contentId },
        ];
    }

    /** Each lookup with a secret in each of its arguments, and a service that quotes it. */
    async #lookups(
        stack: TestStack,
        plan: (rows: Row[], more: object) => Promise<void>,
        run: (expected: "good" | undefined, ...args: string[]) => Promise<string>,
        secrets: string[],
    ): Promise<void> {
        const calls = Object.entries(lookups).flatMap(([name, { args }]) => {
            const words = new Words(this.#testbed.media.video);
            const definition = { name: "Content", idName: "", inputs: {}, outputs: {} } as const;
            const inputs = Object.fromEntries(
                Object.entries(args).map(([input, field]) => [input, { ...field, change: "local" }]),
            );
            const given = words.inputs({ ...definition, inputs } as never, Object.keys(args));
            for (const [input, { type }] of Object.entries(args)) if (type.kind === "integer") delete given[input];
            if ("contentId" in given) given.contentId = words.word();
            if ("record" in given) delete given.record;
            secrets.push(...words.all);
            return [[name, given] as const];
        });
        const texts = calls.flatMap(([, given]) => Object.values(given).flat()).map(String);
        this.#refuse(this.#testbed.emulator, ({ method }) => method === "GET", texts);
        await plan([], { source: undefined, lookups: calls });
        const said = await run("good", "preview");
        for (const [name] of calls) assert.match(said, new RegExp(`${name} says: .*`));
        void stack;
        Reflect.deleteProperty(this.#testbed.emulator, "begin");
    }

    /** Such requests are refused by a service that quotes what it was sent, and what it has, in another encoding each time. */
    #refuse(
        emulator: Emulator,
        isRefused: (request: { method: string; text: string }) => boolean,
        texts: readonly string[] = [],
    ): void {
        Reflect.deleteProperty(emulator, "begin");
        const { begin } = emulator;
        emulator.begin = (request, options) => {
            if (!isRefused(request)) return begin.call(emulator, request, options);
            const id = request.path.split("/").at(-1) ?? "";
            const had = emulator.content(id) ?? emulator.livestream(id);
            const sent = request.text === "" ? {} : JSON.parse(request.text);
            const all = [...leaves(sent), ...leaves(had ?? {}), ...texts].filter((text) => text.includes("cnry"));
            const ways = Object.values(encodings);
            const quoted = [0, 1, 2].map(() => {
                const encode = ways[this.#encoding % ways.length] ?? String;
                const text = all[this.#encoding++ % Math.max(all.length, 1)] ?? "";
                return { message: `Bad value '${encode(text)}'` };
            });
            const body = JSON.stringify({ status: "Error", code: 400, message: "Refused", errors: quoted });
            return {
                answer: Promise.resolve({ status: 400, headers: { "content-type": "application/json" }, body }),
                finish() {},
            };
        };
    }

    #search(where: string, text: string, secrets: readonly string[]): void {
        const found = foundIn(text, secrets);
        if (found.length === 0) return;
        const [word = ""] = found;
        const row = this.cells.find(({ first, later }) => JSON.stringify([first, later]).includes(word));
        const at = text.indexOf(word);
        const excerpt = at < 0 ? "(encoded)" : text.slice(Math.max(0, at - 300), at + 60);
        assert.fail(
            `${this.#face}: ${found.length} secrets are in ${where}, such as that of ${row?.first.name}:\n${excerpt}`,
        );
    }
}

/** Those that an update in place changes. */
function inPlace(place: Place, inputs: Record<string, unknown>): Record<string, unknown> {
    const definition = definitions[place] ?? definitions.Content;
    return Object.fromEntries(
        Object.entries(inputs).filter(([name]) => definition?.inputs[name]?.change === "inPlace"),
    );
}

/** The arguments of a resource that has these inputs of an object in such a place. */
function placed(place: Place, inputs: Record<string, unknown>): Record<string, unknown> {
    if (place === "entry") return { contents: { one: inputs } };
    if (place === "defaults") return { defaults: inputs, contents: { one: {} } };
    if (place === "catalogue") return { catalogue: JSON.stringify({ key: "one", ...inputs }) };
    return inputs;
}

function withoutDebug(text: string): string {
    return text
        .split("\n")
        .filter((line) => !line.includes('"severity":"debug"'))
        .join("\n");
}

function leaves(value: unknown): string[] {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}
