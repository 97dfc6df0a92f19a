/** examples/gitops: the rehearsal goes well against a service that fails at times, and leaves no job of the workflows out. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { typesAreCheckedElsewhere } from "./exampleStack.ts";

const example = join(import.meta.dirname, "..", "..", "examples", "gitops");

interface Step {
    run?: string;
    uses?: string;
    with?: Record<string, unknown>;
    env?: Record<string, string>;
}
interface Job {
    permissions?: Record<string, string>;
    "timeout-minutes"?: number;
    steps: Step[];
}
interface Workflow {
    on: unknown;
    permissions: Record<string, string>;
    concurrency: { group: string; "cancel-in-progress": boolean };
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
const secretsIn = (part: unknown) =>
    [...JSON.stringify(part).matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name).sort();

describe("The channel by GitOps", function () {
    this.timeout(300_000);

    it("goes through its life as the workflows have it, while answers get lost and the service is down at times", async () => {
        const cli = await obtainPulumiCli();
        const faults = [
            { kind: "reset", when: "after", method: "POST", path: "/contents", times: 1 },
            { kind: "reset", when: "after", method: "POST", path: "/livestreams", times: 1 },
            { kind: "status", status: 503, method: "GET", times: 2 },
            { kind: "status", status: 500, method: "PUT", times: 1 },
            { kind: "status", status: 502, method: "DELETE", times: 1 },
        ];
        const { code, output } = await rehearse(cli.folder, faults);
        assert.equal(code, 0, output);
        assert.match(output, /The rehearsal went well/);
        // The commands come from the workflows' files; here, that there is no job whose commands were not run.
        const played = new Set([...output.matchAll(/^== (.+), on runner \d+$/gm)].map(([, title]) => title));
        assert.deepEqual([...played].sort(), jobs.map(({ title }) => title).sort());
        assert.doesNotMatch(output, /emulator-secret-key|rtmp.*key/);
    });

    it("installs from the lock file with Node 24 before it runs Pulumi, in every job", () => {
        for (const { title, job } of jobs) {
            assert.ok(job["timeout-minutes"] !== undefined, `${title} has no time limit`);
            const steps = job.steps.map(({ run, uses }) => run ?? uses?.replace(/@v\d+$/, ""));
            const [first, second, third] = steps;
            assert.deepEqual([first, second, third], ["actions/checkout", "actions/setup-node", "npm ci"], title);
            assert.equal(job.steps[1]?.with?.["node-version"], 24, title);
            assert.ok(steps.includes("pulumi/actions"), title);
        }
    });

    it("applies one at a time, and never lets a check push out an apply that waits", () => {
        const { concurrency } = workflow("apply.yml");
        assert.equal(concurrency["cancel-in-progress"], false);
        // One group for all branches and runs: nothing in its name changes.
        assert.doesNotMatch(concurrency.group, /\$/);
        for (const [file, { concurrency: other }] of Object.entries(workflows)) {
            if (file !== "apply.yml") assert.notEqual(other.group, concurrency.group, file);
        }
    });

    it("gives each job the least it needs", () => {
        for (const [file, { permissions }] of Object.entries(workflows)) {
            assert.deepEqual(permissions, { contents: "read" }, file);
        }
        const state = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
        const service = ["VIDEOGRAPH_ACCESS_TOKEN_ID", "VIDEOGRAPH_SECRET_KEY"];
        const expected: Record<string, { secrets: string[]; permissions?: Record<string, string> }> = {
            "preview.yml preview": { secrets: state, permissions: { contents: "read", "pull-requests": "write" } },
            "preview.yml fork": { secrets: [] },
            "apply.yml apply": { secrets: [...state, ...service] },
            "drift.yml drift": { secrets: [...state, ...service] },
        };
        for (const { title, job } of jobs) {
            assert.deepEqual(secretsIn(job), expected[title]?.secrets, title);
            assert.deepEqual(job.permissions, expected[title]?.permissions, title);
        }
        // `pull_request_target` would give a fork's code this repository's secrets.
        assert.equal(workflow("preview.yml").on, "pull_request");
    });

    it("keeps the journal also of a run that failed, and where the provider looks for it", () => {
        const { apply } = workflow("apply.yml").jobs as Record<string, Job & { env: Record<string, string> }>;
        const steps = apply?.steps ?? [];
        const index = (action: string) => steps.findIndex(({ uses }) => uses?.startsWith(action));
        const [restore, up, save] = [
            index("actions/cache/restore"),
            index("pulumi/actions"),
            index("actions/cache/save"),
        ];
        assert.ok(restore >= 0 && restore < up && up < save);
        assert.equal((steps[save] as { if?: string }).if, "always()");
        assert.equal(steps[save]?.with?.key, steps[restore]?.with?.key);
        for (const step of [steps[restore], steps[save]]) {
            assert.equal(`\${{ github.workspace }}/${step?.with?.path}`, apply?.env.VIDEOGRAPH_JOURNAL_DIR);
        }
    });

    it("is the same stack for the Kubernetes operator, with the same secrets", () => {
        const documents = parseAllDocuments(readFileSync(join(example, "kubernetes", "stack.yaml"), "utf8"));
        assert.ok(Array.isArray(documents));
        const objects = documents.map((document) => {
            assert.deepEqual(document.errors, []);
            return document.toJS() as { apiVersion: string; kind: string; metadata: { name: string }; spec: never };
        });
        const named = (kind: string) => objects.find((object) => object.kind === kind) ?? assert.fail(`No ${kind}`);
        const stack = named("Stack");
        assert.equal(stack.apiVersion, "pulumi.com/v1");
        const { envRefs, ...spec } = stack.spec as {
            envRefs: Record<string, { type: string; literal?: { value: string } }>;
            stack: string;
            serviceAccountName: string;
            workspaceTemplate: { spec: { podTemplate: { spec: PodSpec } } };
        };
        interface PodSpec {
            containers: { volumeMounts: { name: string; mountPath: string }[] }[];
            volumes: { name: string; persistentVolumeClaim: { claimName: string } }[];
        }
        const secret = Object.keys(envRefs).filter((name) => envRefs[name]?.type === "Secret");
        const apply = secretsIn(workflow("apply.yml")).filter((name) => name !== "PULUMI_CONFIG_PASSPHRASE");
        assert.deepEqual(secret.sort(), apply);
        assert.equal(
            spec.stack.split("/").at(-1),
            workflow("apply.yml").jobs.apply?.steps.find(isPulumi)?.with?.["stack-name"],
        );
        assert.equal(spec.serviceAccountName, named("ServiceAccount").metadata.name);
        const pod = spec.workspaceTemplate.spec.podTemplate.spec;
        assert.equal(pod.volumes[0]?.persistentVolumeClaim.claimName, named("PersistentVolumeClaim").metadata.name);
        assert.equal(pod.containers[0]?.volumeMounts[0]?.name, pod.volumes[0]?.name);
        assert.equal(pod.containers[0]?.volumeMounts[0]?.mountPath, envRefs.HOME?.literal?.value);
    });
});

function isPulumi({ uses }: Step): boolean {
    return uses?.startsWith("pulumi/actions@") === true;
}

async function rehearse(cliFolder: string, faults: readonly object[]): Promise<{ code: unknown; output: string }> {
    const args = faults.flatMap((fault) => ["--fault", JSON.stringify(fault)]);
    const child = spawn(process.execPath, [join(example, "rehearsal", "rehearse.mts"), ...args], {
        env: {
            ...process.env,
            ...typesAreCheckedElsewhere,
            PATH: [cliFolder, nodeFolder, process.env.PATH].join(delimiter),
        },
        stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
            output += text;
        });
    }
    const [code] = await once(child, "close");
    return { code, output };
}
