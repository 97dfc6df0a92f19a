/**
 * Whatever is sent, the emulator answers, never with 500, and allows itself nothing that its OpenAPI document does not.
 * Requests are made from that document and then spoiled: paths, methods, headers, bodies, and the bytes themselves.
 *
 *     FUZZ_RUNS=20000 npx mocha tests/emulator/fuzz.test.ts     # or: npm run fuzz
 *     FUZZ_SEED=123 …                                           # the run that printed this seed
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";
import { type Emulator, startEmulator, type Variants } from "videograph-emulator";
import { contractOf, type OpenApiDocument } from "./contract.ts";
import { apiRoot, basic } from "./support.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 400);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** No answer in this time is a hang. */
const hangMs = 10_000;
/** Stands for the id of an object that exists when the request is sent. */
const anId = "{id}";

interface Call {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Spoils the bytes of the request: at a place, so many are replaced by these. */
    readonly spoil: { readonly at: number; readonly count: number; readonly by: string } | undefined;
}

describe("emulator: fuzzing", function () {
    this.timeout(runs * 20 + 60_000);

    const others: Partial<Variants> = {
        ...{ errorBody: "json", notFoundBody: "html", invalidCode: 422, pastEnd: 416, offsetMaximum: 5 },
        ...{ emptyFields: "null", put: "replace", createCode: 200, listOrder: "random", idShape: "number" },
        ...{ listedAfterMs: 50, livestreamPaging: true, titles: "collapsed" },
    };
    for (const [name, variants, share] of [
        ["never fails, hangs or breaks its document", {}, 0.7],
        ["neither with other variants", others, 0.3],
    ] as const) {
        it(`${name} (${Math.ceil(runs * share)} requests, seed ${seed})`, async () => {
            await using emulator = await startEmulator({ fetchSources: false, processingTimeMs: 0, variants });
            const errors: unknown[][] = [];
            const realError = console.error;
            // Where the emulator reports its own mistakes.
            console.error = (...values: unknown[]) => void errors.push(values);
            try {
                await fuzz(emulator, Math.ceil(runs * share));
            } finally {
                console.error = realError;
            }
            assert.deepEqual(errors, []);
        });
    }
});

async function fuzz(emulator: Emulator, numRuns: number): Promise<void> {
    const document = await (await fetch(`${emulator.url}/_emulator/openapi.json`)).json();
    const contract = contractOf(document);
    let sent = 0;
    const property = fc.asyncProperty(callsOf(document), async (call) => {
        // Something must be there to be found, and what was created must not pile up.
        if (sent++ % 100 === 0) seedObjects(emulator);
        const answer = await exchange(emulator, call);
        if (answer === undefined) return; // the connection was closed: an answer to bytes that are no HTTP
        assert.ok(answer.status >= 100 && answer.status < 600 && answer.status !== 500, answer.text);
        const isApi = call.path.startsWith(`${apiRoot}/`) && call.spoil === undefined && answer.status !== 431;
        if (isApi && call.method !== "HEAD") contract.allows({ ...call, ...answer });
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: numRuns > 5_000 });
}

function seedObjects(emulator: Emulator): void {
    emulator.reset();
    for (let index = 0; index < 3; index++) {
        emulator.addContent({ title: `Content ${index}` });
        emulator.addLivestream({ title: `Livestream ${index}` });
    }
    emulator.setContentStatus(emulator.addContent({ title: "On its way" }).contentId, "Preparing");
}

/** Anything that can stand in a line of a request. */
const junk = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[\s\0]/g, ""));
const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constant(anId) },
    fc.constantFrom("none", "%zz", "%00", "%2e%2e", "..", "a%2Fb", "*", "__proto__", "constructor"),
    junk,
);
const method = fc.constantFrom(..."GET POST PUT DELETE PATCH HEAD OPTIONS TRACE CONNECT".split(" "));
const mostly = (usual: string, ...others: fc.Arbitrary<string>[]) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, ...others);

