/**
 * `pulumi-videograph review`: what it says of recorded plans, as golden files. `GOLDEN=write npx mocha tests/unit/cli/review.test.ts` writes them
 * anew; tests/review/record.ts has recorded the plans.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "../../../provider/dist/cli/review/plan.js";
import { pack, unpack } from "../../../provider/dist/evidence/library.js";
import type { ObjectClaims } from "../../../provider/dist/operation/objectClaims.js";
import { libraryDifference } from "../../../provider/dist/resources/contentLibrary/plan.js";
import { World } from "./support.ts";

const folder = join(import.meta.dirname, "..", "..", "review");
const planText = (name: string) => readFileSync(join(folder, "plans", name), "utf8");
const plans = [
    ...["nothing", "first", "mixed", "library1000", "failed", "withoutState", "native", "bothFaces", "masked"],
    ...["hidden", "otherPackages"],
];

type Properties = Record<string, ReturnType<typeof JSON.parse>>;
/** A part of a step. */
interface Step {
    urn: string;
    newState: { inputs: Properties };
    oldState: { id: string; delete?: boolean; inputs: Properties; outputs: Properties };
    replaceReasons: string[];
}
interface Plan {
    steps: Step[];
    diagnostics: object[];
}
type Edit = (plan: Plan) => void;

function stepOf({ steps }: Plan, name: string): Step {
    return steps.find(({ urn }) => urn.endsWith(`::${name}`)) ?? assert.fail(name);
}

/** What `review` says of a recorded plan. */
async function reviewed(world: World, name: string, args: readonly string[] = [], edit?: Edit) {
    const plan = JSON.parse(planText(`${name}.json`));
    edit?.(plan);
    world.write("plan.json", JSON.stringify(plan));
    return await world.run("review", "plan.json", ...args);
}

async function documentOf(world: World, name: string, edit?: Edit) {
    return JSON.parse((await reviewed(world, name, ["--json"], edit)).stdout);
}

async function markdownOf(world: World, name: string, edit?: Edit): Promise<string> {
    await reviewed(world, name, ["--markdown", "review.md"], edit);
    return world.read("review.md");
}

async function pageOf(world: World, name: string, edit?: Edit): Promise<string> {
    await reviewed(world, name, ["--html", "review.html"], edit);
    return world.read("review.html");
}

function compareGolden(name: string, text: string): void {
    const file = join(folder, "golden", name);
    if (process.env.GOLDEN === "write") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"), name);
}

