// What the emulator is given, and a client or a person may have wrong: bodies of its API and of its control endpoint, faults, variants, seeds, and the
// lines of a state file. Each field of each, missing, doubled and of every other type: refused by name, or taken, and never an error of the emulator.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { validateHeaderValue } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, startEmulator } from "videograph-emulator";
import { EmulatorCore, LostAnswer } from "videograph-emulator/core";
import * as control from "../../emulator/dist/control.js";
import { faultSchema } from "../../emulator/dist/faults.js";
import { ServiceError } from "../../emulator/dist/http.js";
import * as bodies from "../../emulator/dist/requestSchemas.js";
import { contentSeed, livestreamSeed, readSeed, seedFile } from "../../emulator/dist/seed.js";
import { initialSigningKeys } from "../../emulator/dist/signingKeys.js";
import { StateFile, stateLine } from "../../emulator/dist/stateFile.js";
import { Store } from "../../emulator/dist/store.js";
import { variantTable } from "../../emulator/dist/variants.js";
import type { Schema } from "../../provider/dist/definitions/definition.js";
import { anyJson, changedForms } from "../support/changedForms.ts";
import { channel, startCore } from "./support.ts";

type Body = Record<string, unknown>;

const subtitle = {
    url: "https://media.test/en.vtt",
    name: "English",
    language_code: "en",
    support_closed_captions: true,
};
const texts = { description: "d", tags: ["a"], metadata: [{ key: "a", value: "b" }] };
const film = {
    ...{ title: "Film", content: [{ url: "https://media.test/a.mp4" }], playback_policy: ["public"], ...texts },
    ...{ watermark: [{ url: "https://media.test/a.png", x_pos: "1px", opacity: "1" }], subtitle: [subtitle] },
    ...{ mp4_support: true, save_original_copy: true, test_video: true },
};
const stream = { ...channel, ...texts, playback_policy: ["public"], recordings_playback_policy: ["signed"] };

/** What all routes that show objects answer: none may fail. */
async function readAll(core: EmulatorCore): Promise<void> {
    const { id, secret } = core.token;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
    const get = (path: string) =>
        core.handle({ method: "GET", url: `/video/services/api/v1${path}`, headers: { authorization } });
    for (const path of ["/contents", "/livestreams", "/signing-keys"]) await get(path);
    for (const { contentId } of core.contents())
        for (const part of ["", "/subtitles"]) await get(`/contents/${encodeURIComponent(contentId)}${part}`);
    for (const { streamUUID } of core.livestreams()) await get(`/livestreams/${encodeURIComponent(streamUUID)}`);
    for (const view of ["videos", "requests"] as const) core.overview({ view, filter: "a", limit: 10 });
}

