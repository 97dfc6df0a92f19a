/**
 * Whatever is sent, the emulator answers, never with 500, and allows itself nothing that its OpenAPI document does not.
 * Requests are made from that document and then spoiled: paths, methods, hosts, headers, bodies, and the bytes themselves.
 *
 *     FUZZ_RUNS=20000 npx mocha tests/emulator/fuzz.test.ts     # or: npm run fuzz
 *     FUZZ_SEED=123 …                                           # the run that printed this seed
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { type Emulator, startEmulator, type Variants } from "videograph-emulator";
import { contractOf, type OpenApiDocument } from "./contract.ts";
import { apiRoot } from "./support.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 3_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** No answer in this time is a hang. */
const hangMs = 10_000;

interface Call {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    /** Spoils the bytes of the request: at a place, so many are replaced by these. */
    readonly spoil: { readonly at: number; readonly count: number; readonly by: string } | null;
}

describe("emulator: fuzzing", function () {
    this.timeout(runs * 20 + 60_000);

    let emulator: Emulator;
    let document: OpenApiDocument;
    const errors: unknown[][] = [];
    const realError = console.error;
    before(() => {
        console.log(`      seed ${seed}, ${runs} requests`);
        // Where the emulator reports its own mistakes.
        console.error = (...values: unknown[]) => void errors.push(values);
    });
    after(() => {
        console.error = realError;
    });
    beforeEach(async () => {
        emulator = await startEmulator({ fetchSources: false, processingTimeMs: 0, requestLogBytes: 1024 ** 2 });
        document = (await (await fetch(`${emulator.url}/_emulator/openapi.json`)).json()) as OpenApiDocument;
    });
    afterEach(async () => {
        await emulator.close();
        assert.deepEqual(errors.splice(0), []);
    });

    /** Sends so many requests; with `keepsTo`, every answer is judged by the document. */
    async function fuzz(numRuns: number, keepsTo: boolean): Promise<void> {
        const contract = contractOf(document);
        let sent = 0;
        const property = fc.asyncProperty(callsOf(document), async (call) => {
            // Something must be there to be found, and what was created must not pile up.
            if (sent++ % 100 === 0) seedObjects(emulator);
            const answer = await exchange(emulator, call);
            if (answer === undefined) return; // the connection was closed: an answer to bytes that are no HTTP
            assert.notEqual(answer.status, 500, answer.text);
            assert.ok(answer.status >= 100 && answer.status < 600, String(answer.status));
            const isApi = call.path.startsWith(`${apiRoot}/`) && call.spoil === null && answer.status !== 431;
            if (isApi && keepsTo && call.method !== "HEAD") contract.allows({ ...call, ...answer });
        });
        await fc.assert(property, { numRuns, seed, endOnFailure: numRuns > 5_000 });
    }

    it("never fails, hangs or breaks its document", async () => {
        await fuzz(100, true); // after which the tools have taken what they take
        const before = heapUsed();
        await fuzz(Math.ceil(runs * 0.6), true);
        const log = JSON.stringify(emulator.requests).length;
        assert.ok(log < 4 * 1024 ** 2, `the log has ${log} characters`);
        emulator.reset();
        const grown = heapUsed() - before;
        assert.ok(grown < 16 * 1024 ** 2, `the heap has grown by ${Math.round(grown / 1024 ** 2)} MiB`);
    });

    const other: Partial<Variants> = {
        ...{ errorBody: "json", notFoundBody: "html", invalidCode: 422, pastEnd: 416, offsetMaximum: 5 },
        ...{ emptyFields: "null", put: "replace", createCode: 200, listOrder: "random", idShape: "number" },
        ...{ listStaleMs: 50, listedAfterMs: [0, 50], livestreamPaging: true, titles: "collapsed" },
    };
    it("neither with other variants", async () => {
        emulator.setVariants(other);
        await fuzz(Math.ceil(runs * 0.2), true);
    });

    it("nor with variants that go beyond the document", async () => {
        emulator.setVariants({
            randomFields: seed,
            deleteBody: "failure",
            fields: { status: "number" },
            dateSkewMs: null,
        });
        await fuzz(Math.ceil(runs * 0.2), false);
    });
});

