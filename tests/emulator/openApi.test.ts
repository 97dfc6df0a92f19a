// The contract as an OpenAPI document: valid, complete, what the package ships, and what the emulator keeps to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { startEmulator, type Variants } from "videograph-emulator";
import { variantTable } from "../../emulator/dist/variants.js";
import { apiRoot, channel, minimal, startCore } from "./support.ts";

interface Operation {
    readonly operationId: string;
    readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: object } } };
}

const shipped = JSON.parse(await readFile(new URL("../../emulator/dist/openapi.json", import.meta.url), "utf8"));
const operations = Object.entries<Record<string, Operation>>(shipped.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody }]) => ({
        ...{ method: method.toUpperCase(), path: path.slice(apiRoot.length), operationId },
        example: requestBody?.content["application/json"].example,
    })),
);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: "openapi", ...shipped });

type Answer = Pick<Awaited<ReturnType<ReturnType<typeof startCore>["call"]>>, "status" | "headers" | "text">;

/** Throws when the document does not allow the answer to a request. `path` is below the API's root. */
function checkAnswer(method: string, path: string, { status, headers, text }: Answer): void {
    // A refusal may say nothing.
    if (status >= 400 && text === "") return;
    const type = String(headers["content-type"]).split(";")[0] ?? "";
    const called = operations.find((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path));
    const answer =
        status >= 400 && status < 500
            ? ["components", "responses", "Refusal"]
            : ["paths", `${apiRoot}${called?.path}`, method.toLowerCase(), "responses", `${status}`];
    const parts = [...answer, "content", type, "schema"].map((part) => encodeURIComponent(part.replaceAll("/", "~1")));
    const validate = ajv.getSchema(`openapi#/${parts.join("/")}`);
    assert.ok(validate, `${method} ${path} may not answer ${status} as ${type}`);
    const value = type === "application/json" ? JSON.parse(text) : text;
    assert.ok(validate(value), `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}\n${text}`);
}

describe("emulator: OpenAPI document", () => {
    it("is valid, and names the emulator that serves it", async () => {
        const { valid, errors } = await new Validator().validate(structuredClone(shipped));
        assert.deepEqual([valid, errors], [true, undefined]);
        await using emulator = await startEmulator({ publicUrl: "https://video.test/" });
        const served = await (await fetch(`${emulator.url}/_emulator/openapi.json`)).json();
        assert.deepEqual(served, { ...shipped, servers: [{ url: "https://video.test" }] });
    });

    it("has an example for every request, which the emulator accepts", async () => {
        const { clock, content, stream, call } = startCore();
        const ids: Record<string, string> = { contentId: await content(), streamUUID: await stream() };
        await clock.advance(1000);
        for (const { method, path, operationId, example } of operations) {
            if (example === undefined) continue;
            const sent = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
            assert.ok((await call(method, sent, example)).status < 400, operationId);
        }
    });

    /** One request of each kind, before and after everything has been processed. */
    async function keepsTo(variants: Partial<Variants>): Promise<void> {
        const { core, clock, call, content, stream } = startCore({ variants });
        const send = async (method: string, path: string, body?: unknown) => {
            checkAnswer(method, path.replace(/\?.*/, ""), await call(method, path, body));
        };
        const [one, two] = [await content({ tags: ["b", "a"], description: "d" }), await stream()];
        await send("POST", "/contents", minimal);
        await send("POST", "/livestreams", channel);
        core.setContentStatus(core.addContent({ title: "Broken" }).contentId, "Failed", "no video");
        for (const _when of ["before", "after"]) {
            for (const { contentId } of core.contents()) await send("GET", `/contents/${contentId}`);
            await send("GET", "/contents");
            await send("GET", "/contents?start=50&limit=1000");
            await send("PUT", `/contents/${one}`, { title: "New" });
            await send("POST", `/contents/${one}/clips`, { startTimeInSecs: 0, endTimeInSecs: 1 });
            await send("GET", `/livestreams/${two}`);
            await send("GET", "/livestreams");
            await send("PUT", `/livestreams/${two}`, { title: "New" });
            await send("GET", "/signing-keys");
            await send("GET", "/contents/none");
            await send("POST", "/contents", {});
            await clock.advance(1000);
        }
        await send("DELETE", `/livestreams/${two}`);
        await send("GET", `/livestreams/${two}`);
        await send("DELETE", `/contents/${one}`);
    }

    it("is kept to by default, and with every variant but two", async () => {
        await keepsTo({});
        for (const name of Object.keys(variantTable) as (keyof Variants)[]) {
            if (name === "fields" || name === "deleteBody") continue;
            for (const value of otherValues(name)) await keepsTo({ [name]: value });
        }
        await assert.rejects(keepsTo({ fields: { streamKey: "number" } }), assert.AssertionError);
        await assert.rejects(keepsTo({ deleteBody: "ok" }), assert.AssertionError);
    });

    it("is kept to whatever is sent: its own requests with spoiled paths, methods, queries, headers and bodies", async () => {
        const { core, call, content, stream } = startCore();
        const ids = [await content(), await stream(), ..."none %zz %00 .. a%2Fb * __proto__ constructor".split(" ")];
        const deep = fc.constant("[".repeat(5_000));
        const spoiled = fc.constantFrom(...operations).chain(({ method, path, example = {} }) => {
            const field = fc.tuple(fc.constantFrom(...Object.keys(example), "more", "__proto__"), fc.jsonValue());
            const changed = field.map(([key, value]) => JSON.stringify({ ...example, [key]: value }));
            return fc.record({
                method: fc.oneof(fc.constant(method), fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH")),
                path: fc.constantFrom(...ids).map((id) => path.replace(/\{\w+\}/g, () => id)),
                query: fc.constantFrom("", "?start=-1", "?limit=1e9", "?record=%zz", "?start=99999999999999999999"),
                type: fc.constantFrom("application/json", "application/json", "text/plain", ""),
                body: fc.oneof(fc.constant(JSON.stringify(example)), changed, fc.json(), deep),
            });
        });
        const property = fc.asyncProperty(spoiled, async ({ method, path, query, type, body }) => {
            const sent = method === "GET" || method === "DELETE" ? undefined : body;
            const answer = await call(method, path + query, sent, { headers: { "content-type": type } });
            assert.ok(answer.status < 500, answer.text);
            checkAnswer(method, path, answer);
        });
        await fc.assert(property, { numRuns: 1_000 });
        assert.ok(core.requests.some(({ status }) => status === 201));
    });
});

/** What a variant may be other than its default. */
function otherValues(name: keyof Variants): unknown[] {
    const { values } = variantTable[name];
    if (typeof values !== "string") return values.slice(1);
    const byKind: Partial<Record<typeof values, unknown[]>> = {
        ...{ boolean: [true, false], count: [1], countOrNull: [1], milliseconds: [100, 500], offsetMs: [-120_000] },
        ...{ offsetMsOrNull: [null, 300_000], texts: [["Pending", "Processing"]] },
    };
    return byKind[values] ?? assert.fail(`${name} has no values to try`);
}
