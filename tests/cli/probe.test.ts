/** `pulumi-videograph probe`: what it reports of a service, and that nothing of it is left there. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type EmulatorOptions, startEmulator, type Variants } from "videograph-emulator";
import { readContractReport } from "../../emulator/dist/contractReport.js";
import { type MediaServer, startMediaServer } from "../support/media.ts";
import { waitFor } from "../support/waitFor.ts";
import { type Ended, run, start } from "./support.ts";

interface Finding {
    id: string;
    name: string;
    verdict: string;
    seen: string;
    endangers: string[];
}

interface Report {
    problem?: string;
    findings: Finding[];
    variants: Record<string, unknown>;
    left: string[];
}

/** Each switch that a probe can see, in another position; the assumptions that this contradicts. */
const turns: [Partial<Variants>, ...string[]][] = [
    [{ createCode: 200 }, "createCode"],
    [{ createData: "terse" }, "createData"],
    [{ idShape: "opaque" }, "idShape"],
    [{ idShape: "numeric" }, "idShape"],
    [{ idShape: "number" }, "idShape"],
    [{ titles: "trimmed" }, "title"],
    [{ titles: "collapsed" }, "title"],
    [{ policyKey: "playbackPolicy" }, "policyKey"],
    [{ contentCreatedKey: "createdOn" }, "contentCreatedKey"],
    [{ livestreamCreatedKey: "created_at" }, "livestreamCreatedKey"],
    [{ ingestKey: "ingestUrl" }, "ingestKey"],
    [{ ingestKey: "both" }, "ingestKey"],
    [{ rtmpsUrl: "empty" }, "rtmpsUrl"],
    [{ thumbnails: "thumbnails" }, "thumbnails"],
    [{ thumbnails: "none" }, "thumbnails"],
    [{ itemThumbnails: "ready" }, "itemThumbnails"],
    [{ statusId: "none" }, "statusId"],
    [{ emptyFields: "omitted" }, "emptyFields"],
    [{ emptyFields: "null" }, "emptyFields"],
    [{ collections: "sorted" }, "collections"],
    [{ collections: "reversed" }, "collections"],
    [{ listMetadata: true }, "listMetadata"],
    [{ listTags: true }, "listTags"],
    [{ listOrder: "oldest" }, "listOrder"],
    [{ pastEnd: 404 }, "pastEnd"],
    [{ overMaximum: "reject" }, "pageMaximum"],
    [{ livestreamPaging: true }, "livestreamPaging"],
    [{ put: "replace" }, "put"],
    [{ putData: false }, "putData"],
    [{ deleteData: true }, "deleteData"],
    [{ deleteBody: "ok" }, "deleteBody", "livestreamDelete"],
    [{ deleteBody: "success" }, "deleteBody", "livestreamDelete"],
    [{ deleteBody: "empty" }, "deleteBody", "livestreamDelete"],
    [{ whileDeleting: "notFound" }, "whileDeleting"],
    [{ subtitleBeforeReady: 409 }, "subtitleBeforeReady"],
    [{ subtitleList: "empty" }, "subtitleList"],
    [{ subtitleList: 404 }, "subtitleList"],
    [{ notFoundBody: "html" }, "notFoundBody"],
    [{ errorBody: "html" }, "errorBody", "notFoundBody"],
    [{ invalidCode: 422 }, "invalid"],
    [{ unauthorizedCode: 403 }, "unauthorized"],
    [{ challenge: true }, "challenge"],
    [{ dateSkewMs: null }, "createdTime", "date"],
    [{ fields: { streamKey: "number" } }, "streamKey"],
    // No difference to what the package relies on, but one that the emulator takes on.
    [{ pendingStatuses: ["Processing"] }],
];