function seedObjects(emulator: Emulator): void {
    emulator.reset();
    for (let index = 0; index < 3; index++) {
        emulator.addContent({ title: `Content ${index}` });
        emulator.addLivestream({ title: `Livestream ${index}` });
    }
    emulator.setContentStatus(emulator.addContent({ title: "On its way" }).contentId, "Preparing");
}

/** Stands for the id of an object that exists when the request is sent. */
const anId = "{id}";

function callsOf(document: OpenApiDocument): fc.Arbitrary<Call> {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { requestBody }]) => ({
            method: method.toUpperCase(),
            path,
            example: requestBody?.content["application/json"].example,
        })),
    );
    const junk = fc.string({ unit: "binary", maxLength: 12 }).map(visible);
    const segment = fc.oneof(
        { weight: 6, arbitrary: fc.constant(anId) },
        fc.constantFrom("none", "%zz", "%", "%00", "%2e%2e", "..", "%F0%9F", "a%2Fb", "*", "__proto__", "constructor"),
        fc.webSegment(),
        junk,
    );
    const methods = fc.constantFrom(
        "GET",
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "HEAD",
        "OPTIONS",
        "TRACE",
        "PURGE",
        "CONNECT",
    );
    const fromDocument = fc.constantFrom(...operations).chain(({ method, path, example }) =>
        fc.record({
            method: fc.oneof({ weight: 8, arbitrary: fc.constant(method) }, methods),
            path: filled(path, segment),
            body: bodies(example),
        }),
    );
    const others = fc.record({ method: methods, path: otherPaths(segment, junk), body: bodies({}) });
    const target = fc.oneof({ weight: 5, arbitrary: fromDocument }, others);
    const rest = fc.record({ query: queries(junk), headers: headers(junk), spoil: spoils() });
    return fc.tuple(target, rest).map(([call, more]) => ({ ...call, ...more }));
}

/** A path of the document with its parameters filled in. */
function filled(path: string, segment: fc.Arbitrary<string>): fc.Arbitrary<string> {
    const parts = path.split(/\{\w+\}/);
    return fc
        .array(segment, { minLength: parts.length - 1, maxLength: parts.length - 1 })
        .map((ids) => parts.map((part, index) => part + (ids[index] ?? "")).join(""));
}

function otherPaths(segment: fc.Arbitrary<string>, junk: fc.Arbitrary<string>): fc.Arbitrary<string> {
    const control = [
        "contents",
        "livestreams",
        "signing-keys",
        "requests",
        "overview",
        "health",
        "clock",
        "variants",
        "tokens",
        "openapi.json",
    ];
    const names = fc.constantFrom("master.m3u8", "source.mp4", "thumbnail.svg", "..%2fx", "a.m4s");
    return fc.oneof(
        fc.tuple(segment, names).map(([id, name]) => `/playback/${id}/${name}`),
        fc.tuple(fc.constantFrom(...control), segment).map(([name, id]) => `/_emulator/${name}/${id}`),
        fc.constantFrom(...control).map((name) => `/_emulator/${name}`),
        fc.array(segment, { maxLength: 4 }).map((segments) => `${apiRoot}/${segments.join("/")}`),
        fc.constantFrom(
            "/",
            "//",
            "///",
            "/sample.mp4",
            "/sample.avi",
            "/page.mjs",
            "*",
            "",
            "http://[/",
            "x:y",
            apiRoot,
        ),
        junk.map((text) => `/${text}`),
    );
}

/** The example as it is, with a field changed, or something else altogether. */
function bodies(example: unknown): fc.Arbitrary<string> {
    const fields = typeof example === "object" && example !== null ? Object.entries(example) : [];
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 5_000 }), fc.double());
    const changed = fc.tuple(fc.constantFrom(...fields.map(([key]) => key), "more", "__proto__"), value);
    const whole = JSON.stringify(example ?? {});
    return fc.oneof(
        { weight: example === undefined ? 40 : 5, arbitrary: fc.constant(example === undefined ? "" : whole) },
        { weight: 4, arbitrary: changed.map(([key, other]) => JSON.stringify({ ...Object(example), [key]: other })) },
        changed.map(([gone]) => JSON.stringify(Object.fromEntries(fields.filter(([key]) => key !== gone)))),
        fc.json(),
        fc.string({ maxLength: 50 }),
        fc.nat(200).map((depth) => "[".repeat(depth * 50)),
        fc.nat(whole.length).map((length) => whole.slice(0, length)),
    );
}

