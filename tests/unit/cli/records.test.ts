/**
 * What a command reads and somebody may have changed by hand: a plan, a state, the CLI's answers, a journal, the packages of a project, the service's
 * answers. Each field of each, missing, doubled and of every other type: an error that says what to do, or the documented fallback, and never an
 * error of JavaScript (VG9001). The fields are those of the schemas.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stackConfiguration } from "../../../provider/dist/cli/connection.js";
import { documentOf } from "../../../provider/dist/cli/review/document.js";
import { pageOfReview } from "../../../provider/dist/cli/review/html.js";
import { markdownOf } from "../../../provider/dist/cli/review/markdown.js";
import { parsePlan, planDocument, planEvent } from "../../../provider/dist/cli/review/plan.js";
import { printReview } from "../../../provider/dist/cli/review/print.js";
import { reviewOf } from "../../../provider/dist/cli/review/review.js";
import { backend, listedStacks } from "../../../provider/dist/cli/state.js";
import { Terminal } from "../../../provider/dist/cli/terminal.js";
import { clipDefinition } from "../../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import type { Schema } from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import { entryLine } from "../../../provider/dist/evidence/journalFile.js";
import { pack, unpack } from "../../../provider/dist/evidence/library.js";
import { newIdentity, newMarker } from "../../../provider/dist/evidence/marker.js";
import { recordedMeta } from "../../../provider/dist/inputs/recordedMeta.js";
import { LifecycleError } from "../../../provider/dist/messages/index.js";
import { libraryInputs } from "../../../provider/dist/resources/contentLibrary/entries.js";
import { manifestFile } from "../../../provider/dist/session/pluginSource.js";
import { recordedOperation, recordedResource } from "../../../provider/dist/session/stackExport.js";
import { anyJson, changedForms } from "../../support/changedForms.ts";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";
import { World } from "./support.ts";

type Properties = Record<string, unknown>;

const definitions = { Content: contentDefinition, Clip: clipDefinition, Livestream: livestreamDefinition };
const kindIn = (urn: string) => /videograph:(\w+)::/.exec(urn)?.[1] as keyof typeof definitions;

/** What the command ended with: 0, or an error of ours, in one line. */
function isClear({ code, stderr }: { code: number; stderr: string }, what: unknown): void {
    const place = `${JSON.stringify(what)}: ${code} ${stderr}`;
    assert.doesNotMatch(stderr, /VG9001|TypeError/, place);
    if (code === 1) assert.match(stderr, /^(error|warning): .*\S/m, place);
}

