/** examples/gitops: the workflows' steps do what the README says, without and with credentials, against a service that fails at times. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { defaultBaseUrl } from "../../provider/dist/api/index.js";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { serve } from "../support/media.ts";
import { useTestbed } from "../support/testbed.ts";
import { compile, copyExample, runsFaster } from "./exampleStack.ts";
import { type Answers, example, type Runner, runScript, runStep, workflow, workflows } from "./gitops/steps.ts";

type Edits = Readonly<Record<string, (text: string) => string>>;

const jobs = Object.entries(workflows).flatMap(([file, { jobs }]) =>
    Object.entries(jobs).map(([name, job]) => ({ title: `${file} ${name}`, job })),
);
const secretsIn = (part: unknown) => [
    ...new Set([...JSON.stringify(part).matchAll(/secrets\.([A-Z_]+)/g)].map(([, name = ""]) => name).sort()),
];
const state = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
const service = ["VIDEOGRAPH_ACCESS_TOKEN_ID", "VIDEOGRAPH_SECRET_KEY"];
const [preview, gate, apply, drift] = [
    ["preview.yml", "preview", "Preview"],
    ["preview.yml", "gate", "The preview has succeeded, and deletes no more than is allowed"],
    ["apply.yml", "apply", "Apply"],
    ["drift.yml", "drift", "Check"],
] as const;
const ofGitHub = {
    "github.token": "ghs_token",
    "github.repository": "example/channel",
    "github.server_url": "https://github.example",
    "github.run_id": "17",
    "github.event.pull_request.number": "3",
};

/** The folder of one test's files. */
let folder: string;
beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "videograph-gitops-"));
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

