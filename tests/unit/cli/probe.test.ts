/** `pulumi-videograph probe`: what it reports of a service, and that nothing of it is left there. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CoreOptions } from "videograph-emulator/core";
import { readContractReport } from "../../../emulator/dist/contractReport.js";
import type { Variants } from "../../../emulator/dist/variants.js";
import { advised } from "../../support/advised.ts";
import { World } from "./support.ts";

interface Report {
    findings: { name: string; verdict: string; seen: string }[];
    variants: Record<string, unknown>;
}

/** Each switch that a probe can see: its other positions; the assumptions that these contradict, if not the one of its name. */
const turns: Partial<Record<keyof Variants, [positions: unknown[], contradicted?: string[]]>> = {
    createCode: [[200]],
    createData: [["terse"]],
    idShape: [["opaque", "numeric", "number"]],
    titles: [["trimmed", "collapsed"], ["title"]],
    policyKey: [["playbackPolicy"]],
    contentCreatedKey: [["createdOn"]],
    livestreamCreatedKey: [["created_at"]],
    ingestKey: [["ingestUrl", "both"]],
    rtmpsUrl: [["empty"]],
    thumbnails: [["thumbnails", "none"]],
    emptyFields: [["omitted", "null"]],
    collections: [["sorted", "reversed"]],
    listMetadata: [[true]],
    listTags: [[true]],
    listOrder: [["oldest"]],
    pastEnd: [[404]],
    livestreamPaging: [[true]],
    put: [["replace"]],
    putData: [[false]],
    deleteData: [[true]],
    deleteBody: [
        ["ok", "success", "empty"],
        ["deleteBody", "livestreamDelete"],
    ],
    whileDeleting: [["notFound"]],
    subtitleBeforeReady: [[409]],
    subtitleList: [["empty", 404]],
    errorBody: [["html"]],
    invalidCode: [[422], ["invalid"]],
    unauthorizedCode: [[403], ["unauthorized"]],
    dateSkewMs: [[null], ["createdTime", "date"]],
    fields: [[{ streamKey: "number" }], ["streamKey"]],
    // No difference to what the package relies on, but one that the emulator takes on.
    pendingStatuses: [[["Processing"]], []],
    // Late, and how late.
    visibleAfterMs: [[1_200], ["visible"]],
    listedAfterMs: [[2_500], ["listed"]],
    deletedShownMs: [[2_500], ["deleted"]],
};