describe("a plan that somebody has changed", () => {
    const planText = (name: string) =>
        readFileSync(join(import.meta.dirname, "..", "..", "review", "plans", name), "utf8");

    const sink = () => new PassThrough().resume();
    const terminal = new Terminal({ stdin: sink(), stdout: sink(), stderr: sink(), clock: new FakeClock() });
    /** All forms of the review; "none" where the text is no plan, and the message where a record in it is broken. */
    function reviewed(text: string): string {
        const plan = parsePlan(text);
        if (plan === undefined) return "none";
        try {
            const review = reviewOf(plan);
            printReview(review, terminal);
            return markdownOf(review) + pageOfReview(review) + JSON.stringify(documentOf(review));
        } catch (error) {
            assert.ok(error instanceof LifecycleError, String(error instanceof Error ? error.stack : error));
            return error.message;
        }
    }

    interface Step extends Properties {
        urn: string;
        op: string;
        oldState: { inputs: Properties; outputs: Properties };
        newState: { inputs: Properties };
    }
    const plan: { steps: Step[]; diagnostics: object[]; changeSummary: object } = JSON.parse(planText("mixed.json"));
    const stepsOf = (...names: string[]) =>
        plan.steps.filter(({ urn }) => names.some((name) => urn.endsWith(`::${name}`)));

    it("is none where a field of the engine's has another type, so that no deletion is missing in it", () => {
        let [taken, refused] = [0, 0];
        for (const step of stepsOf("live", "archive", "lock"))
            for (const { path, broken, isTaken } of changedForms(planDocument, { ...plan, steps: [step] })) {
                const found = reviewed(JSON.stringify(broken));
                // Without any of its lists, the text may be of something else.
                if (!isTaken) assert.ok(found === "none", path);
                isTaken ? taken++ : refused++;
            }
        assert.ok(taken > 300 && refused > 600, `${taken}, ${refused}`);
        // Of a field that is there twice, the last one counts, as for the CLI.
        const whole = JSON.stringify(plan);
        assert.equal(reviewed(whole.replace("{", '{"steps":5,"changeSummary":"",')), reviewed(whole));
    });

    it("is none where a line of events has such a field", () => {
        const lines = planText("mixed.events.txt").split("\n").filter(Boolean);
        const events: Properties[] = lines.map((line) => JSON.parse(line));
        const note = { sequence: 1, diagnosticEvent: { urn: "u", message: "m", severity: "info", ephemeral: false } };
        const step = events.find(({ resourcePreEvent }) => /replace/.test(JSON.stringify(resourcePreEvent)));
        for (const event of [note, step ?? assert.fail()])
            for (const { path, broken, isTaken } of changedForms(planEvent, event)) {
                const found = reviewed(JSON.stringify(broken));
                if (!isTaken) assert.ok(found === "none", path);
            }
    });

    it("shows values of any type as they are", () => {
        const sides = { oldState: ["inputs", "outputs"], newState: ["inputs"] } as const;
        for (const step of stepsOf("harbour", "live", "taken", "storm", "kept")) {
            const { inputs, outputs } = definitions[kindIn(step.urn)];
            const review = (side: keyof typeof sides, part: string, values: Properties) => {
                const changed = { ...step, [side]: { ...step[side], [part]: values } };
                assert.match(reviewed(JSON.stringify({ ...plan, steps: [changed] })), /<!doctype html>/);
            };
            for (const side of ["oldState", "newState"] as const)
                for (const part of step[side] === undefined ? [] : sides[side]) {
                    const names = Object.keys({ ...inputs.shape, ...outputs.shape });
                    for (const one of anyJson) review(side, part, Object.fromEntries(names.map((name) => [name, one])));
                    if (!step.urn.endsWith("harbour")) continue;
                    const recorded = (step[side] as { [part in string]: Properties })[part];
                    for (const { broken } of changedForms(part === "outputs" ? outputs : inputs, recorded))
                        review(side, part, broken);
                }
        }
    });

    it("shows an operation, a title, a key and the words of a library that have the name of what every object has", () => {
        const [step] = stepsOf("harbour");
        const changed = structuredClone(step ?? assert.fail());
        Object.assign(changed.newState.inputs, { title: "constructor", metadata: { constructor: "toString" } });
        assert.match(reviewed(JSON.stringify({ steps: [changed] })), /constructor/);
        const other = { op: "constructor", urn: "urn:pulumi:dev::shop::aws:s3:Bucket::files" };
        assert.doesNotMatch(reviewed(JSON.stringify({ steps: [other] })), /native code/);
        // More than an array can have.
        const [library] = stepsOf("archive");
        const message = "Contents of the library: 99,999,999,999 to create. [VG2034]";
        const masked = { ...library, newState: { inputs: { contents: "[secret]" } }, oldState: undefined };
        const diagnostics = [{ urn: library?.urn, severity: "info", message }];
        assert.match(
            reviewed(JSON.stringify({ steps: [masked], diagnostics })),
            /99,999,999,999 videos are transcoded/,
        );
    });

    it("names the library whose record is broken, and takes entries of any type", () => {
        const [step] = stepsOf("archive");
        const { urn, oldState, newState } = step ?? assert.fail();
        const withOld = (outputs: Properties) =>
            reviewed(JSON.stringify({ steps: [{ ...step, oldState: { ...oldState, outputs } }] }));
        const broken = { ...(oldState.outputs.__meta as Properties) };
        for (const form of changedForms(recordedMeta, broken)) {
            const found = withOld({ ...oldState.outputs, __meta: form.broken });
            if (!form.isTaken)
                assert.ok(found.startsWith(`${urn}: This resource's record in the state is broken`), found);
        }
        for (const name of ["__meta", "__entries", "results", "contents"])
            for (const value of anyJson) withOld({ ...oldState.outputs, [name]: value });
        for (const [key, id, meta] of (unpack(broken.entries) as [string, string, Properties][]).slice(0, 1))
            for (const form of changedForms(recordedMeta, meta))
                withOld({ ...oldState.outputs, __meta: { ...broken, entries: pack([[key, id, form.broken]]) } });

        const withNew = (inputs: Properties) =>
            reviewed(JSON.stringify({ steps: [{ ...step, newState: { ...newState, inputs } }] }));
        const entry = { title: "Mole", content: [{ url: "https://media.test/a.mp4" }], metadata: { a: "b" } };
        for (const values of anyJson) {
            for (const contents of [{ mole: values }, values]) withNew({ contents });
            withNew({ contents: { mole: entry }, defaults: values });
            withNew({ catalogue: JSON.stringify(values) });
        }
        for (const form of changedForms(contentDefinition.inputs, entry)) {
            assert.match(withNew({ contents: { mole: form.broken } }), /<!doctype html>/);
        }
        for (const form of changedForms(libraryInputs, { ...newState.inputs, release: ["mole"], maxDeletes: 1 }))
            withNew(form.broken);
        for (const key of [undefined, ...anyJson]) withNew({ catalogue: JSON.stringify({ ...entry, key }) });
    });
});