function queries(junk: fc.Arbitrary<string>): fc.Arbitrary<string> {
    const name = fc.constantFrom("start", "limit", "record", "time", "environmentId", "after", "search", "status");
    const value = fc.oneof(
        fc.constantFrom("0", "1", "10", "-1", "1e9", "true", "false", "", "NaN", "%zz", "99999999999999999999"),
        junk,
    );
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 4 });
    return fc.oneof(
        { weight: 3, arbitrary: fc.constant("") },
        pairs.map((list) => list.map((pair) => pair.join("=")).join("&")),
    );
}

const right = `Basic ${Buffer.from("emulator-token-id:emulator-secret-key").toString("base64")}`;

function headers(junk: fc.Arbitrary<string>): fc.Arbitrary<[string, string][]> {
    const mostly = (usual: string, ...others: fc.Arbitrary<string>[]) =>
        fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, ...others);
    return fc
        .record({
            host: mostly("127.0.0.1", fc.constantFrom("site.example", "[::1]", "localhost:1", "[", "@", "a:b:c"), junk),
            authorization: mostly(right, fc.constantFrom("Basic", "Basic !", "Bearer x", "Basic Og==", ""), junk),
            "content-type": mostly(
                "application/json",
                fc.constantFrom("text/plain", "application/json; charset=utf-8", ""),
                junk,
            ),
            more: fc.oneof(
                { weight: 12, arbitrary: fc.constant(["accept", "*/*"]) },
                fc.tuple(
                    fc.constantFrom("origin", "range", "expect", "upgrade", "transfer-encoding", "cookie", "x"),
                    fc.oneof(
                        fc.constantFrom("bytes=0-", "bytes=-1", "100-continue", "chunked", "null", "websocket"),
                        junk,
                    ),
                ),
                fc.nat(9).map((size) => ["x-long", "x".repeat(size * 2_000)]),
            ),
        })
        .map(({ more, ...fixed }) => [...Object.entries(fixed), [more[0] ?? "", more[1] ?? ""]]);
}

function spoils(): fc.Arbitrary<Call["spoil"]> {
    const spoil = fc.record({ at: fc.nat(600), count: fc.nat(8), by: fc.string({ unit: "binary", maxLength: 4 }) });
    return fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, spoil);
}

/** What can stand in a line of a request: anything but blanks and the line's end. */
function visible(text: string): string {
    return text.replace(/[\s\0]/g, "");
}

interface Received {
    readonly status: number;
    readonly contentType: string | null;
    readonly text: string;
}

/** One request over a connection of its own. Undefined when there was nothing but the connection's end. */
async function exchange(emulator: Emulator, call: Call): Promise<Received | undefined> {
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
    return parse(bytes);
}

function encode(emulator: Emulator, { method, path, query, headers, body, spoil }: Call): Buffer {
    const objects = [
        ...emulator.contents().map(({ contentId }) => contentId),
        ...emulator.livestreams().map(({ streamUUID }) => streamUUID),
    ];
    const id = objects[(path.length + body.length) % Math.max(objects.length, 1)] ?? "none";
    const target = path.replaceAll(anId, id) + (query === "" ? "" : `?${query}`);
    const lines = headers.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
    const payload = Buffer.from(body);
    const length = payload.length > 0 ? [`content-length: ${payload.length}`] : [];
    const head = [`${method} ${target} HTTP/1.1`, ...lines, ...length, "connection: close", "", ""].join("\r\n");
    const bytes = Buffer.concat([Buffer.from(head), payload]);
    if (spoil === null) return bytes;
    const at = Math.min(spoil.at, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(spoil.by), bytes.subarray(at + spoil.count)]);
}

function parse(bytes: Buffer): Received | undefined {
    if (bytes.length === 0) return undefined;
    const end = bytes.indexOf("\r\n\r\n");
    const head = bytes.subarray(0, end).toString("latin1");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    // The answer proper comes after "100 Continue".
    if (status === 100) return parse(bytes.subarray(end + 4));
    const contentType = /^content-type: (.*)$/im.exec(head)?.[1] ?? null;
    return { status, contentType, text: bytes.subarray(end + 4).toString("utf8") };
}

function heapUsed(): number {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    return process.memoryUsage().heapUsed;
}