describe("The channel by GitOps", () => {
    const testbed = useTestbed({ fetchSources: false });

    it("shows what a pull request changes without credentials, applies main, and finds drift until it is undone", async () => {
        const { emulator, cli } = testbed;
        emulator.inject({ kind: "reset", when: "after", method: "POST", path: "/contents", times: 1 });
        emulator.inject({ kind: "reset", when: "after", method: "POST", path: "/livestreams", times: 1 });
        emulator.inject({ kind: "status", status: 503, method: "GET", times: 2 });
        emulator.inject({ kind: "status", status: 500, method: "PUT", times: 1 });
        const { VIDEOGRAPH_BASE_URL, ...credentials } = emulator.env;
        const isolated = isolatedEnvironment(cli, { backend: "/", home: "", passphrase: "" });
        const ofTheWorkflow = /^PULUMI_(BACKEND_URL|HOME|CONFIG_PASSPHRASE)$/;
        const ofTheRunner = Object.entries(isolated).filter(([name]) => !ofTheWorkflow.test(name));
        const env = await runsFaster(Object.fromEntries(ofTheRunner));
        // In place of the service, wherever a workflow names it.
        const runner = { folder, env, instead: { VIDEOGRAPH_BASE_URL } };
        const secrets = { ...credentials, PULUMI_CONFIG_PASSPHRASE: "rehearsal-passphrase" };
        await mkdir(join(folder, "state"));
        const production = {
            ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value])),
            "secrets.PULUMI_ACCESS_TOKEN": "",
            "vars.PULUMI_BACKEND_URL": pathToFileURL(join(folder, "state")).href,
        };
        const withoutSecrets = (text: string) => {
            const keys = emulator.livestreams().map(({ streamKey }) => streamKey);
            for (const secret of [...Object.values(secrets), ...keys])
                assert.ok(!text.includes(secret), `A secret is shown:\n${text}`);
        };
        const run = async (step: Parameters<typeof runStep>[1], workspace: string, contexts: Answers) => {
            const played = await runStep(runner, step, workspace, { ...ofGitHub, ...contexts });
            withoutSecrets(played.log + played.summary);
            return played;
        };
        /** A copy of a folder, with edited files. */
        const copyOf = async (from: string, name: string, edits: Edits): Promise<string> => {
            const copy = join(folder, name);
            await copyExample(from, copy);
            for (const [file, edit] of Object.entries(edits)) {
                const text = await readFile(join(copy, file), "utf8");
                assert.notEqual(edit(text), text, `${file} has nothing to edit`);
                await writeFile(join(copy, file), edit(text));
            }
            await compile(copy);
            return copy;
        };
        const library = (name: string, ...keys: string[]) => `
new videograph.ContentLibrary("${name}", { contents: { ${keys.map((key) => `${key}: { title: "${key}", content: [{ url: sourceBaseUrl + "${key}.mp4" }] }`)} } });
`;
        const main = await copyOf(example, "main", {
            // Secret in the state, so that previews cannot see it: nothing may look replaced for that (E14).
            "index.ts": (text) =>
                text.replace("new URL(file,", 'new URL(file + "?signature=1",') +
                library("archive", "mole", "quay", "lock") +
                library("cellar", "keg"),
        });
        /** The state of a pull request's preview, and what it shows. A preview sends nothing to the service. */
        const previewOf = async (name: string, edits: Edits) => {
            emulator.clearRequests();
            const workspace = await copyOf(main, name, edits);
            await mkdir(join(folder, `${name}-temp`));
            const played = await run(preview, workspace, { "runner.temp": join(folder, `${name}-temp`) });
            assert.deepEqual(emulator.requests, []);
            return played;
        };
        const applies = async () => {
            const { code, log } = await run(apply, main, production);
            assert.equal(code, 0, log);
            const { summary } = await run(["apply.yml", "apply", "Show the result in the summary"], main, {});
            const copy = ["apply.yml", "apply", "Copy the state without its secrets, for previews"] as const;
            assert.equal((await run(copy, main, production)).code, 0);
            withoutSecrets(await readFile(join(main, ".state", "production.json"), "utf8"));
            return summary;
        };
        const titles = () => [...emulator.contents(), ...emulator.livestreams()].map(({ title }) => title).sort();

        const broken = await previewOf("broken", { "videos.json": (text) => text.replace("How the tides work", "") });
        assert.notEqual(broken.code, 0);
        assert.match(broken.log, /no copy of the state yet[\s\S]*title/);
        // Nobody has to read a log for the reason.
        assert.match(await readFile(join(folder, "broken", "review.md"), "utf8"), /The preview failed[\s\S]*title/);
        assert.deepEqual(broken.outputs, {});
        // The list is data, which its owner need not review.
        const elsewhere = await previewOf("elsewhere", {
            "videos.json": (text) => text.replace("tides.mp4", "https://elsewhere.example.com/tides.mp4"),
        });
        assert.notEqual(elsewhere.code, 0);
        assert.match(elsewhere.log, /videos\.json, tides: https:\/\/elsewhere\.example\.com\/tides\.mp4 is not below/);

        // As README.md has it, once and by hand.
        const backend = { PULUMI_BACKEND_URL: production["vars.PULUMI_BACKEND_URL"] };
        const init = "pulumi stack init production --non-interactive";
        assert.equal((await runScript(runner, init, main, { ...secrets, ...backend })).code, 0);
        // Answers get lost, and the service is down at times.
        assert.match(await applies(), /\+ 6 created/);
        const videos = ["How the tides work", "Live from the quay", "Welcome to the harbour"];
        const all = [...videos, "keg", "lock", "mole", "quay"];
        assert.deepEqual(titles(), all);

        const curious = `
            import { existsSync, readFileSync } from "node:fs";
            console.log("ENVIRONMENT", JSON.stringify(process.env));
            console.log("STATE", readFileSync(".state/production.json", "utf8"));
        `;
        const shorter = { "videos.json": (text: string) => text.replace("How the tides work", "Tides & currents") };
        const redirected = {
            "Pulumi.yaml": (text: string) => `${text}    videograph:baseUrl: https://evil.example.com\n`,
        };
        const program = (text: string) => curious + text;
        const changed = await previewOf("changed", { ...shorter, ...redirected, "index.ts": program });
        assert.equal(changed.code, 0, changed.log);
        assert.match(changed.log, /"How the tides work" => "Tides & currents"/);
        assert.match(changed.log, /~ 1 to update\n.*5 unchanged/);
        assert.match(changed.log, /ENVIRONMENT[\s\S]*STATE[\s\S]*"streamKey"[\s\S]*\[hidden\]/);
        assert.deepEqual(changed.outputs, { allowed: "yes", deletions: "0" });
        const show = ["preview.yml", "preview", "Show the review in the summary"] as const;
        const shown = (await run(show, join(folder, "changed"), {})).summary;
        assert.match(
            shown,
            /0 new, 1 changed, 0 replaced, 0 deleted; [\s\S]*~~`How the tides work`~~ → `Tides & currents`/,
        );
        assert.match(
            shown,
            /<details><summary>The whole preview[\s\S]*=&gt;|<details><summary>The whole preview[\s\S]*unchanged/,
        );
        assert.match(changed.log, /Requests go to https:..evil\.example\.com, from the stack's configuration .*VG1015/);
        // A library is one resource: each of its videos counts, whether some of them are deleted or the library is.
        const oneLess = (text: string) => text.replace(/,\n.*"tides".*/, "");
        const smaller = (text: string) =>
            text.replace(/(\nnew videograph\.ContentLibrary.*\n)+/, library("archive", "lock"));
        const fewer = await previewOf("fewer", { "videos.json": oneLess, "index.ts": smaller });
        assert.deepEqual(fewer.outputs, { allowed: "no", deletions: "4" }, fewer.log);
        const review = await readFile(join(folder, "fewer", "review.md"), "utf8");
        for (const name of ["tides", "archive/mole", "archive/quay", "cellar/keg"])
            assert.ok(review.includes(`\`${name}\``));
        await gitLab(runner, (name, edits) => copyOf(main, name, edits), {
            "videos.json": oneLess,
            "index.ts": smaller,
        });

        const idOf = (title: string) => emulator.contents().find((content) => content.title === title)?.contentId ?? "";
        emulator.updateContent(idOf("How the tides work"), { title: "TIDES!!!" });
        emulator.deleteContent(idOf("Welcome to the harbour"));
        const found = await run(drift, main, production);
        assert.deepEqual([found.code, found.outputs], [7, { result: "drift" }]);
        const { summary } = await run(["drift.yml", "drift", "Show the drift in the summary"], main, {});
        assert.match(summary, /TIDES!!!/);
        await applies();
        assert.deepEqual(titles(), all);
        assert.deepEqual((await run(drift, main, production)).outputs, { result: "none" });
        emulator.inject({ kind: "status", status: 401, method: "GET", times: 50 });
        const failed = await run(drift, main, production);
        assert.ok(![0, 7].includes(failed.code), failed.log);
        assert.deepEqual(failed.outputs, {}, "a check that has failed says nothing about drift");
    });
});

