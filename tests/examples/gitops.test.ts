/** examples/gitops: the workflows do what the README says, whoever opens a pull request, and against a service that fails at times. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { evaluate, holds } from "./gitops/expression.ts";
import { example, Rehearsal } from "./gitops/rehearsal.ts";
import { type Event, type Played, passes, runWorkflow } from "./gitops/workflow.ts";
import { problemsOfStack } from "./operator.ts";

interface Step {
    name?: string;
    run?: string;
    uses?: string;
    if?: string;
    with?: Record<string, unknown>;
    env?: Record<string, string>;
}
interface Job {
    environment?: string;
    if?: string;
    permissions?: Record<string, string>;
    env?: Record<string, string>;
    steps: Step[];
}
interface Workflow {
    on: unknown;
    permissions: Record<string, string>;
    concurrency: { group: string; "cancel-in-progress": boolean };
    defaults?: { run: { shell: string } };
    jobs: Record<string, Job>;
}

const folder = join(example, ".github", "workflows");
const workflows: Record<string, Workflow> = Object.fromEntries(
    readdirSync(folder).map((file) => [file, parse(readFileSync(join(folder, file), "utf8")) as Workflow]),
);
const workflow = (file: string): Workflow => workflows[file] ?? assert.fail(`There is no ${file}`);
const jobs = Object.entries(workflows).flatMap(([file, { jobs }]) =>
    Object.entries(jobs).map(([name, job]) => ({ title: `${file} ${name}`, job })),
);
const secretsIn = (part: unknown) => [
    ...new Set([...JSON.stringify(part).matchAll(/secrets\.([A-Z_]+)/g)].map(([, name = ""]) => name).sort()),
];
const state = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
const service = ["VIDEOGRAPH_ACCESS_TOKEN_ID", "VIDEOGRAPH_SECRET_KEY"];

describe("The channel by GitOps", function () {
    this.timeout(170_000);
    let rehearsal: Rehearsal;
    const everPlayed: Record<string, Played> = {};

    before("a repository, a service that fails at times, and a stack", async () => {
        rehearsal = await Rehearsal.start([
            { kind: "reset", when: "after", method: "POST", path: "/contents", times: 1 },
            { kind: "reset", when: "after", method: "POST", path: "/livestreams", times: 1 },
            { kind: "status", status: 503, method: "GET", times: 2 },
            { kind: "status", status: 500, method: "PUT", times: 1 },
        ]);
        // As README.md has it, once and by hand.
        await rehearsal.byHand("stack", "init", "production");
        rehearsal.commitToMain("Configuration of the stack");
        // Secret in the state, so that previews cannot see it: nothing may look replaced for that (E14).
        const presigned = {
            "index.ts": (text: string) => text.replace("new URL(file,", 'new URL(file + "?signature=1",'),
        };
        rehearsal.merge(await rehearsal.pullRequest(presigned));
    });
    after(() => rehearsal?.[Symbol.asyncDispose]());

    /** Runs a workflow; nobody ever sees a secret in its logs and summaries. */
    async function play(file: string, event: Event): Promise<Record<string, Played>> {
        const played = await runWorkflow(rehearsal.world, file, event);
        for (const [name, { log, summary }] of Object.entries(played)) {
            everPlayed[`${file} ${name}`] = played[name] ?? assert.fail();
            const keys = rehearsal.emulator.livestreams().map(({ streamKey }) => streamKey);
            for (const secret of [...Object.values(rehearsal.world.secrets), ...keys])
                assert.ok(!`${log}${summary}`.includes(secret), `${name} shows a secret:\n${log}`);
        }
        return played;
    }
    const results = (played: Record<string, Played>) =>
        Object.fromEntries(Object.entries(played).map(([name, { result }]) => [name, result]));
    const logs = (played: Record<string, Played>) =>
        Object.values(played)
            .map(({ log }) => log)
            .join("\n");
    const preview = async (number: number, user = "colleague", from = rehearsal.world.hub.repository) => {
        const before = rehearsal.emulator.requests.length;
        const played = await play("preview.yml", { name: "pull_request", pull: { number, user, from } });
        assert.equal(rehearsal.emulator.requests.length, before, "A preview sends nothing to the service");
        return played;
    };
    const apply = async () => {
        const played = await play("apply.yml", { name: "push" });
        assert.deepEqual(results(played), { apply: "success" }, logs(played));
        return played;
    };

    it("a pull request that breaks the program cannot be merged, although the job after it is only skipped", async () => {
        const number = await rehearsal.pullRequest({
            "videos.ts": (text) => text.replace("How the tides work", ""),
        });
        const played = await preview(number);
        assert.deepEqual(results(played), { preview: "failure", comment: "skipped", gate: "failure" });
        assert.match(played.preview?.log ?? "", /no copy of the state yet[\s\S]*title/);
        assert.match(played.preview?.summary ?? "", /title/);
        assert.ok(!passes(played, "gate"));
        assert.ok(passes(played, "comment"), "which is why the gate is what must be required");
    });

    it("applies main, while answers get lost and the service is down at times", async () => {
        const { apply: applied } = await apply();
        assert.match(applied?.summary ?? "", /\+ 4 created/);
        assert.deepEqual(rehearsal.titles(), ["How the tides work", "Live from the quay", "Welcome to the harbour"]);
    });

    const shorter = { "videos.ts": (text: string) => text.replace("How the tides work", "Tides & currents") };

    it("shows a colleague's change as a comment", async () => {
        const number = await rehearsal.pullRequest(shorter);
        const played = await preview(number);
        assert.deepEqual(results(played), { preview: "success", comment: "success", gate: "success" }, logs(played));
        const { comments } = rehearsal.world.hub;
        const { body: comment = "" } = comments.at(-1) ?? {};
        assert.match(
            comment,
            /"How the tides work" =&gt; "Tides &amp; currents"|"How the tides work" => "Tides &amp; currents"/,
        );
        assert.match(comment, /~ 1 to update\n.*3 unchanged/);
        // The next preview changes this comment, and not one of another workflow (E12).
        comments.push({ pull: number, login: "github-actions[bot]", body: "Coverage: 80 %" });
        await preview(number);
        assert.deepEqual(
            comments.map(({ pull, body }) => [pull, body === "Coverage: 80 %"]),
            [
                [number, false],
                [number, true],
            ],
        );
    });

    it("a pull request that deletes more than one video needs a label", async () => {
        const none = { "videos.ts": (text: string) => text.replace(/^ {4}\{ name.*\n/gm, "") };
        const number = await rehearsal.pullRequest(none);
        const refused = await preview(number);
        assert.deepEqual(results(refused), { preview: "success", comment: "success", gate: "failure" }, logs(refused));
        assert.match(refused.gate?.log ?? "", /deletes or replaces 2 videos or livestreams, and 1 is allowed/);
        rehearsal.world.hub.labels.set(number, ["may-delete"]);
        assert.equal((await preview(number)).gate?.result, "success");
        // One alone is allowed.
        const one = await rehearsal.pullRequest({
            "videos.ts": (text) => text.replace(/^ {4}\{ name: "tides".*\n/gm, ""),
        });
        assert.equal((await preview(one)).gate?.result, "success");
    });

    it("shows a stranger's change just as well, and gives the code of it nothing that is secret", async () => {
        const curious = `
            import { readFileSync } from "node:fs";
            console.log("ENVIRONMENT", JSON.stringify(process.env));
            console.log("STATE", readFileSync(".state/production.json", "utf8"));
            console.log("CLONE", readFileSync(".git/config", "utf8"));
        `;
        const number = await rehearsal.pullRequest({ ...shorter, "index.ts": (text) => curious + text });
        const played = await preview(number, "stranger", "stranger/channel");
        assert.deepEqual(results(played), { preview: "success", comment: "skipped", gate: "success" }, logs(played));
        // `play` looks for secrets; here, that they were looked for in the right place.
        assert.match(
            played.preview?.log ?? "",
            /ENVIRONMENT[\s\S]*STATE[\s\S]*"streamKey"[\s\S]*\[hidden\][\s\S]*CLONE/,
        );
        assert.match(played.preview?.summary ?? "", /"How the tides work" => "Tides &amp; currents"/);
        assert.ok(passes(played, "gate"));
        assert.ok(rehearsal.world.hub.comments.every(({ pull }) => pull !== number));
    });

    it("finds drift as often as it is asked, says so in the summary and one issue, and closes it when the drift is gone", async () => {
        const { emulator, world } = rehearsal;
        const idOf = (title: string) => emulator.contents().find((content) => content.title === title)?.contentId ?? "";
        emulator.updateContent(idOf("How the tides work"), { title: "TIDES!!!" });
        emulator.deleteContent(idOf("Welcome to the harbour"));
        // Somebody else's, which stays as it is (E12).
        world.hub.issues.push({
            title: "Why?",
            labels: ["drift"],
            author: "ada",
            body: "Why?",
            open: true,
            comments: [],
        });
        for (const _twice of [1, 2]) {
            const played = await play("drift.yml", { name: "schedule" });
            assert.deepEqual(results(played), { drift: "failure", issue: "success" }, logs(played));
            assert.match(played.drift?.summary ?? "", /TIDES!!!/);
            assert.deepEqual([world.hub.issues.length, world.hub.issues[0]?.body], [2, "Why?"]);
            assert.match(world.hub.issues[1]?.body ?? "", /actions\/runs\/\d+[\s\S]*TIDES!!!/);
        }
        rehearsal.merge(await rehearsal.pullRequest(shorter));
        await apply();
        assert.deepEqual(rehearsal.titles(), ["Live from the quay", "Tides & currents", "Welcome to the harbour"]);
        await play("drift.yml", { name: "workflow_dispatch" });
        assert.deepEqual(
            world.hub.issues.map(({ open }) => open),
            [true, false],
        );
    });

    it("opens no issue when the check itself fails", async () => {
        rehearsal.emulator.inject({ kind: "status", status: 401, method: "GET", times: 50 });
        const played = await play("drift.yml", { name: "schedule" });
        assert.deepEqual(results(played), { drift: "failure", issue: "skipped" });
        rehearsal.emulator.clearFaults();
        assert.equal(rehearsal.world.hub.issues.length, 2);
    });

    it("counts the videos in a library too, whether some of them are deleted or the library is", async () => {
        const library = (...keys: string[]) => ({
            "index.ts": (text: string) => `${text.replace(/\nnew videograph\.ContentLibrary.*\n/, "")}
new videograph.ContentLibrary("archive", { contents: { ${keys.map((key) => `${key}: { title: "${key}", content: [{ url: sourceBaseUrl + "${key}.mp4" }] }`).join(", ")} } });
`,
        });
        rehearsal.merge(await rehearsal.pullRequest(library("mole", "quay", "lock")));
        await apply();
        const refused = async (edit: Parameters<Rehearsal["pullRequest"]>[0], count: number) => {
            const { gate } = await preview(await rehearsal.pullRequest(edit));
            assert.equal(gate?.result, "failure", gate?.log);
            assert.match(gate?.log ?? "", new RegExp(`deletes or replaces ${count} videos`));
        };
        await refused(library("mole"), 2);
        await refused({ "index.ts": (text) => text.replace(/\nnew videograph\.ContentLibrary.*\n/, "") }, 3);
        assert.equal((await preview(await rehearsal.pullRequest(library("mole", "quay")))).gate?.result, "success");
    });

    it("left out no job of the workflows", () => {
        assert.deepEqual(Object.keys(everPlayed).sort(), jobs.map(({ title }) => title).sort());
    });
});

