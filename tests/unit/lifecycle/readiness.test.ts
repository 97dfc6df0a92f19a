/** What ContentReadiness says of contents that did not become Ready (A11, issue 13.7). */
import assert from "node:assert/strict";
import { PartialFailure } from "../../../provider/dist/lifecycle/index.js";
import { Managers } from "../../../provider/dist/operation/managers.js";
import type { Operation } from "../../../provider/dist/operation/operation.js";
import { contentReadiness } from "../../../provider/dist/resources/contentReadiness/lifecycle.js";
import { Watcher } from "../../../provider/dist/wait/watcher.js";
import { FakeClock } from "../../support/fakeClock.ts";
import { scriptedApi } from "../../support/scriptedApi.ts";
import { rejection } from "../api/support.ts";

describe("a ContentReadiness whose contents do not become Ready", () => {
    let rows: string[];
    let elapsedMs: number;

    /** Fails to wait for contents that each answer this, or nothing. */
    const failure = async (
        contents: Record<string, object | undefined>,
        {
            named = {},
            sources = {},
            limitMs,
        }: { named?: Record<string, string>; sources?: Record<string, string>; limitMs?: number } = {},
    ) => {
        const clock = new FakeClock();
        const api = scriptedApi(clock, ({ id }) => {
            if (id === undefined) return { data: [] };
            const content = contents[id];
            return content === undefined ? { status: 404 } : { data: { contentId: id, ...content } };
        });
        const managers = new Managers();
        for (const [id, urn] of Object.entries(named)) managers.note(id, urn);
        for (const [id, url] of Object.entries(sources)) managers.describe(id, { content: [{ url }] });
        rows = [];
        const operation = {
            urn: undefined,
            timeouts: limitMs === undefined ? {} : { create: limitMs },
            progress: (row: string) => rows.push(row),
            info() {},
            warn() {},
            signal: new AbortController().signal,
            environment: { api, clock, random: () => 0.5, managers, watcher: new Watcher(api, clock) },
        } as unknown as Operation;
        const inputs = { contentIds: Object.keys(contents) };
        const error = await clock.runUntil(rejection(PartialFailure, contentReadiness.create(inputs, operation)));
        elapsedMs = clock.elapsed;
        return error;
    };
    const failed = (reason?: string) => ({ status: "Failed", ...(reason !== undefined && { reason }) });

    it("shows of a URL in the service's words only where it leads: all else may be secret", async () => {
        for (const url of [
            "https://user:hunter2@media.example/t.mp4",
            "https://media.example/t.mp4?X-Amz-Signature=hunter2",
            "https://media.example/hunter2/t.mp4",
            "https:\\/\\/media.example\\/hunter2\\/t.mp4",
            "https%3A%2F%2Fmedia.example%2Fhunter2%2Ft.mp4",
        ]) {
            const { message, outputs } = await failure({ a: failed(`cannot fetch ${url} (timeout)`) });
            assert.match(message, /a: cannot fetch https.*media\.example.*\(timeout\)/);
            assert.doesNotMatch(message + JSON.stringify(outputs), /hunter2/);
        }
    });

    it("names each on a line of its own, by its id and the resource that this run knows", async () => {
        const urn = "urn:pulumi:dev::site::my:Library$videograph:index:Content::trailer";
        const { message } = await failure(
            { a: failed("no video track."), b: failed(), c: { status: "Ready" } },
            { named: { a: urn } },
        );
        assert.equal(
            message,
            "2 of 3 contents did not become Ready. Fix the source URLs of those that Failed, then run `pulumi up --refresh`: it " +
                "replaces them. [VG4009]\n  - a (trailer): no video track\n  - b: Failed (no reason given)",
        );
    });

    it("S3: shows no part of a source that this run knows, such as its path alone", async () => {
        const { message, outputs } = await failure(
            { a: failed("cannot read /hunter2/t.mp4 (object hunter2/t.mp4)") },
            { sources: { a: "https://media.example/hunter2/t.mp4" } },
        );
        assert.match(message, /a: cannot read \[content\[0\]\.url\] \(object \[content\[0\]\.url\]\)/);
        assert.doesNotMatch(message + JSON.stringify(outputs), /hunter2/);
    });

    it("L1: names the one that is waited for in few columns", async () => {
        const urn = "urn:pulumi:dev::site::videograph:index:Content::feature-film";
        await failure({ a: failed("x"), b: { status: "Preparing" }, c: { status: "Ready" } }, { named: { b: urn } });
        assert.equal(rows.at(-1), "1/3 ready, 1 failed: feature-film");
    });

    it("ends in its time where contents are missing", async () => {
        await failure({ a: undefined }, { limitMs: 3_000 });
        assert.ok(elapsedMs < 4_000, `${elapsedMs} ms`);
    });

    it("lists the first ten, and counts the others", async () => {
        const many = Object.fromEntries(Array.from({ length: 1_234 }, (_, i) => [`c${i}`, failed("x")]));
        const lines = (await failure(many)).message.split("\n");
        assert.equal(lines.length, 12);
        assert.match(lines[0] ?? "", /^1,234 of 1,234 contents/);
        assert.equal(lines.at(-1), "  - and 1,224 more");
    });

    it("says of each kind of problem what to do", async () => {
        const { message } = await failure({ a: failed("x"), b: { status: "Preparing" }, c: undefined });
        assert.match(
            message,
            /Failed, then run.*missing, run `pulumi up --refresh`.*continues to wait for the others\./,
        );
        assert.match(message, /\n {2}- b: not Ready after 1 h: status Preparing(\n|$)/);
        assert.match(message, /\n {2}- c: missing \(HTTP 404\)(\n|$)/);
    });
});