const birth = "2026-01-01T00:00:00.000000001Z";
const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const type = "videograph:index:Content";
const root = { urn: urnOf("pulumi:pulumi:Stack", "shop-dev"), type: "pulumi:pulumi:Stack", created: birth };
const identity = newIdentity(seededRandom(1), urnOf(type, "tides"), "Content", {}, "attempt");
const meta = {
    ...{ v: 1, fingerprint: "f", mark: newMarker(identity, { birth }), adoptedNonce: "a", imported: true },
    ...{ external: false, handled: ["h"], unconfirmed: { titleDigest: "t", startedAt: 1 }, unseenSince: 1, putAt: 1 },
};
const outputs = {
    ...{ title: "Tides", status: "Ready", duration: 1_000, playbackUrl: "https://play.test/a.m3u8", __meta: meta },
    ...{ playbackPolicy: ["public"], thumbnailUrl: "https://play.test/a.jpg", tags: ["a"], metadata: { a: "b" } },
};
const resource = { urn: urnOf(type, "tides"), type, id: "c1", external: false, inputs: {}, outputs, provider: "p::id" };
const exported = (resources: readonly object[], pending_operations: readonly object[] = []) =>
    JSON.stringify({ deployment: { resources: [root, ...resources], pending_operations } });

describe("a state that somebody has changed", () => {
    function world(): World {
        const made = new World();
        made.writeProject();
        Object.assign(made.printed, {
            ...{ "config --json": "{}", "stack ls --all --json": "[]", "stack --show-name": "dev" },
            "whoami --json": '{"url":"s3://bucket"}',
        });
        return made;
    }
    const commands = [["list"], ["orphans"], ["adopt", "--force"], ["doctor"]];

    it("is refused where a field of the engine's has another type, by every command that reads one", async () => {
        using one = world();
        const creating = {
            type: "creating",
            resource: { ...resource, inputs: { title: "Tides", __attempt: "attempt" } },
        };
        const forms = [
            ...Array.from(changedForms(recordedResource, resource), (form) => ({
                ...form,
                text: exported([form.broken]),
            })),
            ...Array.from(changedForms(recordedOperation, creating), (form) => ({
                ...form,
                text: exported([], [form.broken]),
            })),
        ];
        for (const { path, text, isTaken } of forms) {
            one.printed["stack export"] = text;
            const found = await one.run("list");
            isClear(found, path);
            if (!isTaken) assert.match(found.stderr, /cannot be read as the state of a stack.*VG7003/, path);
        }
        const { text } = forms.find(({ isTaken }) => !isTaken) ?? assert.fail();
        one.printed["stack export"] = text;
        for (const command of commands.slice(0, 3))
            assert.match((await one.run(...command)).stderr, /VG7003/, command.join(" "));
    });

    it("is shown with values of any type as they are", async () => {
        using one = world();
        for (const name of Object.keys({ ...contentDefinition.inputs.shape, ...contentDefinition.outputs.shape })) {
            for (const value of anyJson) {
                const changed = { ...outputs, __meta: {}, [name]: value };
                const live = {
                    ...resource,
                    type: "videograph:index:Livestream",
                    urn: urnOf("videograph:index:Livestream", "l"),
                };
                one.printed["stack export"] = exported([
                    resource,
                    { ...resource, outputs: changed },
                    { ...live, outputs: changed },
                ]);
                assert.equal((await one.run("list", "--html", "list.html")).code, 0, name);
            }
        }
    });

    it("is refused by the resource whose record is broken, and is only warned of where it is another stack's", async () => {
        using one = world();
        one.core.addContent({ title: "Film" });
        for (const { path, broken, isTaken } of changedForms(recordedMeta, meta)) {
            const changed = exported([{ ...resource, outputs: { ...outputs, __meta: broken } }]);
            one.printed["stack export"] = changed;
            for (const command of [["orphans"], ["adopt", "--force"]]) {
                const found = await one.run(...command);
                isClear(found, path);
                const named = new RegExp(
                    `^error: ${resource.urn}: This resource's record .* broken at __meta\\..*VG2056`,
                );
                if (!isTaken) assert.match(found.stderr, named, path);
            }
        }
        one.printed["stack export"] = exported([]);
        one.printed["stack ls --all --json"] = '[{"name":"other"}]';
        one.printed["stack export --stack other"] = exported([{ ...resource, outputs: { __meta: { v: "1" } } }]);
        const { code, stderr } = await one.run("adopt", "--force");
        assert.deepEqual(
            [code, /warning: The state of stack other cannot be read: .*tides.*VG2056.*VG7004/.test(stderr)],
            [0, true],
        );
    });

    it("is refused by the inputs of a create that no program can have", async () => {
        using one = world();
        const metadata = [{ key: "managed_by", value: newMarker(identity, { birth }) }];
        one.core.addContent({ title: "Tides", metadata });
        const inputs = { title: "Tides", content: [{ url: "https://media.test/a.mp4" }], metadata: { a: "b" } };
        for (const { path, broken } of changedForms(contentDefinition.inputs, inputs)) {
            const creating = { ...resource, outputs: {}, inputs: { ...broken, __attempt: "attempt" } };
            one.printed["stack export"] = exported([], [{ type: "creating", resource: creating }]);
            isClear(await one.run("orphans", "--import-file", "import.json", "--force"), path);
        }
    });

    it("of a backend whose answers have another form is not used", async () => {
        using one = world();
        one.printed["stack export"] = exported([]);
        one.core.addContent({ title: "Film" });
        const answers: [string, Schema, unknown, RegExp, string[]][] = [
            [
                "stack ls --all --json",
                listedStacks,
                [{ name: "dev", updateInProgress: false }],
                /a list of stacks/,
                ["adopt", "--force"],
            ],
            [
                "config --json",
                stackConfiguration,
                { "videograph:region": { value: "r" } },
                /a configuration/,
                ["adopt", "--force", "--stack", "dev"],
            ],
        ];
        Object.assign(one.printed, {
            "config --json --stack dev": "{}",
            "config get videograph:region --stack dev": "r",
        });
        one.printed["stack export --stack dev"] = exported([]);
        for (const [command, schema, value, what, args] of answers)
            for (const { path, broken, isTaken } of changedForms(schema, value)) {
                one.printed[command === "config --json" ? `${command} --stack dev` : command] = JSON.stringify(broken);
                const found = await one.run(...args);
                isClear(found, path);
                if (!isTaken) assert.match(found.stderr, new RegExp(`cannot be read as ${what.source}.*VG7003`), path);
            }
        for (const { path, broken, isTaken } of changedForms(backend, { url: "s3://bucket" })) {
            const id = one.core.addContent({
                title: "Tides",
                metadata: [{ key: "managed_by", value: meta.mark }],
            }).contentId;
            one.printed["whoami --json"] = JSON.stringify(broken);
            const found = await one.run("orphans", "--delete", "--yes", "--id", id);
            isClear(found, path);
            if (!isTaken) assert.match(found.stderr, /cannot be read as the backend.*VG7003/);
        }
    });
});