function callsOf(document: OpenApiDocument): fc.Arbitrary<Call> {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { requestBody }]) => ({
            ...{ method: method.toUpperCase(), path, example: requestBody?.content["application/json"].example },
        })),
    );
    const fromDocument = fc.constantFrom(...operations).chain((operation) =>
        fc.record({
            method: mostly(operation.method, method),
            path: segment.map((id) => operation.path.replace(/\{\w+\}/g, () => id)),
            body: bodies(operation.example),
        }),
    );
    const control = fc.constantFrom(..."contents requests overview clock variants tokens".split(" "));
    const paths = fc.oneof(
        fc
            .tuple(segment, fc.constantFrom("master.m3u8", "source.mp4", "..%2fx"))
            .map((all) => `/playback/${all.join("/")}`),
        fc.tuple(control, fc.option(segment)).map(([name, id]) => `/_emulator/${name}${id === null ? "" : `/${id}`}`),
        fc.array(segment, { maxLength: 4 }).map((segments) => `${apiRoot}/${segments.join("/")}`),
        fc.constantFrom("/", "//", "/sample.mp4", "/page.mjs", "*", "", "http://[/", "x:y", apiRoot),
        junk.map((text) => `/${text}`),
    );
    const elsewhere = fc.record({ method, path: paths, body: bodies({}) });
    const name = fc.constantFrom("start", "limit", "record", "environmentId", "after", "search");
    const value = fc.oneof(fc.constantFrom("0", "1", "-1", "1e9", "true", "", "%zz", "99999999999999999999"), junk);
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 3 });
    const spoil = fc.record({ at: fc.nat(600), count: fc.nat(8), by: fc.string({ unit: "binary", maxLength: 4 }) });
    const rest = fc.record({
        query: mostly(
            "",
            pairs.map((list) => list.map((pair) => pair.join("=")).join("&")),
        ),
        headers: fc.record({
            host: mostly("127.0.0.1", fc.constantFrom("site.example", "[::1]", "[", "@", "a:b:c"), junk),
            authorization: mostly(
                basic({ id: "emulator-token-id", secret: "emulator-secret-key" }),
                fc.constantFrom("Basic", "Basic !", "Bearer x", ""),
                junk,
            ),
            "content-type": mostly("application/json", fc.constantFrom("text/plain", ""), junk),
            range: mostly("", fc.constantFrom("bytes=0-", "bytes=-1"), junk),
            expect: mostly("", fc.constantFrom("100-continue"), junk),
        }),
        spoil: fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, spoil),
    });
    return fc
        .tuple(fc.oneof({ weight: 5, arbitrary: fromDocument }, elsewhere), rest)
        .map(([call, more]) => ({ ...call, ...more }));
}

/** The example as it is, with a field changed, or something else altogether. */
function bodies(example: unknown): fc.Arbitrary<string> {
    const whole = example === undefined ? "" : JSON.stringify(example);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 5_000 }));
    const changed = fc.tuple(fc.constantFrom(...Object.keys(Object(example)), "more", "__proto__"), value);
    return mostly(
        whole,
        changed.map(([key, other]) => JSON.stringify({ ...Object(example), [key]: other })),
        fc.json(),
        fc.nat(200).map((depth) => "[".repeat(depth * 50)),
        fc.nat(whole.length).map((length) => whole.slice(0, length)),
    );
}

/** One request over a connection of its own. Undefined when there was nothing but the connection's end. */
async function exchange(emulator: Emulator, call: Call) {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
        const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1");
        const chunks: Buffer[] = [];
        socket.setTimeout(hangMs, () => {
            socket.destroy();
            reject(new Error("No answer: the emulator hangs"));
        });
        socket.on("data", (chunk) => chunks.push(chunk));
        // A refusal may come before the whole request was sent; what was received counts all the same.
        socket.on("error", () => {});
        socket.on("close", () => resolve(Buffer.concat(chunks)));
        socket.end(encode(emulator, call));
    });
    // The answer proper comes after "100 Continue".
    const received = bytes.toString("latin1").replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, "");
    if (received === "") return undefined;
    const end = received.indexOf("\r\n\r\n");
    const head = received.slice(0, end);
    return {
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
        contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? null,
        text: Buffer.from(received.slice(end + 4), "latin1").toString(),
    };
}

function encode(emulator: Emulator, { method, path, query, headers, body, spoil }: Call): Buffer {
    const objects = [...emulator.contents(), ...emulator.livestreams()];
    const found = objects[(path.length + body.length) % Math.max(objects.length, 1)];
    const id = found === undefined ? "none" : "contentId" in found ? found.contentId : found.streamUUID;
    const target = path.replaceAll(anId, id) + (query === "" ? "" : `?${query}`);
    const length = Buffer.byteLength(body);
    const all = { ...headers, "content-length": length > 0 ? String(length) : "", connection: "close" };
    const lines = Object.entries(all).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
    const bytes = Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, "", body].join("\r\n"));
    if (spoil === undefined) return bytes;
    return Buffer.concat([bytes.subarray(0, spoil.at), Buffer.from(spoil.by), bytes.subarray(spoil.at + spoil.count)]);
}