/** The job of GitLab, with the copy of the state that its API gives. */
async function gitLab(runner: Runner, copyOf: (name: string, edits: Edits) => Promise<string>, edits: Edits) {
    const { review } = gitLabJobs();
    const state = await readFile(join(folder, "main", ".state", "production.json"), "utf8");
    let copies = 0;
    await using api = await serve((request, response) => {
        const isCopy = request.url === "/projects/7/jobs/artifacts/main/raw/.state/production.json?job=apply";
        if (!isCopy || request.headers["job-token"] !== "job-token" || copies === 0) response.writeHead(404).end();
        else response.end(state);
    });
    const attempt = async (name: string, labels: string, changes: Edits) => {
        const workspace = await copyOf(name, changes);
        await rm(join(workspace, ".state"), { recursive: true, force: true });
        const variables = {
            CI_PROJECT_ID: "7",
            CI_DEFAULT_BRANCH: "main",
            CI_JOB_TOKEN: "job-token",
            CI_API_V4_URL: api.url,
        };
        const env = { ...variables, CI_PROJECT_DIR: workspace, CI_MERGE_REQUEST_LABELS: labels, ...review.env };
        const { code, log } = await runScript(runner, review.script, workspace, env);
        assert.ok((await readFile(join(workspace, "review.html"), "utf8")).includes("<h1>Review of"), log);
        return code;
    };
    assert.equal(await attempt("gitlab-first", "", edits), 3);
    copies = 1;
    assert.equal(await attempt("gitlab-fewer", "other", edits), 3);
    assert.equal(await attempt("gitlab-allowed", "other,may-delete", edits), 0);
}

/** The script of its job for merge requests, and its variables. */
function gitLabJobs() {
    const { variables, review, apply } = parse(readFileSync(join(example, ".gitlab-ci.yml"), "utf8"));
    return { review: { script: review.script.join("\n"), env: { ...variables, ...review.variables } }, apply };
}