describe("emulator: what it is given", () => {
    it("refuses a body of the API by its field, and never breaks at one that it takes", async () => {
        const { core, call, content, stream: channelId, clock } = startCore();
        const [one, live] = [await content(), await channelId()];
        await clock.advance(2_000);
        const routes: [request: string, schema: Schema, body: Body][] = [
            ["POST /contents", bodies.contentCreate, film],
            [`PUT /contents/${one}`, bodies.contentUpdate, { title: "Film", ...texts, save_original_copy: true }],
            [`POST /contents/${one}/subtitles`, bodies.subtitleCreate, subtitle],
            [
                `POST /contents/${one}/thumbnails`,
                bodies.thumbnailCreate,
                { videoPositionInSec: 1, width: 1, height: 1 },
            ],
            [
                `POST /contents/${one}/clips`,
                bodies.clipCreate,
                { startTimeInSecs: 0, endTimeInSecs: 1, title: "c", ...texts },
            ],
            ["POST /livestreams", bodies.livestreamCreate, { ...stream, dvrDurationInMins: 1 }],
            [`PUT /livestreams/${live}`, bodies.livestreamUpdate, { title: "Live", ...texts, dvrDurationInMins: 1 }],
            [
                `POST /livestreams/${live}/clips`,
                bodies.liveClipCreate,
                { startTime: 0, endTime: 1, title: "c", ...texts },
            ],
        ];
        for (const [request, schema, body] of routes) {
            const [method = "", path = ""] = request.split(" ");
            assert.ok((await call(method, path, body)).status < 300, request);
            for (const { path: place, broken, isTaken } of changedForms(schema, body)) {
                const { status, json } = await call(method, path, broken);
                // A clip may end after its source.
                assert.ok(
                    isTaken ? [200, 201, 400].includes(status) : status === 400,
                    `${request}, ${place}: ${status}`,
                );
                if (!isTaken) assert.match(json.message, new RegExp(`${place.split(/[.[]/, 1)}|Unrecognized`), place);
            }
            for (const text of ["", "{", "null", "[]", "5"]) assert.equal((await call(method, path, text)).status, 400);
        }
        await readAll(core);
    });

    it("refuses a body of the control endpoint by its field, and never breaks at one that it takes", async () => {
        const { core } = startCore();
        const ids = [core.addContent({ title: "Film" }).contentId, core.addLivestream({ title: "Live" }).streamUUID];
        const change = { title: "New", ...texts, playbackPolicy: ["public"], status: "Ready" };
        const plain = { mp4Support: true, saveOriginalCopy: true, testVideo: true };
        const routes: [request: string, schema: Schema, body: Body][] = [
            ["POST /contents", contentSeed, { ...film, environmentId: 1, status: "Failed", reason: "r" }],
            ["POST /livestreams", livestreamSeed, { ...stream, environmentId: 1, status: "Active" }],
            [`PATCH /contents/${ids[0]}`, control.contentChangeSchema, { ...change, ...plain, reason: "r" }],
            [
                `PATCH /livestreams/${ids[1]}`,
                control.livestreamChangeSchema,
                { ...change, region: "r", record: true, streamKey: "k" },
            ],
            ["POST /tokens", control.tokenSchema, { id: "added", secret: "s", environmentId: 1, access: "full" }],
            ["POST /clock", control.advanceSchema, { advanceMs: 1 }],
        ];
        for (const [request, schema, body] of routes) {
            const [method = "", path = ""] = request.split(" ");
            const send = async (value: unknown) => {
                const headers = { "content-type": "application/json" };
                const sent = { method, path: `/_emulator${path}`, query: new URLSearchParams(), headers };
                return await control.control(core, { ...sent, text: JSON.stringify(value) });
            };
            assert.equal((await send(body)).status, 200, request);
            for (const { path: place, broken, isTaken } of changedForms(schema, body))
                await send(broken).then(
                    () => assert.ok(isTaken, `${request}, ${place}`),
                    (error) => assert.ok(error instanceof ServiceError, `${request}, ${place}: ${error.stack}`),
                );
            await readAll(core);
        }
    });

    it("refuses a fault and a variant by its field, and breaks at none that it takes", async () => {
        const { core, call } = startCore();
        const when = "before" as const;
        const faults: Fault[] = [
            {
                kind: "status",
                status: 503,
                retryAfter: "1",
                when,
                body: "json",
                method: "GET",
                path: "/contents",
                title: "t",
            },
            { kind: "redirect", to: "https://other.test", status: 302, when, tokenId: "t", after: 0, times: 1 },
            {
                kind: "answer",
                status: 200,
                json: {},
                text: "t",
                contentType: "text/plain",
                when,
                probability: 1,
                seed: 1,
            },
            { kind: "body", body: "noData" },
            { kind: "otherObject" },
            { kind: "truncate" },
        ];
        for (const fault of faults)
            for (const { path, broken, isTaken } of changedForms(faultSchema, fault)) {
                if (!isTaken) {
                    assert.throws(() => core.inject(broken as unknown as Fault), ServiceError, path);
                    continue;
                }
                const { headers } = await call("GET", "/contents", undefined, {
                    faults: [broken as unknown as Fault],
                }).catch((error) =>
                    error instanceof LostAnswer ? { headers: {} } : assert.fail(`${path}: ${error.stack}`),
                );
                for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, String(value));
            }
        core.addContent({ title: "Film" });
        for (const name of Object.keys(variantTable)) {
            const before = core.variants;
            for (const value of anyJson)
                try {
                    core.setVariants({ [name]: value });
                    await readAll(core);
                    await call("POST", "/contents", film);
                } catch (error) {
                    assert.ok(error instanceof ServiceError, `${name}: ${JSON.stringify(value)}: ${error}`);
                }
            core.setVariants(before);
        }
    });

    it("refuses a public URL that is none", async () => {
        for (const publicUrl of ["", "video.test", "mailto:a@video.test"])
            await assert.rejects(startEmulator({ publicUrl }), /Invalid public URL: must be an http or https URL/);
    });
});

