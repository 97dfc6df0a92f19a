/**
 * `pulumi-videograph review`: what it says of recorded plans, as golden files. `GOLDEN=write npx mocha tests/unit/cli/review.test.ts` writes them
 * anew; tests/review/record.ts has recorded the plans.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "../../../provider/dist/cli/review/plan.js";
import { pack, unpack } from "../../../provider/dist/evidence/library.js";
import { World } from "./support.ts";

const folder = join(import.meta.dirname, "..", "..", "review");
const planText = (name: string) => readFileSync(join(folder, "plans", name), "utf8");
const plans = [
    ...["nothing", "first", "mixed", "library1000", "failed", "withoutState", "native", "bothFaces", "masked"],
    "otherPackages",
];

/** A part of a step. */
interface Step {
    newState: object;
    oldState: { id: string; delete?: boolean; outputs: Record<string, unknown> };
    replaceReasons: string[];
}
type Note = { urn: string };
type Edit = (plan: ReturnType<typeof JSON.parse>) => void;

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
        // Three are sure, and one more of a library is not known.
        assert.deepEqual([await gate("masked", 3), await gate("masked", 4)], [3, 0]);
        const { stderr } = await reviewed(world, "masked", ["--max-deletions", "3"]);
        assert.match(stderr, /unknown whether videos of libraries.*up to 1.*VG7033/);
        assert.equal(await gate("failed", 100), 1);
    });

    it("says what it knows of a library that the plan hides, and leaves no number without what is missing in it", async () => {
        using world = new World();
        const said = async (edit: (library: ReturnType<typeof JSON.parse>, name: string) => void) => {
            const { stdout } = await reviewed(world, "masked", ["--json", "--html", "review.html"], (plan) => {
                plan.steps = plan.steps.filter(({ urn }: Note) => /::(archive|cellar)$/.test(urn));
                for (const step of plan.steps) edit(step, step.urn.split("::").at(-1));
            });
            const { rows, summary, deletions, notes } = JSON.parse(stdout);
            const ofLibrary = (name: string) => rows.find((row: { name: string }) => row.name === name);
            return { summary, deletions, notes, rows, ofLibrary, page: world.read("review.html") };
        };
        const secret = (inputs: Record<string, unknown>) => Object.assign(inputs, { catalogue: "[secret]" });

        // The preview's own line stands with the row, and is read for no number.
        const both = await said(({ newState }) => secret(newState.inputs));
        assert.match(
            both.summary,
            /^Shown by the plan: 0 new, .* Not shown: up to 3 more may be deleted or replaced, and others may be new\. What is not shown may end playback URLs\.$/,
        );
        assert.deepEqual(both.deletions, { known: 0, unknown: 3 });
        assert.deepEqual(
            ["archive", "cellar"].map((name) => both.ofLibrary(name).facts.at(-1)),
            [
                "The preview says: Contents of the library: 1 replaced (mole). [VG2034]",
                "The preview says: Contents of the library: 1 deleted (cask), 1 updated (keg). [VG2034]",
            ],
        );
        assert.match(both.page, /<section id="unknown" class="bad">\n<h2>Not shown by the plan: may be deleted or re/);
        assert.doesNotMatch(JSON.stringify(both.notes), /VG2034/);

        // The keys are known: nothing is new, and the line is with the row that is not known.
        const keys = await said(({ newState, oldState }, name) => {
            if (name === "cellar") oldState.outputs.__entries = "[hidden]";
            else newState.inputs = { catalogue: '{"key":"mole","title":"The mole"}' };
        });
        assert.match(
            keys.summary,
            /1 deleted; .* Not shown: up to 2 more may be deleted or replaced\. 1 playback URL ends, and what is not shown may end more URLs\.$/,
        );
        assert.deepEqual([keys.ofLibrary("cask").action, keys.ofLibrary("cask").facts], ["deleted", []]);
        assert.match(
            keys.ofLibrary("cellar").facts.join(),
            /Up to 1 may be deleted.*URLs end\.,The preview says: .*cask/,
        );

        // A new library has nothing to lose.
        const fresh = await said((step) => {
            secret(step.newState.inputs);
            Object.assign(step, { op: "create", oldState: undefined });
        });
        assert.match(fresh.summary, /0 new, .* Not shown: others may be new\.$/);
        assert.match(fresh.ofLibrary("archive").facts[0], /not known yet\. They may be new\.$/);
        assert.match(fresh.page, /<section id="unknownNew">\n<h2>Not shown by the plan: may be new/);

        // What waits for its deletion is deleted, whatever else is hidden.
        const leaving = await said(({ newState, oldState: { outputs } }, name) => {
            secret(newState.inputs);
            if (name !== "cellar") return;
            const entries = unpack(outputs.__meta.entries) as [string, string, object][];
            outputs.__meta.entries = pack(
                entries.map(([key, id, meta]) => [key, id, key === "cask" ? { ...meta, leaving: true } : meta]),
            );
        });
        assert.deepEqual(leaving.deletions, { known: 1, unknown: 2 });
        assert.match(leaving.ofLibrary("cask").facts.join(), /could not delete it/);
    });

    it("has no object among the lost ones whose old one is kept", async () => {
        using world = new World();
        await reviewed(world, "mixed", ["--html", "review.html"]);
        const [, lost = "", kept = ""] =
            /<section id="replaced" class="bad">(.*?)<\/section>.*<section id="replacedKept">(.*?)<\/section>/s.exec(
                world.read("review.html"),
            ) ?? [];
        assert.deepEqual([/The first ship/.test(lost), lost.match(/<li><div/g)?.length], [false, 5]);
        assert.match(kept, /its URL stays.*The first ship/s);
    });

    it("says what an object in doubt, a Failed one, one that waits for its deletion and an adopted one come to", async () => {
        using world = new World();
        const edited = async (name: string, edit: (step: Step) => void) => {
            const { rows } = await documentOf(world, "mixed", ({ steps }) =>
                edit(steps.find(({ urn }: { urn: string }) => urn.endsWith(`::${name}`))),
            );
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
        const { rows } = await documentOf(world, "mixed", ({ steps }) => {
            const named = (name: string) => steps.find(({ urn }: { urn: string }) => urn.endsWith(`::${name}`));
            named("taken").newState.inputs.importId = named("lock").oldState.id;
        });
        const kept = rows.find(({ name }: { name: string }) => name === "lock");
        assert.deepEqual([kept.action, kept.facts], ["kept", ["taken of this program adopts it: its URL stays."]]);
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
        await reviewed(world, "library1000", ["--markdown", "review.md"], ({ steps }) => {
            const library = steps.find(({ urn }: { urn: string }) => urn.endsWith("::series"));
            const { inputs } = library.newState;
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
            const harbour = plan.steps.find(({ urn }: { urn: string }) => urn.endsWith("::harbour"));
            const text = JSON.stringify(harbour).replaceAll("The harbour", "港".repeat(250));
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
