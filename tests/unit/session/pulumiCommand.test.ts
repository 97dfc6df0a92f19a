/** The CLI as a run calls it for its own state (S9): one that fails while the engine writes the state is asked again. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pulumiCommand } from "../../../provider/dist/session/pulumiCommand.js";

describe("The CLI that a run calls", () => {
    let folder: string;
    beforeEach(async function () {
        if (process.platform === "win32") this.skip();
        folder = await mkdtemp(join(tmpdir(), "videograph-cli-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    /** A CLI in whose place a script runs, and how often it has run. */
    async function cli(script: string) {
        await writeFile(join(folder, "pulumi"), `#!/bin/sh\necho run >> "${folder}/runs"\n${script}\n`, {
            mode: 0o755,
        });
        const output = await pulumiCommand({ PATH: `${folder}:${process.env.PATH}` })(["stack", "export"]);
        const runs = await readFile(join(folder, "runs"), "utf8").catch(() => "");
        return { output, runs: runs.split("\n").length - 1 };
    }

    it("is started again when it fails, three times at most", async () => {
        const failsOnce = `[ "$(wc -l < "${folder}/runs")" -gt 1 ] || exit 255; echo "$@"`;
        assert.deepEqual(await cli(failsOnce), { output: "stack export --non-interactive\n", runs: 2 });
        await rm(join(folder, "runs"));
        assert.deepEqual(await cli("exit 255"), { output: undefined, runs: 3 });
    });

    it("X10: has none of the user's defaults for flags, such as one that decrypts secrets", async () => {
        await writeFile(join(folder, "pulumi"), "#!/bin/sh\nenv", { mode: 0o755 });
        const variables = { PULUMI_OPTION_SHOW_SECRETS: "true", PULUMI_OPTION_FILE: "x", PULUMI_HOME: "home" };
        const output = await pulumiCommand({ PATH: `${folder}:${process.env.PATH}`, ...variables })([]);
        assert.match(output ?? "", /PULUMI_HOME=home/);
        assert.doesNotMatch(output ?? "", /PULUMI_OPTION/);
    });

    it("is none where there is no CLI", async () => {
        assert.equal(await pulumiCommand({ PATH: folder })(["stack", "export"]), undefined);
    });
});
