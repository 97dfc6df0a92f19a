/** The CLI as a run calls it for its own state (S9): when it is asked again, when it is given up, and what is said then. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../provider/dist/api/clock.js";
import type { Cli } from "../../../provider/dist/session/engineCli.js";
import { cliVariables } from "../../../provider/dist/session/pulumiCommand.js";
import { stateExporter } from "../../../provider/dist/session/stateExporter.js";
import { waitFor } from "../../support/waitFor.ts";

describe("The export of a run's own state", () => {
    let folder: string;
    beforeEach(async function () {
        if (process.platform === "win32") this.skip();
        folder = await mkdtemp(join(tmpdir(), "videograph-cli-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const state = `{"deployment":{"resources":[{"type":"pulumi:pulumi:Stack","urn":"it"}]}}`;
    const gives = `echo '${state}'`;
    /** A pause takes as long as ever, and no longer than this. */
    const clock = {
        ...systemClock,
        sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
    };

    interface Around {
        /** The two minutes are over when it resolves. */
        limit?: () => Promise<unknown>;
        signal?: AbortSignal;
        variables?: NodeJS.ProcessEnv;
        cli?: Cli;
    }

    /** What an export gives, or what is said in its place; a script is the CLI. It has $run, the number of the run. */
    async function exported(script: string, { limit, signal, variables, cli }: Around = {}) {
        const file = join(folder, "pulumi");
        const counted = `echo "$@" >> "${folder}/runs"\nrun=$(wc -l < "${folder}/runs" | tr -d ' ')`;
        await writeFile(file, `#!/bin/sh\n${counted}\n${script}\n`, { mode: 0o755 });
        const env = cliVariables({ PATH: `${folder}:${process.env.PATH}`, ...variables });
        const findCli = async () => cli ?? { executable: file, cwd: folder };
        const timer: typeof systemClock.timer = (ms, onTime) => {
            if (limit === undefined) return systemClock.timer(ms, onTime);
            void limit().then(onTime);
            return () => undefined;
        };
        const exporter = stateExporter({ findCli, env, clock: { ...clock, timer } });
        const answer = await exporter("organization/shop/dev", signal).then(
            ({ root }) => ({ root, said: "" }),
            (error: Error) => ({ root: "", said: error.message }),
        );
        const runs = await readFile(join(folder, "runs"), "utf8").catch(() => "");
        await rm(join(folder, "runs"), { force: true });
        return { ...answer, runs: runs.split("\n").slice(0, -1) };
    }

    it("is tried again, three times at most, and as long as there is time where the words say that it may pass", async () => {
        const { root, runs } = await exported(`[ $run -gt 1 ] || exit 255; ${gives}`);
        const args = "stack export --stack organization/shop/dev --non-interactive --color never";
        assert.deepEqual({ root, runs }, { root: "it", runs: [args, args] });

        const never = await exported("echo 'error: no stack named dev' >&2; exit 255");
        assert.equal(never.runs.length, 3);
        assert.match(
            never.said,
            /^The stack's state could not be read: `\S+\/pulumi stack export --stack \S+` in \S+ failed 3 times: no stack named dev\. A create .*\[VG3038\]$/,
        );

        for (const words of [
            "the stack is currently locked by 1 lock(s)",
            "failed to load checkpoint: unexpected end of JSON input",
            "failed to load checkpoint: EOF",
            'Get "https://api.example.com": net/http: TLS handshake timeout',
            "context deadline exceeded",
            "[503] Service Unavailable",
            "operation error S3: GetObject, https response error StatusCode: 500",
            "[429] Too Many Requests",
        ]) {
            const found = await exported(`[ $run -gt 4 ] && { ${gives}; exit; }; echo 'error: ${words}' >&2; exit 255`);
            assert.deepEqual([found.root, found.runs.length, words], ["it", 5, words]);
        }
    });

    it("is tried again by all that the CLI says, also by what a message does not show", async () => {
        const variables = { PULUMI_ACCESS_TOKEN: "pul-0123456789abcdef" };
        const words = "token PUL-0123456789ABCDEF: the stack is currently locked";
        const script = `[ $run -gt 4 ] && { ${gives}; exit; }; echo 'error: ${words}' >&2; exit 255`;
        const { root, runs } = await exported(script, { variables });
        assert.deepEqual([root, runs.length], ["it", 5]);
    });

    it("has a limit for all tries together, and says what it was waiting for; a child of a wrapper holds nobody up", async () => {
        const file = (name: string) => join(folder, name);
        // What such a child has begun ends when nobody reads it any more.
        const child = `(trap "" PIPE; echo > "${file("begun")}"; while echo; do sleep 0.05; done 2>/dev/null; echo > "${file("ended")}") &`;
        for (const wrapper of [`${child} wait`, child]) {
            const limit = () => waitFor("the child", () => existsSync(file("begun")));
            const hangs = await exported(wrapper, { limit });
            await waitFor("the end of the child", () => existsSync(file("ended")));
            for (const name of ["begun", "ended"]) await rm(file(name));
            assert.match(hangs.said, /^The stack's state could not be read: `.*` in \S+ did not end within 2 m\. /);
        }
        const manyRuns = async () => (await readFile(file("runs"), "utf8").catch(() => "")).split("\n").length > 5;
        const limit = () => waitFor("more than three tries", manyRuns);
        const locked = await exported("echo 'error: the stack is locked' >&2; exit 255", { limit });
        assert.match(locked.said, / failed \d+ times within 2 m: the stack is locked\. /);
        assert.ok(locked.runs.length > 3);
    });

    it("ends with the run: an interrupt is not said", async () => {
        const controller = new AbortController();
        const running = exported(`echo $$ > "${folder}/pid"; exec sleep 900`, { signal: controller.signal });
        const pid = await waitFor("the CLI", () => readFile(join(folder, "pid"), "utf8").catch(() => false as const));
        controller.abort(new Error("interrupted"));
        assert.equal((await running).said, "interrupted");
        await waitFor("its end", () => {
            try {
                return !process.kill(Number(pid), 0);
            } catch {
                return true;
            }
        });
    });

    it("X10: has none of the user's defaults for flags, such as one that decrypts secrets", async () => {
        const variables = { PULUMI_OPTION_SHOW_SECRETS: "true", PULUMI_OPTION_FILE: "x", PULUMI_HOME: "home" };
        await exported(`env > "${folder}/env"; ${gives}`, { variables });
        const env = await readFile(join(folder, "env"), "utf8");
        assert.match(env, /PULUMI_HOME=home/);
        assert.doesNotMatch(env, /PULUMI_OPTION/);
    });

    it("quotes the CLI on one line, unless it has a secret", async () => {
        const variables = { PULUMI_ACCESS_TOKEN: "pul-0123456789abcdef" };
        const words =
            "warning: old\\nerror: cannot log in:\\n  token pul-0123456789abcdef at https://me:pass-word@example.com/a?sig=s3cr3t";
        const { said } = await exported(`printf '${words}\\n' >&2; exit 255`, { variables });
        assert.match(said, / failed 3 times: \[not shown, because it may contain a secret: a URL or a key\]\. /);
        const denied = "error: cannot read s3://states?region=eu-west-1:\\n  access denied";
        const plain = await exported(`printf '${denied}\n' >&2; exit 255`, { variables });
        assert.match(plain.said, / failed 3 times: cannot read s3:\/\/states\?region=eu-west-1: access denied\. /);
        const silent = await exported("exit 3");
        assert.match(silent.said, / failed 3 times: it ended with exit code 3\. /);
        const page = await exported("echo '<html>'");
        assert.match(page.said, / gave no state: /);
    });

    it("is that of the CLI on the PATH where the engine's file is gone, and says so where there is none", async () => {
        const gone = { executable: join(folder, "gone"), cwd: folder };
        assert.equal((await exported(gives, { cli: gone })).root, "it");
        const { said } = await exported(gives, { cli: gone, variables: { PATH: "/nowhere" } });
        assert.match(said, /`pulumi stack export --stack \S+` in \S+ could not be started: spawn pulumi ENOENT\. /);
    });
});