describe("pulumi-videograph probe", function () {
    this.timeout(300_000);
    let media: MediaServer;
    let folder: string;
    before(async () => {
        media = await startMediaServer();
        folder = await mkdtemp(join(tmpdir(), "videograph-probe-"));
    });
    after(async () => {
        await media[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
    });

    async function service(options: EmulatorOptions = {}): Promise<Emulator> {
        // Long enough for a busy machine to see what is on its way.
        const emulator = await startEmulator({ processingTimeMs: 2_500, deletingTimeMs: 2_500, ...options });
        // Of one content alone nobody sees an order; of few nobody sees a largest page.
        emulator.addContent({ title: "First" });
        emulator.addContent({ title: "Second" });
        return emulator;
    }

    const around = (emulator: Pick<Emulator, "env">) => ({
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, PULUMI_HOME: join(folder, "home"), ...emulator.env },
    });
    const files = () => ["--source", media.video(), "--subtitle", media.video("en.vtt")];
    const args = (...more: string[]) => ["probe", "--yes", "--json", ...files(), ...more];
    let reports = 0;
    async function probe(emulator: Emulator, ...more: string[]): Promise<Report & { file: string; ended: Ended }> {
        const file = join(folder, `report-${reports++}.json`);
        const ended = await run(args("--report", file, ...more), around(emulator));
        return { ...(JSON.parse(await readFile(file, "utf8")) as Report), file, ended };
    }
    const contradicted = ({ findings }: Report) =>
        findings
            .filter(({ verdict }) => verdict === "contradicted")
            .map(({ name }) => name)
            .sort();
    const ours = (emulator: Emulator) => [
        ...emulator.contents().filter(({ title }) => title.startsWith("pulumi-videograph probe")),
        ...emulator.livestreams().filter(({ status }) => status !== "Deleting"),
    ];

    it("sends nothing and says what it would do, unless it is told to", async () => {
        await using emulator = await service();
        const { code, stdout } = await run(["probe"], around(emulator));
        assert.equal(code, 0);
        assert.match(stdout, /^Nothing was sent\. With --yes, the probe:/);
        const asJson = JSON.parse((await run(["probe", "--json"], around(emulator))).stdout) as { sent: number };
        assert.equal(asJson.sent, 0);
        assert.deepEqual(emulator.requests, []);
        assert.equal((await run(["probe", "--yes"], around(emulator))).code, 2);
    });

    it("confirms the emulator as it is, leaves nothing, and writes no secret", async () => {
        await using emulator = await service();
        const report = await probe(emulator);
        assert.equal(report.ended.code, 0, report.ended.stdout + report.ended.stderr);
        assert.deepEqual(contradicted(report), []);
        assert.deepEqual(report.variants, {});
        const unseen = report.findings.filter(({ verdict }) => verdict === "notShown").map(({ name }) => name);
        assert.deepEqual(unseen, ["pageMaximum"]);
        assert.deepEqual(ours(emulator), []);
        assert.equal(emulator.contents().length, 2);
        const text = await readFile(report.file, "utf8");
        for (const secret of [emulator.env.VIDEOGRAPH_SECRET_KEY, emulator.env.VIDEOGRAPH_ACCESS_TOKEN_ID]) {
            assert.ok(secret !== undefined && !text.includes(secret));
        }
    });

    it("names what a service does otherwise, and the emulator does the same with its report", async () => {
        const examine = async ([variants, ...expected]: (typeof turns)[number]) => {
            await using emulator = await service({ variants });
            const first = await probe(emulator);
            assert.deepEqual(first.variants, variants, JSON.stringify(variants));
            assert.deepEqual(contradicted(first), expected.sort(), JSON.stringify(variants));
            assert.deepEqual(ours(emulator), [], JSON.stringify(variants));
            assert.deepEqual(readContractReport(first.file), variants);
        };
        const problems: string[] = [];
        const waiting = [...turns];
        const worker = async () => {
            for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
                await examine(turn).catch((error: Error) => problems.push(error.message));
            }
        };
        await Promise.all(Array.from({ length: 12 }, worker));
        assert.deepEqual(problems, []);
    });

    it("measures what is late", async () => {
        await using emulator = await service({ variants: { visibleAfterMs: 1_200, listedAfterMs: 2_500 } });
        const report = await probe(emulator);
        assert.deepEqual(contradicted(report), ["listed", "visible"]);
        assert.deepEqual(Object.keys(report.variants).sort(), ["listedAfterMs", "visibleAfterMs"]);
        assert.ok(Number(report.variants.visibleAfterMs) >= 1_000);
        assert.deepEqual(ours(emulator), []);
    });

    it("ends with a clear report, and nothing left, where the service does not play along", async () => {
        const cases: [EmulatorOptions, RegExp, number][] = [
            [
                { tokens: [{ id: "t", secret: "s", environmentId: 1, access: "none" }] },
                /refuses these credentials \(HTTP 403\)/,
                1,
            ],
            [{ faults: [{ kind: "body", body: "html" }] }, /was answered with HTTP 200 and HTML instead of a list/, 1],
            [
                { tokens: [{ id: "t", secret: "s", environmentId: 1, access: "read" }] },
                /the create was answered with HTTP 403/,
                3,
            ],
            [{ faults: [{ kind: "processing", stuck: true }] }, /the last status was Preparing/, 3],
            [
                { faults: [{ kind: "reset", when: "after", method: "POST", after: 1 }] },
                /The probe ended early: POST \/contents/,
                1,
            ],
        ];
        await Promise.all(
            cases.map(async ([options, message, code]) => {
                await using emulator = await service(options);
                const ended = await run(
                    args("--timeout", "2s").filter((arg) => arg !== "--json"),
                    around(emulator),
                );
                assert.match(ended.stdout + ended.stderr, message);
                assert.equal(ended.code, code, ended.stdout + ended.stderr);
                assert.deepEqual(ours(emulator), []);
            }),
        );
        const { stdout, stderr, code } = await run(args(), {
            ...around({ env: { VIDEOGRAPH_BASE_URL: "http://127.0.0.1:1" } as unknown as Emulator["env"] }),
            env: {
                ...around({ env: {} as Emulator["env"] }).env,
                VIDEOGRAPH_BASE_URL: "http://127.0.0.1:1",
                VIDEOGRAPH_ACCESS_TOKEN_ID: "a",
                VIDEOGRAPH_SECRET_KEY: "b",
            },
        });
        assert.equal(code, 1);
        assert.match(stdout + stderr, /connection was refused/);
    });

    it("cleans up after Ctrl-C", async () => {
        await using emulator = await service({ faults: [{ kind: "processing", stuck: true }] });
        const running = start(args(), around(emulator));
        await waitFor("the content", () => ours(emulator).length === 1);
        running.kill("SIGINT");
        await running.ended;
        assert.deepEqual(ours(emulator), []);
    });
});