describe("doctor, where something that it reads is damaged", () => {
    interface Answer {
        checks: { check: string; status: string; text: string }[];
    }
    function project(): World {
        const world = new World();
        world.writeProject();
        Object.assign(world.printed, { version: "v3.259.0\n", "config --json": "{}", "stack export": exported([]) });
        return world;
    }
    async function findingsOf(world: World, name: string, place: unknown = name) {
        const found = await world.run("doctor", "--json");
        assert.equal(found.stderr, "", String(place));
        const { checks }: Answer = JSON.parse(found.stdout);
        assert.doesNotMatch(found.stdout, /VG9001/, String(place));
        assert.ok(
            checks.some(({ check }) => check === "Journal"),
            String(place),
        );
        return checks.find(({ check }) => check === name);
    }

    it("names the package whose manifest has no version, and a CLI that prints none", async () => {
        using world = project();
        for (const name of ["@pulumi/pulumi", "pulumi-videograph"]) {
            const folder = join("node_modules", name);
            mkdirSync(join(world.folder, folder), { recursive: true });
            const file = join(folder, "package.json");
            const broken = Array.from(changedForms(manifestFile, { version: "3.268.0" }), (form) =>
                JSON.stringify(form.broken),
            );
            for (const text of [...broken, "", "null", "[]", "{"]) {
                world.write(file, text);
                const found = await findingsOf(world, name === "@pulumi/pulumi" ? "Pulumi SDK" : name, text);
                const isVersion = text.includes("3.268.0");
                assert.equal(/has no version\. Install/.test(found?.text ?? ""), !isVersion, text);
            }
        }
        for (const printed of ["", "pulumi", "v3", "{}"]) {
            world.printed.version = printed;
            assert.match((await findingsOf(world, "Pulumi CLI"))?.text ?? "", /prints no version/);
        }
    });

    it("goes on after a project of an unknown language, a broken line of the journal, and a broken record", async () => {
        using world = project();
        for (const runtime of ["constructor", "toString", "__proto__", "5", "null", "[]"]) {
            world.writeProject(`runtime: ${runtime}`);
            await findingsOf(world, "Project");
        }
        world.printed["stack export"] = exported([{ ...resource, outputs: { __meta: { v: "1" } } }]);
        await findingsOf(world, "Own state");
        mkdirSync(join(world.folder, "journal"), { mode: 0o700 });
        const entry = {
            ...{ nonce: "0123456789ab", kind: "Content", urn: resource.urn, resourceDigest: "r", titleDigest: "t" },
            ...{ inputsDigest: "i", fingerprint: "f", startedAt: 1, writer: { pid: 1, host: "elsewhere" }, id: "c1" },
        };
        for (const { path, broken, isTaken } of changedForms(entryLine, entry)) {
            world.write("journal/0123456789ab.jsonl", `${JSON.stringify(broken)}\n`);
            if (!isTaken) assert.match((await findingsOf(world, "Journal", path))?.text ?? "", /VG3020/, path);
            for (const command of [["forget"], ["orphans"]]) isClear(await world.run(...command), path);
        }
    });

    it("names the variable of a proxy that is none (VG5003)", async () => {
        using world = project();
        world.hasNetwork = true;
        const { HTTPS_PROXY, https_proxy } = process.env;
        delete process.env.https_proxy;
        process.env.HTTPS_PROXY = "ftp://user:proxy-secret-7@proxy.test";
        try {
            const found = await findingsOf(world, "Connection");
            assert.equal(found?.status, "error");
            assert.match(found?.text ?? "", /^HTTPS_PROXY is not the address of a proxy.*VG5003/);
            assert.doesNotMatch(found?.text ?? "", /proxy-secret-7/);
        } finally {
            for (const [name, value] of Object.entries({ HTTPS_PROXY, https_proxy }))
                if (value === undefined) delete process.env[name];
                else process.env[name] = value;
        }
    });
});

describe("probe, where the service's answers have other forms", () => {
    it("reports each field of another type, and deletes what it has created", async () => {
        const names = ["contentId", "streamUUID", "title", "status", "tags", "metadata", "created_at", "createdOn"];
        for (const form of ["absent", "null", "string", "number", "boolean", "array", "object"] as const)
            for (const name of [...names, "playback_policy", "streamKey", "rtmpUrl", "thumbnailUrl"]) {
                using world = new World({ variants: { fields: { [name]: form } } });
                isClear(await world.run("probe", "--yes", "--source", "https://media.test/a.mp4"), `${name}: ${form}`);
            }
    });

    it("reports values that cannot become a text", async () => {
        for (const value of anyJson) {
            using world = new World();
            const json = {
                contentId: "c1",
                title: value,
                tags: value,
                created_at: value,
                status: value,
                metadata: value,
            };
            for (const data of [json, [json, json], value])
                world.core.inject({
                    kind: "answer",
                    method: "GET",
                    status: 200,
                    json: { status: "Success", code: 200, data },
                    after: 1,
                });
            isClear(await world.run("probe", "--yes", "--source", "https://media.test/a.mp4"), value);
        }
    });
});