describe("The jobs of the GitOps example that write", () => {
    const step = (...args: Parameters<typeof runStep> extends [Runner, ...infer Rest] ? Rest : never) =>
        runStep({ folder, env: { PATH: process.env.PATH ?? "" } }, ...args);

    it("gate: lets a preview pass that has succeeded, and deletes one video at most or has a label", async () => {
        const passes = async (result: string, allowed: string, label = "") => {
            const outputs = { "needs.preview.outputs.allowed": allowed, "needs.preview.outputs.deletions": "2" };
            const contexts = { "needs.preview.result": result, ...outputs };
            const labels = { "pr view 3": JSON.stringify({ labels: [{ name: label }] }) };
            const { code, log } = await step(gate, folder, { ...ofGitHub, ...contexts }, labels);
            return code === 0 || log;
        };
        assert.equal(await passes("success", "yes"), true);
        assert.match(
            String(await passes("success", "no")),
            /deletes or replaces up to 2 videos .* more than is allowed/,
        );
        assert.equal(await passes("success", "no", "may-delete"), true);
        assert.match(String(await passes("success", "unknown")), /no copy of the state/);
        assert.equal(await passes("failure", "", "may-delete"), "");
        // GitHub counts a job that was skipped as passed: this one always runs.
        assert.equal(workflow("preview.yml").jobs.gate?.if, `\${{ always() }}`);
    });

    it("comment: written once and updated, where the run came from, with the text of a stranger as text", async () => {
        const update = ["comment.yml", "comment", "Write or update the comment"] as const;
        const contexts = {
            ...ofGitHub,
            "github.event.workflow_run.head_sha": "c0ffee",
            // A stranger chooses the name of a branch.
            "github.event.workflow_run.head_repository.owner.login": "stranger",
            "github.event.workflow_run.head_branch": "$(touch hacked)`touch hacked`",
            "github.event.workflow_run.html_url": "https://github.example/run/17",
        };
        const pulls = [
            { number: 5, head: { sha: "0ther" } },
            { number: 3, head: { sha: "c0ffee" } },
        ];
        const own = { id: 11, user: { login: "github-actions[bot]" }, body: "<!-- videograph-review -->old" };
        const copied = { ...own, id: 12, user: { login: "stranger" } };
        const write = async (text: string | undefined, comments: object[], open = pulls) => {
            const workspace = await mkdtemp(join(folder, "comment-"));
            await mkdir(join(workspace, "review"));
            if (text !== undefined) await writeFile(join(workspace, "review", "review.md"), text);
            const answers = {
                "api --method GET repos/example/channel/pulls": JSON.stringify(open),
                "api --paginate repos/example/channel/issues/3/comments": JSON.stringify(comments),
            };
            const { code, log, gh } = await step(update, workspace, contexts, answers);
            assert.equal(code, 0, log);
            assert.ok(!existsSync(join(workspace, "hacked")));
            return gh.slice(2).map(({ command, body }) => ({ command: command.split(" ", 4).join(" "), body }));
        };
        const [first, ...more] = await write("## Videos\n@team see #5 $(touch hacked)\n", [copied]);
        assert.deepEqual([first?.command, more], ["api --method POST repos/example/channel/issues/3/comments", []]);
        assert.match(
            first?.body ?? "",
            /^<!-- videograph-review -->\n## Videos\n@\u200bteam see #5 \$\(touch hacked\)\n/,
        );
        assert.match(first?.body ?? "", /\[the preview\]\(https:\/\/github\.example\/run\/17\)/);
        const [second] = await write("x".repeat(100_000), [copied, own]);
        assert.equal(second?.command, "api --method PATCH repos/example/channel/issues/comments/11");
        assert.ok((second?.body.length ?? 0) < 65_000);
        // Nothing was left by the preview, or the pull request has another commit by now.
        assert.deepEqual(await write(undefined, []), []);
        assert.deepEqual(await write("late", [], pulls.slice(0, 1)), []);
        const { jobs, on, permissions } = workflow("comment.yml");
        assert.deepEqual([permissions, jobs.comment?.permissions], [{}, { actions: "read", "pull-requests": "write" }]);
        assert.deepEqual(Object.keys(on as object), ["workflow_run"]);
    });

    it("issue: opened once, updated, and closed when the drift is gone; not somebody else's (E12)", async () => {
        await writeFile(join(folder, "drift.txt"), "TIDES!!!\n");
        const issue = async (result: string, ...open: number[]) => {
            const list = "issue list --label drift --author app/github-actions --state open";
            const answers = { [list]: JSON.stringify(open.map((number) => ({ number }))) };
            const contexts = { ...ofGitHub, "needs.drift.outputs.result": result };
            const update = ["drift.yml", "issue", "Open, update or close the issue"] as const;
            const { code, log, gh } = await step(update, folder, contexts, answers);
            assert.equal(code, 0, log);
            return gh.slice(1).map(({ command, body }) => `${command.split(" ", 3).join(" ")} ${body}`);
        };
        const opened = (await issue("drift")).join("");
        assert.match(opened, /^label create drift .*issue create --title .*actions\/runs\/17[\s\S]*TIDES!!!/);
        assert.match(String(await issue("drift", 5)), /^issue edit 5 [\s\S]*TIDES!!!/);
        assert.match(String(await issue("none", 5)), /^issue close 5/);
        assert.deepEqual(await issue("none"), []);
        // Not when the check itself has failed: then it has no result.
        assert.match(workflow("drift.yml").jobs.issue?.if ?? "", /needs\.drift\.outputs\.result != ''/);
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
            for (const { run } of (job.steps ?? []).filter((step) => secretsIn(step).length > 0))
                assert.match(run ?? "", /^code=0\npulumi|^pulumi|^mkdir -p \.state\npulumi/, title);
            assert.deepEqual(secretsIn(job.env ?? {}), [], title);
        }
        // `pull_request_target` would give a stranger's code this repository's secrets.
        assert.deepEqual(Object.keys(workflow("preview.yml").on as object), ["pull_request"]);
    });

    it("send credentials nowhere but to the service, whatever a configuration says, and leave the review of all but data to owners", () => {
        const steps = jobs.flatMap(({ job }) => job.steps ?? []);
        const withCredentials = steps.filter((step) => secretsIn(step).includes("VIDEOGRAPH_SECRET_KEY"));
        assert.equal(withCredentials.length, 2);
        for (const { env } of withCredentials) assert.equal(env?.VIDEOGRAPH_BASE_URL, defaultBaseUrl);
        assert.equal(gitLabJobs().apply.variables.VIDEOGRAPH_BASE_URL, defaultBaseUrl);
        const owners = readFileSync(join(example, ".github", "CODEOWNERS"), "utf8").replaceAll(/^#.*\n/gm, "");
        assert.equal(owners, "* @example/maintainers\n/videos.json\n");
        assert.ok(Array.isArray(JSON.parse(readFileSync(join(example, "videos.json"), "utf8"))));
    });

    it("give the right to write to no job that has a clone or credentials", () => {
        for (const [file, { permissions }] of Object.entries(workflows))
            assert.deepEqual(permissions, file === "comment.yml" ? {} : { contents: "read" }, file);
        for (const { title, job } of jobs) {
            if (!Object.values(job.permissions ?? {}).includes("write")) continue;
            assert.deepEqual(secretsIn(job), [], title);
            for (const { uses = "", run = "" } of job.steps ?? [])
                assert.doesNotMatch(`${uses} ${run}`, /actions\/checkout|npm |pulumi /, title);
        }
    });

    it("leave no copy of the state in the cache whose export has failed (E12)", () => {
        const { steps = [] } = workflow("apply.yml").jobs.apply ?? assert.fail();
        const save = steps.find(({ uses }) => uses?.startsWith("actions/cache/save@"));
        assert.match(save?.if ?? "", /steps\.copy\.outcome == 'success'/);
        assert.ok(steps.some(({ id, run }) => id === "copy" && run?.includes("stack export")));
    });

    it("apply one at a time, and never let a check push out an apply that waits", () => {
        const { concurrency = assert.fail() } = workflow("apply.yml");
        assert.equal(concurrency["cancel-in-progress"], false);
        // One group for all branches and runs: nothing in its name changes.
        assert.doesNotMatch(concurrency.group, /\$/);
        for (const [file, { concurrency: other }] of Object.entries(workflows))
            if (file !== "apply.yml") assert.notEqual(other?.group, concurrency.group, file);
    });
});

describe("The GitOps example for the Kubernetes operator", () => {
    it("is the same stack with the same secrets", () => {
        const objects = parseAllDocuments(readFileSync(join(example, "kubernetes", "stack.yaml"), "utf8"));
        const named = (kind: string) => objects.find((one) => one.get("kind") === kind)?.toJS() ?? assert.fail(kind);
        const stack = named("Stack");
        assert.match(stack.spec.stack, /\/gitops\/production$/);
        assert.equal(stack.spec.serviceAccountName, named("ServiceAccount").metadata.name);
        const { VIDEOGRAPH_BASE_URL: address, ...secrets } = stack.spec.envRefs;
        assert.deepEqual(address, { type: "Literal", literal: { value: defaultBaseUrl } });
        assert.deepEqual(Object.keys(secrets).sort(), ["PULUMI_ACCESS_TOKEN", ...service]);
    });
});