describe("The workflows of the GitOps example", () => {
    it("give credentials to no job of a pull request, and keep them in an environment that main alone may use", () => {
        for (const { title, job } of jobs) {
            const secrets = secretsIn(job);
            const expected = /^(apply|drift)\.yml (apply|drift)$/.test(title) ? [...state, ...service] : [];
            assert.deepEqual(secrets, expected, title);
            assert.equal(job.environment, secrets.length > 0 ? "production" : undefined, title);
            if (secrets.length > 0) assert.match(job.if ?? "", /github\.ref == 'refs\/heads\/main'/, title);
            // To single steps: the installation of packages sees none.
            for (const { run, uses, env } of job.steps.filter((step) => secretsIn(step).length > 0)) {
                assert.match(run ?? "", /^code=0\npulumi|^pulumi|^mkdir -p \.state\npulumi/, title);
                assert.equal(uses, undefined);
                assert.ok(env);
            }
            assert.deepEqual(secretsIn(job.env ?? {}), [], title);
        }
        // `pull_request_target` would give a stranger's code this repository's secrets.
        assert.deepEqual(Object.keys(workflow("preview.yml").on as object), ["pull_request"]);
        for (const [file, { permissions }] of Object.entries(workflows)) {
            assert.deepEqual(permissions, { contents: "read" }, file);
        }
    });

    it("give the right to write to no job that has a clone or credentials", () => {
        for (const { title, job } of jobs) {
            if (!Object.values(job.permissions ?? {}).includes("write")) continue;
            assert.deepEqual(secretsIn(job), [], title);
            for (const { uses = "", run = "" } of job.steps) {
                assert.doesNotMatch(`${uses} ${run}`, /actions\/checkout|npm |pulumi /, title);
            }
        }
    });

    it("fail when the command before a pipe fails: GitHub sets pipefail only for a shell that is named", () => {
        for (const [file, { defaults, jobs }] of Object.entries(workflows)) {
            if (/\| tee|\| jq/.test(JSON.stringify(jobs))) assert.equal(defaults?.run.shell, "bash", file);
        }
    });

    it("leave no copy of the state in the cache whose export has failed (E12)", () => {
        const { steps } = workflow("apply.yml").jobs.apply ?? assert.fail();
        const save = steps.find(({ uses }) => uses?.startsWith("actions/cache/save@"));
        assert.match(save?.if ?? "", /^\$\{\{ always\(\) && steps\.copy\.outcome == 'success' \}\}$/);
        assert.ok(steps.some((step) => (step as { id?: string }).id === "copy" && step.run?.includes("stack export")));
    });

    it("gate by a job that is never skipped", () => {
        const { gate } = workflow("preview.yml").jobs;
        assert.match(gate?.if ?? "", /^\$\{\{ always\(\) \}\}$/);
        assert.match(readFileSync(join(example, "README.md"), "utf8"), /Require the check `gate`/);
    });

    it("comment where GitHub gives the right to: not for a fork, nor for a bot's update of a package", () => {
        const condition = workflow("preview.yml").jobs.comment?.if;
        const comments = (user: string, from: string) =>
            holds(
                condition,
                true,
                (name) =>
                    ({
                        "github.repository": "harbour/channel",
                        "github.event.pull_request.user.login": user,
                        "github.event.pull_request.head.repo.full_name": from,
                    })[name],
            );
        assert.equal(comments("colleague", "harbour/channel"), true);
        assert.equal(comments("stranger", "stranger/channel"), false);
        assert.equal(comments("dependabot[bot]", "harbour/channel"), false);
    });

    it("apply one at a time, and never let a check push out an apply that waits", () => {
        const { concurrency } = workflow("apply.yml");
        assert.equal(concurrency["cancel-in-progress"], false);
        // One group for all branches and runs: nothing in its name changes.
        assert.doesNotMatch(concurrency.group, /\$/);
        for (const [file, { concurrency: other }] of Object.entries(workflows)) {
            if (file !== "apply.yml") assert.notEqual(other.group, concurrency.group, file);
        }
    });
});

