/** What the workflows run exists: npm scripts, files and workspaces. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { checkShell } from "./checkShell.ts";
import { repository } from "./markdown.ts";

interface Workflow {
    jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }>;
}

describe("Workflows", function () {
    this.timeout(60_000);
    const folder = join(repository, ".github", "workflows");
    const read = (name: string) => parse(readFileSync(join(folder, name), "utf8")) as Workflow;
    const commandsOf = (workflow: Workflow) =>
        Object.values(workflow.jobs).flatMap(({ steps }) =>
            steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
        );

    it("run scripts and workspaces that exist", async () => {
        for (const name of readdirSync(folder)) {
            const commands = commandsOf(read(name));
            assert.ok(commands.length > 0, name);
            const blocks = commands.map((text) => ({
                page: `.github/workflows/${name}`,
                line: 0,
                language: "sh",
                text,
            }));
            assert.deepEqual(await checkShell(blocks), []);
            for (const [, workspace = ""] of commands.join("\n").matchAll(/--workspace=(\S+)/g)) {
                assert.ok(existsSync(join(repository, workspace, "package.json")), workspace);
            }
        }
    });

    it("release both packages with provenance, after the tests", () => {
        const { jobs } = read("release.yml");
        const commands = commandsOf({ jobs });
        const publish = commands.filter((command) => command.startsWith("npm publish"));
        for (const workspace of ["provider", "emulator"]) {
            assert.ok(
                publish.some((line) => line.includes(`--workspace=${workspace} `) && line.includes("--provenance")),
            );
        }
        assert.ok(commands.indexOf("npm test") < commands.findIndex((command) => command.startsWith("npm publish")));
        assert.equal(jobs.publish?.permissions?.["id-token"], "write");
        const names = commands.findIndex((command) => command.includes("repository.url="));
        assert.ok(names !== -1 && names < commands.indexOf(publish[0] ?? ""), "npm refuses a statement without it");
    });
});