describe("pulumi-videograph probe", () => {
    const args = ["--yes", "--source", "https://media.test/a.mp4", "--subtitle", "https://media.test/en.vtt"];

    function service(options: CoreOptions = {}): World {
        const world = new World({ processingTimeMs: 2_500, deletingTimeMs: 2_500, ...options });
        // Of one content alone nobody sees an order; of few nobody sees a largest page.
        for (const title of ["First", "Second"]) {
            world.core.addContent({ title });
            world.core.advanceClock(1_000);
        }
        return world;
    }

    it("is what a warning about the marker sends to (VG3032)", async () => {
        const world = service();
        const { machine } = world;
        const process = machine.start();
        const made = process.create({ title: "One", content: [{ url: "https://media.test/a.mp4" }] });
        while (machine.ids.length < 3) await machine.clock.advance(100);
        machine.setMetadata(machine.ids.at(-1) ?? "", {});
        await made;
        const [command = ""] = advised(process.said.join("\n"), "VG3032");
        const { code, stdout } = await world.run(...command.split(" ").slice(2), ...args);
        assert.ok(code === 0 || code === 3, stdout);
        assert.match(stdout, /marker|metadata/);
    });

    async function probe(world: World): Promise<Report & { code: number }> {
        const { code, stdout } = await world.run("probe", ...args, "--json");
        return { code, ...(JSON.parse(stdout) as Report) };
    }
    const named = ({ findings }: Report, wanted: string) =>
        findings.filter(({ verdict }) => verdict === wanted).map(({ name }) => name);
    const ours = ({ core }: World) => [
        ...core.contents().filter(({ title }) => title.startsWith("pulumi-videograph probe")),
        ...core.livestreams().filter(({ status }) => status !== "Deleting"),
    ];

    it("sends nothing and says what it would do, unless it is told to", async () => {
        using world = service();
        assert.match((await world.run("probe")).stdout, /^Nothing was sent\. With --yes, the probe:/);
        const { sent } = JSON.parse((await world.run("probe", "--json")).stdout) as { sent: number };
        assert.equal(sent, 0);
        assert.deepEqual(world.machine.since(), []);
        assert.equal((await world.run("probe", "--yes")).code, 2);
    });

    it("confirms the emulator as it is, leaves nothing, and writes no secret", async () => {
        using world = service();
        const report = await probe(world);
        assert.deepEqual(named(report, "contradicted"), []);
        assert.deepEqual(named(report, "notShown"), []);
        assert.equal(report.code, 0);
        assert.deepEqual(report.variants, {});
        assert.deepEqual(ours(world), []);
        assert.equal(world.core.contents().length, 2);
        const text = world.read("videograph-probe.json");
        const { VIDEOGRAPH_SECRET_KEY: secret = "", VIDEOGRAPH_ACCESS_TOKEN_ID: id = "" } = world.variables;
        assert.ok(!text.includes(secret) && !text.includes(`"${id}"`));
    });

    it("reports on livestreams alone, in a project without a stack too: the environment has the credentials", async () => {
        using world = service();
        world.writeProject();
        const { code, stdout, stderr } = await world.run("probe", "--yes", "--only", "livestreams");
        assert.match(stderr, /pulumi config .*failed The base URL is https:\/\/api\.videograph\.ai\./);
        assert.match(stdout, /^A-048 +confirmed +a livestream keeps its metadata/m);
        assert.doesNotMatch(stdout, /not reached|A-031/);
        assert.deepEqual([code, ours(world)], [0, []]);
    });

    for (const [name, [positions, contradicted = [name]]] of Object.entries(turns))
        for (const position of positions)
            it(`reports ${JSON.stringify({ [name]: position })}, and the emulator does the same with its report`, async () => {
                using world = service({ variants: { [name]: position } });
                const report = await probe(world);
                if (typeof position !== "number" || !name.endsWith("Ms"))
                    assert.deepEqual(report.variants, { [name]: position });
                else assert.ok(Number(Object.values(report.variants)[0]) >= position);
                assert.deepEqual(named(report, "contradicted").sort(), contradicted);
                assert.deepEqual(ours(world), []);
                assert.deepEqual(readContractReport(join(world.folder, "videograph-probe.json")), report.variants);
            });

    it("ends with a clear report, and nothing left, where the service does not play along", async () => {
        const access = (may: "none" | "read"): CoreOptions => {
            return { tokens: [{ id: "first", secret: "key of the first", environmentId: 1, access: may }] };
        };
        const lost = { kind: "reset", when: "after", method: "POST", after: 1 } as const;
        const cases: [CoreOptions, RegExp, number][] = [
            [access("none"), /refuses these credentials \(HTTP 403\)/, 1],
            [{ faults: [{ kind: "body", body: "html" }] }, /was answered with HTTP 200 and HTML instead of a list/, 1],
            [access("read"), /The probe ended early: .* refuses these credentials \(HTTP 403\)/, 1],
            [{ faults: [{ kind: "processing", stuck: true }] }, /the last status was Preparing/, 3],
            [{ faults: [lost] }, /The probe ended early: POST \/contents/, 1],
        ];
        for (const [options, message, code] of cases) {
            using world = service(options);
            const ended = await world.run("probe", ...args);
            assert.match(ended.stdout + ended.stderr, message);
            assert.equal(ended.code, code);
            assert.deepEqual(ours(world), []);
            // What no service has answered takes the place of no earlier report.
            const isReported = existsSync(join(world.folder, "videograph-probe.json"));
            assert.equal(isReported, /^A-001/m.test(ended.stdout));
        }
        using world = service();
        const nowhere = await world.run("probe", ...args, "--report", "missing/report.json");
        assert.match(nowhere.stderr, /report\.json could not be written into/);
        assert.deepEqual([nowhere.code, world.machine.since()], [1, []]);
    });
});