describe("pulumi-videograph review", () => {
    for (const name of plans) {
        it(`says of the plan ${name} what the golden files say`, async () => {
            using world = new World();
            const { code, stdout, stderr } = await reviewed(world, name, [
                "--markdown",
                "review.md",
                "--html",
                "review.html",
            ]);
            assert.equal(code, name === "failed" ? 1 : 0, stderr);
            compareGolden(`${name}.md`, world.read("review.md"));
            // The style is the emulator's.
            compareGolden(`${name}.html`, world.read("review.html").replace(/<style>.*<\/style>/s, "<style></style>"));
            assert.equal(/subtitel is not a known property/.test(stderr), name === "failed");
            if (name === "mixed") compareGolden(`${name}.txt`, stdout);
        });
    }

    it("reads the forms of plans, of the standard input too, and refuses what is none", async () => {
        using world = new World();
        const { stdout } = await reviewed(world, "mixed");
        for (const form of ["mixed.events.txt", "mixed.stream.txt"]) {
            world.write("plan", planText(form));
            assert.equal((await world.run("review", "plan")).stdout, stdout, form);
        }
        assert.equal((await world.runWith(planText("mixed.json"), "review", "-")).stdout, stdout);
        for (const text of ["", "{}", "[]", "null", "Previewing update (test):", '{"version":3,"deployment":{}}\n']) {
            assert.equal(parsePlan(text), undefined, text);
            world.write("plan", text);
            const { code, stderr } = await world.run("review", "plan");
            assert.deepEqual([code, /plan is not a plan.*VG7030/.test(stderr)], [1, true], stderr);
        }
        assert.match((await world.run("review", "nowhere.json")).stderr, /nowhere\.json in .* cannot be read.*VG7031/);
    });

    it("says where a program has failed, without colours and the rest of the trace", async () => {
        using world = new World();
        const frames = ["index.js:3:7", "node:internal:1:1", "node:internal:2:2"].map(
            (at) => `    at \u001b[90m${at}\u001b[39m`,
        );
        const message = `error: Running program failed:\n\u001b[31mError: broken\u001b[39m\n${frames.join("\n")}\n`;
        const { code, stderr } = await reviewed(world, "failed", ["--markdown", "review.md"], (plan) => {
            plan.diagnostics = [{ message, severity: "error" }];
        });
        assert.deepEqual([code, stderr], [1, "error: Running program failed:\nError: broken\n    at index.js:3:7\n"]);
        assert.match(world.read("review.md"), /- `Running program failed: Error: broken at index\.js:3:7`/);
    });

    it("runs the preview itself, in the stack and with the arguments that are named", async () => {
        using world = new World();
        world.printed["preview --json --stack dev --refresh"] = planText("mixed.json");
        const { code, stdout } = await world.run("review", "--stack", "dev", "--", "--refresh");
        assert.equal(code, 0);
        assert.match(stdout, /^e2e\/test: 2 new/);
        for (const args of [
            ["plan.json", "--stack", "dev"],
            ["plan.json", "--", "--refresh"],
            ["--max-deletions", "some", "plan.json"],
        ])
            assert.equal((await world.run("review", ...args)).code, 2, args.join(" "));
    });

    it("closes the gate where more is deleted than is allowed, and where that is not known", async () => {
        using world = new World();
        const gate = async (name: string, most: number) =>
            (await reviewed(world, name, ["--max-deletions", `${most}`])).code;
        assert.deepEqual([await gate("mixed", 6), await gate("mixed", 7)], [3, 0]);
        assert.deepEqual([await gate("library1000", 19), await gate("library1000", 20)], [3, 0]);
        assert.deepEqual([await gate("nothing", 0), await gate("first", 0)], [0, 0]);
        // What the preview itself says of masked libraries is sure.
        assert.deepEqual([await gate("masked", 6), await gate("masked", 7)], [3, 0]);
        // Five are sure, and three more are not known in a copy of the state without secrets.
        assert.deepEqual([await gate("hidden", 7), await gate("hidden", 8)], [3, 0]);
        const { stderr } = await reviewed(world, "hidden", ["--max-deletions", "5"]);
        assert.match(stderr, /unknown whether videos of libraries.*up to 3.*VG7033/);
        assert.equal(await gate("failed", 100), 1);
    });

    /** The plan with its libraries alone, as it is where all of their contents are secrets. `said`: the line of the provider. */
    function masked(plan: Plan, said: (summary: string, library: string) => string | undefined = (text) => text): void {
        plan.steps = plan.steps.filter(({ urn }) => /ContentLibrary::/.test(urn));
        plan.diagnostics = plan.steps.flatMap(({ urn, oldState, newState }) => {
            const lines: string[] = [];
            const reporter = { urn, progress() {}, info: (line: string) => lines.push(line), warn() {} };
            const recorded = { id: "", olds: oldState.outputs, oldInputs: oldState.inputs, news: newState.inputs };
            const claims = { otherAdopterOf() {}, onRecorded() {} } as unknown as ObjectClaims;
            libraryDifference(recorded, reporter, claims);
            const message = said(lines[0] ?? "", urn.split("::").at(-1) ?? "");
            return message === undefined ? [] : [{ urn, message, severity: "info" }];
        });
        for (const { oldState, newState } of plan.steps) {
            oldState.outputs.__entries = "[secret]";
            for (const { inputs } of [oldState, newState])
                Object.assign(inputs, { [inputs.catalogue === undefined ? "contents" : "catalogue"]: "[secret]" });
        }
    }
    const onlyLibraries = (plan: Plan) => {
        plan.steps = plan.steps.filter(({ urn }) => /ContentLibrary::/.test(urn));
        plan.diagnostics = [];
    };

    it("says of a library that the plan masks what it says of the same library unmasked, from the preview's own line", async () => {
        using world = new World();
        for (const name of ["mixed", "native", "library1000"]) {
            const [open, secret] = [
                await documentOf(world, name, onlyLibraries),
                await documentOf(world, name, masked),
            ];
            const facts = ({ action, library, name, id, endingUrl, url }: Properties) => [
                ...[action, library, name, id, endingUrl, url],
            ];
            assert.deepEqual(secret.rows.map(facts), open.rows.map(facts), name);
            const { counts, deletions } = open;
            assert.deepEqual([secret.counts, secret.deletions], [counts, deletions], name);
            const withoutLengths = (text: string) => text.replace(/ \d+ videos are transcoded .*$/, "");
            assert.equal(withoutLengths(secret.summary), withoutLengths(open.summary), name);
        }
    });

    it("counts the contents that the preview's line does not name, and knows no more of them", async () => {
        using world = new World();
        const plan = (edit: (text: string) => string | undefined) => (one: Plan) => masked(one, edit);
        const few = (text: string) =>
            text.replace(/10 to (replace|delete) \((ep\d+), .*?\)/g, "10 to $1 ($2 and 9 more)");
        const { rows, counts, deletions, summary } = await documentOf(world, "library1000", plan(few));
        assert.deepEqual([counts.deleted, counts.replaced, counts.stays, deletions.known], [10, 10, 970, 20]);
        assert.match(summary, /10 replaced, 10 deleted.* 20 objects are deleted for good.* 20 playback URLs end/);
        const [rest] = rows.filter(({ number }: Properties) => number !== undefined);
        assert.deepEqual(
            [rest.action, rest.kind, rest.name, rest.number, rest.endingUrl],
            ["deleted", "ContentLibrary", "series", 9, "[secret]"],
        );
        const text = await markdownOf(world, "library1000", plan(few));
        assert.match(text, /stands for 9 contents of the library, which the preview counts and does not name/);
        // A new library: the line has numbers alone.
        const fresh = await documentOf(world, "library1000", (one) => {
            masked(one, () => "Contents of the library: 2 to create, 1 to adopt. [VG2034]");
            for (const step of one.steps) Object.assign(step, { op: "create", oldState: undefined });
        });
        assert.deepEqual([fresh.counts.new, fresh.counts.adopted, fresh.deletions], [2, 1, { known: 0, unknown: 0 }]);
    });

    it("does not read a line of the preview that can be read in two ways, or belongs to another state", async () => {
        using world = new World();
        for (const line of [
            undefined,
            "Contents of the library: 1 to delete (old, keg). [VG2034]",
            "Contents of the library: 1 to delete (old), 1 to delete (keg). [VG2034]",
            "Contents of the library: 1 to delete (old), 1 to forget (keg). [VG2034]",
            "Contents of the library: 1 to delete (elsewhere). [VG2034]",
            "Contents of the library: 1 to create (keg). [VG2034]",
            "Contents of the library: 1 to replace. [VG2034]",
        ]) {
            const { rows, deletions } = await documentOf(world, "mixed", (one) => masked(one, () => line));
            assert.deepEqual([rows.length, rows[0].action, deletions.unknown], [1, "unknown", 3], line);
            const shown = rows[0].facts.includes(`The preview says: ${line}`);
            assert.equal(shown, line !== undefined);
        }
        // The first of two lines is of a refresh in the same preview.
        const { deletions } = await documentOf(world, "mixed", (one) => {
            masked(one);
            const message = "Contents of the library: 3 to update (keg, mole, old). [VG2034]";
            one.diagnostics.unshift({ ...one.diagnostics[0], message });
        });
        assert.deepEqual(deletions, { known: 2, unknown: 0 });
    });

    it("says what the keys alone say, where the preview has no line for a library that it hides", async () => {
        using world = new World();
        const withoutLine = (one: Plan) => masked(one, () => undefined);
        const { summary, rows } = await documentOf(world, "mixed", withoutLine);
        assert.match(
            summary,
            /^Shown by the plan: 0 new, .* Not shown: up to 3 more may be deleted or replaced, and others may be new\. Up to 3 playback URLs may end\.$/,
        );
        assert.deepEqual(rows[0].hidden, { atMost: 3, mayAdd: true });
        const page = await pageOf(world, "mixed", withoutLine);
        assert.match(
            page,
            /<section id="unknown" class="bad">\n<h2>May be deleted or replaced: the plan does not show it/,
        );

        // The keys are known: nothing is new.
        const keys = await documentOf(world, "mixed", (one) => {
            const declared = stepOf(one, "archive").newState.inputs.catalogue;
            withoutLine(one);
            for (const { newState } of one.steps) newState.inputs.catalogue = declared;
        });
        assert.match(
            keys.summary,
            /1 new, .* 1 deleted and not replaced; .* Not shown: up to 2 more may be deleted or replaced\. 1 playback URL ends, and up to 2 more may\. 1 video is/,
        );

        // What is released stays on the service.
        const released = await documentOf(world, "mixed", (one) => {
            const declared = stepOf(one, "archive").newState.inputs.catalogue;
            withoutLine(one);
            for (const { newState } of one.steps)
                Object.assign(newState.inputs, { catalogue: declared, release: ["old"] });
        });
        assert.deepEqual([released.counts.kept, released.counts.deleted], [1, 0]);

        // A new library has nothing to lose.
        const fresh = (one: Plan) => {
            withoutLine(one);
            for (const step of one.steps) Object.assign(step, { op: "create", oldState: undefined });
        };
        const { summary: said, rows: added } = await documentOf(world, "mixed", fresh);
        assert.match(said, /0 new, .* Not shown: others may be new\.$/);
        assert.match(added[0].facts[0], /not known yet\. They may be new\.$/);
        const heading = /<section id="unknownNew">\n<h2>May be new: the plan does not show it/;
        assert.match(await pageOf(world, "mixed", fresh), heading);

        // What waits for its deletion is deleted, whatever else is hidden.
        const leaving = await documentOf(world, "mixed", (one) => {
            withoutLine(one);
            for (const { oldState } of one.steps) {
                const meta = oldState.outputs.__meta as { entries: string };
                const entries = unpack(meta.entries) as [string, string, object][];
                meta.entries = pack(
                    entries.map(([key, id, more]) => [key, id, key === "old" ? { ...more, leaving: true } : more]),
                );
            }
        });
        assert.deepEqual(leaving.deletions, { known: 1, unknown: 2 });
        const old = leaving.rows.find(({ name }: Properties) => name === "old");
        assert.match(old.facts.join(), /could not delete it/);
    });

    it("makes no claim where all of a library is hidden, and names the command that shows its URLs", async () => {
        using world = new World();
        const text = await markdownOf(world, "masked");
        const gold = /- \*\*`\[secret\]`\*\*, Content `vault\/gold`\n( {2}- .*\n)*/.exec(text)?.[0] ?? "";
        assert.match(gold, /\*\*Its URL ends:\*\* it is masked .* `pulumi stack export --show-secrets`/);
        assert.doesNotMatch(gold, /<img|Anyone|not set/);
        const { rows } = await documentOf(world, "masked");
        const named = (name: string) => rows.find((row: Properties) => row.name === name);
        assert.equal(named("gold").endingUrl, "[secret]");
        assert.match(named("quay").facts[0], /who may play it, is masked/);
        // The note stands with the entry that it names.
        assert.match(text, /Content `archive\/mole`, 10 s\n( {2}- .*\n)* {2}- `contents\["mole"\].*VG2051/);
        const hidden = await documentOf(world, "hidden");
        const pier = hidden.rows.find(({ name }: Properties) => name === "pier");
        assert.deepEqual([pier.action, pier.hidden], ["unknown", { atMost: 1, mayAdd: false }]);
        assert.match(pier.mayEndUrl, /m3u8$/);
    });

    it("counts all videos of a library that is replaced as a whole, and what `retainOnDelete` keeps of it", async () => {
        using world = new World();
        const changed = (op: string, retainOnDelete: boolean) =>
            documentOf(world, "mixed", (one) => {
                onlyLibraries(one);
                for (const step of one.steps)
                    Object.assign(step, { op }, { oldState: { ...step.oldState, retainOnDelete } });
            });
        const replaced = await changed("replace", false);
        assert.deepEqual([replaced.deletions.known, replaced.counts.replaced, replaced.counts.new], [3, 2, 1]);
        const kept = await changed("replace", true);
        assert.deepEqual([kept.deletions.known, kept.counts.replaced, kept.counts.kept], [0, 2, 1]);
        // The option is about the library: an update deletes what its program no longer declares.
        const updated = await changed("update", true);
        assert.deepEqual([updated.deletions.known, updated.counts.kept], [2, 0]);
    });

    it("says what ends where a stream key is the only loss, and when the old livestream goes", async () => {
        using world = new World();
        const lost = (edit: (step: Step) => void) => (one: Plan) => {
            one.steps = one.steps.filter(({ urn }) => urn.endsWith("Livestream::live"));
            for (const step of one.steps) {
                delete step.oldState.outputs.playbackUrl;
                edit(step);
            }
        };
        const replaced = await markdownOf(
            world,
            "mixed",
            lost(() => {}),
        );
        assert.match(replaced, /1 stream key ends\.\*\*/);
        assert.match(replaced, /- \*\*Its stream key ends:\*\* encoders have to be set up again\./);
        assert.match(replaced, /The old one is deleted at the end of the apply, after all waits\./);
        const first = await markdownOf(
            world,
            "mixed",
            lost(({ oldState }) => Object.assign(oldState, { delete: true, pendingReplacement: true })),
        );
        assert.match(first, /The old one is deleted before the new one is made\./);
        const deleted = await pageOf(
            world,
            "mixed",
            lost((step) => Object.assign(step, { op: "delete" })),
        );
        assert.match(deleted, /<b>Its stream key ends:<\/b> encoders that use it cannot send any more\./);
    });

    it("has no object among the lost ones whose old one is kept", async () => {
        using world = new World();
        await reviewed(world, "mixed", ["--html", "review.html"]);
        const [, lost = "", kept = ""] =
            /<section id="replaced" class="bad">(.*?)<\/section>.*<section id="replacedKept">(.*?)<\/section>/s.exec(
                world.read("review.html"),
            ) ?? [];
        assert.deepEqual([/The first ship/.test(lost), lost.match(/<li><div/g)?.length], [false, 5]);
        assert.match(kept, /the old URL stays.*The first ship/s);
    });

    it("says what an object in doubt, a Failed one, one that waits for its deletion and an adopted one come to", async () => {
        using world = new World();
        const edited = async (name: string, edit: (step: Step) => void) => {
            const { rows } = await documentOf(world, "mixed", (plan) => edit(stepOf(plan, name)));
            return rows.find((row: { name: string }) => row.name === name);
        };
        const doubtful = await edited("tides", ({ oldState }) =>
            Object.assign(oldState, { id: "unconfirmed-0123456789ab" }),
        );
        assert.deepEqual([doubtful.action, doubtful.id], ["inDoubt", undefined]);
        assert.match(doubtful.facts.join(), /searches for it first/);
        const failed = await edited("tides", (step) => {
            Object.assign(step, { replaceReasons: ["status"] });
            Object.assign(step.oldState.outputs, { status: "Failed" });
        });
        assert.deepEqual([failed.action, failed.endingUrl], ["replaced", undefined]);
        assert.match(failed.facts.join(), /It has Failed, and is made again/);
        const leaving = await edited("lock", ({ oldState }) => Object.assign(oldState, { delete: true }));
        assert.deepEqual([leaving.action, /could not delete it/.test(leaving.facts.join())], ["deleted", true]);
        // An update without another input: a wait that an earlier run has not ended, or a new form of the record.
        const waits = (status: string) =>
            edited("harbour", (step) => {
                Object.assign(step, { newState: { ...step.oldState, outputs: {} } });
                Object.assign(step.oldState.outputs, { status });
            });
        assert.deepEqual((await waits("Preparing")).facts, ["The apply waits until it is Ready."]);
        assert.deepEqual((await waits("Ready")).facts, ["Nothing of it changes but what Pulumi records."]);
        // The option of the old object decides, as the engine has it.
        const saved = await edited("saved", ({ newState }) => Object.assign(newState, { retainOnDelete: false }));
        assert.deepEqual([saved.endingUrl, /its URL stays/.test(saved.facts.join())], [undefined, true]);
        const ended = await edited("saved", ({ oldState }) => Object.assign(oldState, { retainOnDelete: false }));
        assert.match(ended.endingUrl, /m3u8$/);
        // What another resource of the program adopts is not deleted.
        const moved = await edited("lock", ({ oldState }) => Object.assign(oldState, { id: "moved" }));
        assert.equal(moved.action, "deleted");
        const { rows } = await documentOf(world, "mixed", (plan) => {
            stepOf(plan, "taken").newState.inputs.importId = stepOf(plan, "lock").oldState.id;
        });
        const kept = rows.find(({ name }: { name: string }) => name === "lock");
        assert.deepEqual([kept.action, kept.facts], ["kept", ["taken of this program adopts it: its URL stays."]]);
    });

    it("shows a title and a tag that have the name of a policy as they are", async () => {
        using world = new World();
        const { rows } = await documentOf(world, "mixed", (plan) =>
            Object.assign(stepOf(plan, "harbour").newState.inputs, { title: "public", tags: ["signed"] }),
        );
        const harbour = rows.find(({ name }: { name: string }) => name === "harbour");
        assert.equal(harbour.title, "public");
        assert.ok(harbour.differences.some(({ name, to }: Properties) => name === "tags" && to === "signed"));
    });

    it("shows no query of a URL, and texts of strangers as texts", async () => {
        using world = new World();
        const title =
            "</code><script>alert(1)</script> ``` @example/team #17 [x](https://user:word@evil.example/?key=1)\n# Big";
        await reviewed(world, "mixed", ["--markdown", "review.md"], ({ steps }) => {
            for (const { newState } of steps) {
                if (newState?.inputs?.title !== undefined) newState.inputs.title = title;
                if (newState?.inputs?.content !== undefined)
                    newState.inputs.content = [{ url: "https://user:word@media.example.com/a.mp4?key=1#part" }];
            }
        });
        const text = world.read("review.md");
        assert.doesNotMatch(text, /key=1|user:word|#part/);
        const [item = ""] = text.split("\n").filter((line) => line.includes("<script>"));
        // All of it is in one code span, whose fence it does not have.
        assert.match(item, /\*\*````[^\n]*<script>[^\n]*````\*\*/);
        assert.doesNotMatch(text, /^# Big/m);
    });

    it("cuts Markdown at a row, and says how many are left", async () => {
        using world = new World();
        await reviewed(world, "library1000", ["--markdown", "review.md"], (plan) => {
            const { inputs } = stepOf(plan, "series").newState;
            inputs.catalogue = inputs.catalogue.replaceAll('"title":"', '"title":"!');
        });
        const text = world.read("review.md");
        const size = Buffer.byteLength(text);
        assert.ok(size > 50_000 && size <= 60_000, `${size}`);
        const [, left = "0"] = /\*\*and ([\d,]+) more\*\*/.exec(text) ?? [];
        const shown = text.match(/^- /gm)?.length ?? 0;
        assert.equal(shown + Number(left.replace(",", "")), 1010);
        assert.equal(text.match(/<details>/g)?.length, text.match(/<\/details>/g)?.length);
    });

    it("keeps a page below 5 MB, whatever titles are written in", async () => {
        using world = new World();
        await reviewed(world, "mixed", ["--html", "review.html"], (plan) => {
            const text = JSON.stringify(stepOf(plan, "harbour")).replaceAll("The harbour", "港".repeat(250));
            plan.steps = Array.from({ length: 6000 }, (_, index) =>
                JSON.parse(text.replaceAll("harbour", `h${index}`)),
            );
        });
        const page = world.read("review.html");
        const size = Buffer.byteLength(page);
        assert.ok(size > 4_500_000 && size < 5_000_000, `${size}`);
        const [, left = "0"] = /<b>and ([\d,]+) more<\/b>/.exec(page) ?? [];
        assert.equal((page.match(/^<li>/gm)?.length ?? 0) + Number(left.replace(",", "")), 6000);
        assert.match(page, /<\/ul>\n<\/section>\n<p><b>and [\s\S]*<\/main>\n<\/body>\n<\/html>\n$/);
    });
});