describe("The GitOps example for the Kubernetes operator", () => {
    interface Manifest {
        apiVersion: string;
        kind: string;
        metadata: { name: string };
        spec: Record<string, unknown>;
    }
    const objects = parseAllDocuments(readFileSync(join(example, "kubernetes", "stack.yaml"), "utf8")).map(
        (document) => {
            assert.deepEqual(document.errors, []);
            return document.toJS() as Manifest;
        },
    );
    const named = (kind: string) => objects.find((object) => object.kind === kind) ?? assert.fail(`No ${kind}`);
    const stack = named("Stack");

    it("has the fields that the operator knows, with values of their types", () => {
        assert.deepEqual(problemsOfStack(stack), []);
        const { stack: _, ...spec } = stack.spec;
        const wrong = { ...stack, kind: "Stacks", spec: { ...spec, refresh: "true", resync: 5 } };
        assert.deepEqual(problemsOfStack(wrong), [
            "kind must be Stack",
            "spec needs stack",
            "spec.refresh must be boolean",
            "spec has no field resync",
        ]);
    });

    it("is the same stack with the same secrets", () => {
        const { envRefs, ...spec } = stack.spec as {
            envRefs: Record<string, { type: string }>;
            stack: string;
            serviceAccountName: string;
        };
        const secret = Object.keys(envRefs).filter((name) => envRefs[name]?.type === "Secret");
        assert.deepEqual(secret.sort(), ["PULUMI_ACCESS_TOKEN", ...service]);
        assert.match(spec.stack, /\/gitops\/production$/);
        assert.equal(spec.serviceAccountName, named("ServiceAccount").metadata.name);
    });
});

describe("The rehearsal's expressions", () => {
    const lookup = (context: string) => ({ "a.b": "yes", empty: "" })[context];

    it("are GitHub's: operators, precedence and what is false", () => {
        for (const [text, expected] of [
            ["a.b == 'yes'", true],
            ["a.b == 'YES'", true],
            ["a.b != 'yes' || empty == ''", true],
            ["a.b && missing", undefined],
            ["!(a.b && empty)", true],
            ["missing == ''", true],
            ["'it''s'", "it's"],
        ] as const) {
            assert.equal(evaluate(text, lookup), expected, text);
        }
        assert.throws(() => evaluate("a.b ==", lookup), /cannot evaluate/);
        assert.throws(() => evaluate("contains(a.b, 'y')", lookup), /cannot evaluate/);
    });

    it("hold by default only when all went well", () => {
        assert.equal(holds("a.b == 'yes'", false, lookup), false);
        assert.equal(holds(`\${{ always() && a.b == 'yes' }}`, false, lookup), true);
        assert.equal(holds(undefined, false, lookup), false);
        assert.equal(holds("failure()", false, lookup), true);
    });
});
