/**
 * S3 as a table: every input × every place × how it becomes a secret × every way to register a resource × what the CLI does and writes. One stack
 * has all of them. The service refuses requests in words that quote what it was sent and what it has, in every encoding. After each run
 * the screen, the log of events and the state are searched.
 *
 *     npx mocha tests/secrets/table.test.ts                 every pair of a face, a place and a way
 *     SECRETS=all npx mocha tests/secrets/table.test.ts     all of them
 */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Emulator } from "videograph-emulator";
import { factsOf, partsOf } from "../../provider/dist/definitions/definition.js";
import { lookups } from "../../provider/dist/lookups/definitions.js";
import { runIn } from "../cli/support.ts";
import { useTestbed } from "../support/testbed.ts";
import { encodings } from "./encodings.ts";
import { type Declared, faces, refusedTitle, rowsOf } from "./rows.ts";
import { foundIn } from "./search.ts";
import { newWord, valuesOf, wordsIn } from "./values.ts";

describe("The table of secrets (S3)", () => {
    const testbed = useTestbed({ processingTimeMs: 20 });

    it("finds no secret on the screen, in the events or in the state", async () => {
        const { emulator, media } = testbed;
        const rows = rowsOf({ video: (name) => media.video(name), all: process.env.SECRETS === "all" });
        const made = rows.flatMap(({ later }) => later ?? []);
        const adopted = adoptions(emulator);
        const declared = [...rows.flatMap(({ first, later }) => [first, ...(later ? [later] : [])]), ...adopted];
        const faceByWord = new Map(
            declared.flatMap((one) => wordsIn(JSON.stringify(one)).map((word) => [word, one.face])),
        );
        const calls = lookupCalls();
        const got = {
            Livestream: emulator.addLivestream({ title: "Elsewhere" }).streamUUID,
            Content: emulator.addContent({ title: "Elsewhere" }).contentId,
        };
        const secrets = new Set([...rows.flatMap((row) => row.secrets), ...calls.flatMap(({ words }) => words)]);

        const stack = await testbed.stack("");
        await stack.write("index.js", await readFile(join(import.meta.dirname, "program.cjs"), "utf8"));
        const plan = (all: readonly Declared[], asked: typeof calls = []) => {
            const source = { title: "Source", content: [{ url: media.video() }] };
            const called = asked.map(({ name, args }) => [name, args]);
            return stack.write("plan.json", JSON.stringify({ source, rows: all, got, lookups: called }));
        };

        const log = join(stack.folder, "events.json");
        stack.env.PULUMI_DEBUG_COMMANDS = "true";
        // A state of so many resources is written at the end of a run, and not at each step of it.
        Object.assign(stack.env, { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" });
        const search = (where: string, text: string) => {
            stack.checkForSecrets(text);
            const leaks = [...foundIn(text)].filter((word) => secrets.has(word));
            if (leaks.length > 0) assert.fail(leakIn(where, text, leaks, declared));
        };
        const run = async (expected: "good" | "bad", ...args: string[]) => {
            const { code, output } = await stack.start(...args).result;
            const text = withoutDebug(output);
            assert.equal(code === 0 ? "good" : "bad", expected, text.slice(-5000));
            const name = args.filter((arg) => arg !== log).join(" ");
            search(`the screen of ${name}`, text);
            search(`the state after ${name}`, await stack.stateText());
            search(`the events of ${name}`, withoutDebug(await readFile(log, "utf8").catch(() => "")));
            await rm(log, { force: true });
            return text;
        };
        const up = ["up", "--yes", "--skip-preview", "--continue-on-error"];
        const logged = ["--event-log", log];

        refuse(emulator, faceByWord, ({ method, text }) => method === "POST" && text.includes(refusedTitle));
        await plan([...rows.map(({ first }) => first), ...adopted]);
        const first = await run("bad", ...up, "--diff", ...logged);
        const resources = await stack.resources();
        const inState = new Set(resources.map(({ urn }) => urn.split("::").at(-1)));
        const missing = [...made, ...adopted].filter(({ name }) => !inState.has(name)).map(({ name }) => name);
        assert.deepEqual(missing, [], `These were not made:\n${first}`);
        // Where nothing but the secrecy of a value changes there must be no other reason for an update.
        const later = new Set(rows.flatMap((row) => row.laterSecrets.filter((word) => !row.secrets.includes(word))));
        for (const { contentId, title } of emulator.contents())
            if (!wordsIn(title).some((word) => later.has(word)))
                emulator.updateContent(contentId, { description: "Outside" });
        await run("good", "refresh", "--yes", "--skip-preview", "--diff", ...logged);

        // What a reviewer gets to see, in every form.
        const page = (name: string) => readFile(join(stack.folder, name), "utf8");
        const command = async (...args: string[]) => {
            const { code, stdout, stderr } = await runIn(stack, ...args);
            assert.equal(code, 0, stderr);
            search(`the output of ${args.join(" ")}`, stdout + stderr);
            return stdout;
        };
        await plan([...made, ...adopted]);
        const { stdout: previewed } = await stack.start("preview", "--json").result;
        await stack.write("previewed.json", previewed);
        const files = ["--markdown", "review.md", "--html", "review.html"];
        assert.match(await command("review", "previewed.json", ...files), /changed/);
        await command("review", "previewed.json", "--json");
        for (const file of ["review.md", "review.html"]) search(file, await page(file));

        // What becomes a secret with these updates is in plain until one of them succeeds.
        await plan([...made, ...adopted], calls);
        const lookupOf = ({ method, path }: Request) =>
            method === "GET" ? calls.find(({ pattern }) => pattern.test(path)) : undefined;
        const isRefused = (request: Request) => request.method !== "GET" || lookupOf(request) !== undefined;
        refuse(emulator, faceByWord, isRefused, (request) => lookupOf(request)?.texts);
        const failed = await run("bad", ...up, "--json", ...logged);
        for (const { name } of calls)
            for (const face of faces) assert.match(failed, new RegExp(`${face} ${name} says: .*`));
        await plan([...made, ...adopted]);
        Reflect.deleteProperty(emulator, "begin");
        // Without a refresh, which would mark the outputs by itself.
        await run("good", ...up, "--diff", ...logged);

        // What an import reads is a secret from the first update on.
        for (const { laterSecrets } of rows) for (const word of laterSecrets) secrets.add(word);
        for (const word of wordsIn(JSON.stringify(adopted))) secrets.add(word);
        search("the state at last", await stack.stateText());
        assert.match(await command("list", "--html", "list.html"), /\[secret\]/);
        await command("list", "--json");
        search("list.html", await page("list.html"));
        await run("good", "stack", "output", "--json");
        await run("good", "stack", "export");
    });
});

interface Request {
    readonly method: string;
    readonly path: string;
    readonly text: string;
}

/** Objects that exist already. */
function adoptions(emulator: Emulator): Declared[] {
    return faces.map((face) => {
        const title = `Taken ${newWord()}`;
        const { contentId } = emulator.addContent({ title });
        const declared = { face, kind: "Content", name: `adopted-${face}` };
        const args = { title: { $secret: title } };
        return face === "dynamic"
            ? { ...declared, args: { ...args, importId: contentId } }
            : { ...declared, args, import: contentId };
    });
}

/** Each lookup with a secret in each argument that is a text. Ids are none. */
function lookupCalls() {
    const patterns: Record<string, RegExp> = { getContents: /\/contents$/, getSigningKeys: /\/signing-keys$/ };
    return Object.entries(lookups).flatMap(([name, definition]) => {
        const args: Record<string, unknown> = valuesOf(definition.args.shape, String);
        for (const [arg, schema] of Object.entries(definition.args.shape))
            if (factsOf(schema).quotable || !["string", "array"].includes(partsOf(schema).type)) delete args[arg];
        const words = wordsIn(JSON.stringify(args));
        if (words.length === 0) return [];
        const pattern = patterns[name];
        assert.ok(pattern, `The request of ${name} is not known here`);
        return [{ name, args, words, pattern, texts: leaves(args) }];
    });
}

/**
 * Such requests are refused in words that quote what was sent and what the service has, in another encoding each time; and a text of the
 * resource before it. `faceByWord`: each has a process of its own, which knows its own secrets.
 */
function refuse(
    emulator: Emulator,
    faceByWord: ReadonlyMap<string, string>,
    isRefused: (request: Request) => boolean,
    quoted?: (request: Request) => string[] | undefined,
): void {
    Reflect.deleteProperty(emulator, "begin");
    const { begin } = emulator;
    const encoders = Object.values(encodings);
    const before = new Map<string | undefined, string[]>();
    let turn = 0;
    emulator.begin = (request, options) => {
        if (!isRefused(request)) return begin.call(emulator, request, options);
        const id = request.path.split("/").at(-1) ?? "";
        const sent = request.text === "" ? {} : JSON.parse(request.text);
        const has = emulator.content(id) ?? emulator.livestream(id) ?? {};
        const texts = quoted?.(request) ?? [...leaves(sent), ...leaves(has)].filter((text) => text.includes("cnry"));
        const face = quoted?.(request) ? undefined : faceByWord.get(wordsIn(texts.join())[0] ?? "");
        const others = before.get(face) ?? [];
        if (face !== undefined) before.set(face, texts);
        const quote = (from: string[]) => {
            turn += 1;
            return { message: `Bad value '${encoders[turn % encoders.length]?.(from[turn % from.length] ?? "")}'` };
        };
        const errors = Array.from({ length: Math.min(3, texts.length) }, () => quote(texts));
        if (others.length > 0) errors.push(quote(others));
        const body = JSON.stringify({ status: "Error", code: 400, message: "Refused", errors });
        const answer = { status: 400, headers: { "content-type": "application/json" }, body };
        return { answer: Promise.resolve(answer), finish() {} };
    };
}

function leakIn(where: string, text: string, leaks: readonly string[], all: readonly Declared[]): string {
    const lines = leaks.slice(0, 9).map((word) => {
        const row = all.find((one) => wordsIn(JSON.stringify(one)).includes(word));
        const at = text.indexOf(word);
        return `${row?.name ?? "a lookup"}: ${at < 0 ? "(encoded)" : text.slice(Math.max(0, at - 200), at + 40)}`;
    });
    return `${leaks.length} secrets are in ${where}:\n${lines.join("\n\n")}`;
}

/** Pulumi's SDK says at the level of debugging what it sends: every property. */
function withoutDebug(text: string): string {
    return text.replace(/^.*"severity":"debug".*\n?/gm, "");
}

function leaves(value: unknown): string[] {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}
