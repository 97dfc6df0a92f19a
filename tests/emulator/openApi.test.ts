// The contract as an OpenAPI document: valid, complete, what the package ships, and what the emulator keeps to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type Emulator, type EmulatorOptions, startEmulator, type Variants } from "videograph-emulator";
import { variantTable } from "../../emulator/dist/variants.js";
import { makeDocument } from "../../tools/emulator/openApi/document.ts";
import { contractOf, type OpenApiDocument } from "./contract.ts";
import { apiRoot, call, channel, createContent, createLivestream, minimal, startStill } from "./support.ts";

type Document = OpenApiDocument & Record<string, unknown>;

async function documentOf(emulator: Emulator): Promise<Document> {
    return (await (await fetch(`${emulator.url}/_emulator/openapi.json`)).json()) as Document;
}

describe("emulator: OpenAPI document", () => {
    it("is valid, and names the emulator that serves it", async () => {
        await using emulator = await startEmulator({ publicUrl: "https://video.test/" });
        const document = await documentOf(emulator);
        assert.deepEqual(document.servers, [{ url: "https://video.test" }]);
        const { valid, errors } = await new Validator().validate(structuredClone(document));
        assert.deepEqual([valid, errors], [true, undefined]);
    });

    it("ships as it is made and served; `npm run openapi --workspace videograph-emulator` renews it", async () => {
        const shipped = JSON.parse(await readFile(new URL("../../emulator/openapi.json", import.meta.url), "utf8"));
        assert.deepEqual(JSON.parse(JSON.stringify(await makeDocument())), shipped);
        await using emulator = await startEmulator();
        assert.deepEqual({ ...(await documentOf(emulator)), servers: shipped.servers }, shipped);
    });

    it("has an example for every request and every answer, and allows each", async () => {
        await using emulator = await startEmulator();
        const document = await documentOf(emulator);
        const contract = contractOf(document);
        let answers = 0;
        for (const [path, operations] of Object.entries(document.paths)) {
            for (const [method, { operationId, requestBody, responses }] of Object.entries(operations)) {
                if (requestBody !== undefined) assert.ok(requestBody.content["application/json"].example, operationId);
                for (const [status, response] of Object.entries(responses)) {
                    if ("$ref" in response) continue;
                    const example = response.content["application/json"]?.example;
                    assert.ok(example, `${operationId} ${status}`);
                    const answered = { method, path, status: Number(status), contentType: "application/json" };
                    contract.allows({ ...answered, text: JSON.stringify(example) });
                    answers++;
                }
            }
        }
        assert.ok(answers > 20);
        const refusals = document.components.responses.Refusal.content["application/json"]?.examples ?? {};
        assert.equal(Object.keys(refusals).length, 7);
    });

    /** One request of each kind, twice: before and after everything has been processed. */
    async function touchEverything(emulator: Emulator, turn: () => void): Promise<void> {
        const contract = contractOf(await documentOf(emulator));
        const send = async (method: string, path: string, body?: unknown) => {
            const { status, headers, text } = await call(emulator, method, path, body);
            const bare = (apiRoot + path).replace(/\?.*/, "");
            contract.allows({ method, path: bare, status, contentType: headers.get("content-type"), text });
        };
        const content = await createContent(emulator, { tags: ["b", "a"], description: "d" });
        await send("POST", "/contents", minimal);
        await send("POST", "/livestreams", channel);
        const stream = await createLivestream(emulator);
        emulator.setContentStatus(emulator.addContent({ title: "Broken" }).contentId, "Failed", "no video");
        for (const _when of ["before", "after"]) {
            for (const { contentId } of emulator.contents()) await send("GET", `/contents/${contentId}`);
            await send("GET", "/contents");
            await send("GET", "/contents?start=50&limit=1000");
            await send("PUT", `/contents/${content}`, { title: "New" });
            await send("POST", `/contents/${content}/clips`, { startTimeInSecs: 0, endTimeInSecs: 1 });
            await send("GET", `/livestreams/${stream}`);
            await send("GET", "/livestreams");
            await send("PUT", `/livestreams/${stream}`, { title: "New" });
            await send("GET", "/signing-keys");
            await send("GET", "/contents/none");
            await send("POST", "/contents", {});
            turn();
        }
        await send("DELETE", `/livestreams/${stream}`);
        await send("GET", `/livestreams/${stream}`);
        await send("DELETE", `/contents/${content}`);
    }

    async function keepsTo(options: EmulatorOptions): Promise<void> {
        const { emulator, clock } = await startStill(options);
        await using _ = emulator;
        await touchEverything(emulator, () => clock.advance(1000));
    }

    it("is kept to by default", () => keepsTo({}));

    for (const [name, entry] of Object.entries(variantTable)) {
        if (entry.beyondContract) continue;
        it(`is kept to whatever ${name} is`, async () => {
            for (const value of otherValues(name as keyof Variants)) {
                await keepsTo({ variants: { [name]: value } });
            }
        });
    }

    it("is broken by the variants that are marked so", async () => {
        const beyond: Partial<Variants>[] = [
            { fields: { streamKey: "number" } },
            { randomFields: 1 },
            { deleteBody: "ok" },
        ];
        for (const variants of beyond) await assert.rejects(keepsTo({ variants }), assert.AssertionError);
        const names = Object.entries(variantTable).filter(([, entry]) => entry.beyondContract);
        assert.deepEqual(names.map(([name]) => name).sort(), ["deleteBody", "fields", "randomFields"]);
    });
});

/** Positions of a switch other than its default. */
function otherValues(name: keyof Variants): unknown[] {
    const { values } = variantTable[name];
    if (typeof values !== "string") return values.slice(1);
    const byKind: Partial<Record<typeof values, unknown[]>> = {
        boolean: [true, false],
        count: [1],
        countOrNull: [1],
        delay: [100, [0, 2000]],
        milliseconds: [500],
        offsetMs: [-120_000],
        offsetMsOrNull: [null, 300_000],
        textOrNull: ["reason", null],
        texts: [["Pending", "Processing"]],
    };
    return byKind[values] ?? assert.fail(`${name} has no values to try`);
}