describe("emulator: files that somebody has changed", () => {
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "emulator-records-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("of seeds are refused by their field", async () => {
        const path = join(folder, "seed.json");
        for (const form of changedForms(seedFile, {
            contents: [{ title: "Film" }],
            livestreams: [{ title: "Live" }],
        })) {
            await writeFile(path, JSON.stringify(form.broken));
            if (form.isTaken) readSeed(path)(new EmulatorCore());
            else assert.throws(() => readSeed(path), /--seed .* cannot be used: /, form.path);
        }
        for (const text of ["", "null", "[]", "{"]) {
            await writeFile(path, text);
            assert.throws(() => readSeed(path), /--seed .* cannot be used: /, text);
        }
    });

    it("of the state are refused by their line, and what is taken can be shown", async () => {
        const { core, clock } = startCore();
        const changes: object[] = [];
        core.onChange = (change) => changes.push(change);
        const { contentId } = core.addContent({ ...film, playback_policy: ["public"] });
        await clock.advance(5_000);
        core.setContentStatus(contentId, "Failed", "why");
        const { streamUUID } = core.addLivestream({ title: "Live" });
        core.deleteLivestream(streamUUID);
        const content = {
            ...core.contents()[0],
            clip: { contentId: "c", startTime: 0, endTime: 1 },
            thumbnailAtSec: 1,
        };
        const failed = { content: { ...content, outcome: { playable: false, reason: "why" } } };
        const records = [
            { content },
            failed,
            ...changes.filter((change) => !("content" in change)),
            { contentDeleted: { environmentId: 1, id: contentId } },
            { signingKey: initialSigningKeys(1)[0] },
        ];
        let refused = 0;
        const path = join(folder, "state.jsonl");
        for (const record of records)
            for (const { path: place, broken, isTaken } of changedForms(stateLine, record as Body)) {
                if (record === failed && !place.startsWith("content.outcome")) continue;
                await writeFile(
                    path,
                    `${JSON.stringify({ signingKey: initialSigningKeys(2)[0] })}\n${JSON.stringify(broken)}\n`,
                );
                const store = new Store();
                if (!isTaken) {
                    refused++;
                    await assert.rejects(
                        StateFile.open(path, store, 0),
                        /damaged in line 2; repair or remove it/,
                        place,
                    );
                    continue;
                }
                const file = await StateFile.open(path, store, 0);
                await readAll(new EmulatorCore({ store }));
                await file.close();
            }
        assert.ok(refused > 500, String(refused));
        // Of a field that is there twice, and of two lines about one object, the last one counts.
        const twice = JSON.stringify({ content: { ...content, title: "Last" } }).replace(
            '"title"',
            '"title":5,"title"',
        );
        await writeFile(path, `${JSON.stringify({ content })}\n${twice}\n`);
        const store = new Store();
        await (await StateFile.open(path, store, 0)).close();
        assert.deepEqual(
            store.contents().map(({ title }) => title),
            ["Last"],
        );
    });
});
