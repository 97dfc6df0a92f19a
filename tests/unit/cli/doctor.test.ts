/** What `pulumi-videograph doctor` makes of the variables of a machine or a job. The command itself: tests/cli/doctor.test.ts. */
import assert from "node:assert/strict";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { engineProxy } from "../../../provider/dist/cli/doctor/engineProxy.js";
import { journal } from "../../../provider/dist/cli/doctor/journal.js";
import { surroundings } from "../../../provider/dist/cli/doctor/surroundings.js";
import type { Shell } from "../../../provider/dist/cli/shell.js";
import type { StackState } from "../../../provider/dist/cli/stackState.js";

const shell = (variables: NodeJS.ProcessEnv) => ({ variables }) as Shell;

describe("doctor's look at the surroundings", () => {
    it("compares the time limit of the job with the longest create of the state", () => {
        const state = { createTimeoutsMs: [7_200_000, 60_000] } as unknown as StackState;
        for (const [variables, status, text] of [
            [{ CI_JOB_TIMEOUT: "5400" }, "warning", /the job may last 1 h 30 m, a create 2 h/],
            [{ CI_JOB_TIMEOUT: "7260" }, "ok", /a create 2 h/],
            [{ BUILDKITE_TIMEOUT: "90" }, "warning", /a create 2 h/],
            [{ GITHUB_ACTIONS: "true" }, "ok", /a create 2 h/],
            [{ CI: "true" }, "skipped", /should be longer than a create 2 h/],
        ] as const) {
            const [job, ...others] = surroundings(shell(variables), state);
            assert.deepEqual([job?.check, job?.status, others], ["CI job", status, []], JSON.stringify(variables));
            assert.match(job?.text ?? "", text);
        }
    });

    it("warns of a proxy that Pulumi's own processes would use to reach each other", () => {
        const warned = (variables: NodeJS.ProcessEnv) => [...engineProxy(variables)].map(({ text }) => text).join();
        const proxy = "http://user:proxy-secret-6@127.0.0.1:9";
        const https = warned({ https_proxy: proxy });
        assert.match(https, /^https_proxy is set.*Set no_proxy=localhost,127\.0\.0\.1, in small/);
        assert.doesNotMatch(https, /proxy-secret/);
        assert.match(
            warned({ http_proxy: proxy, NO_PROXY: "example.com,127.0.0.1" }),
            /^http_proxy is set.*Set no_proxy=example\.com,127\.0\.0\.1,localhost,127/,
        );
        for (const listed of ["localhost", "*", "localhost, 127.0.0.1", "10.0.0.0/8", "127.0.0.0/33"]) {
            assert.notEqual(warned({ https_proxy: proxy, no_proxy: listed }), "", listed);
        }
        for (const listed of ["localhost,127.0.0.1", "127.0.0.0/8", "127.0.0.1/32"]) {
            assert.equal(warned({ https_proxy: proxy, no_proxy: listed }), "", listed);
        }
        assert.match(warned({ https_proxy: proxy, no_proxy: "127.0.0.1", no_grpc_proxy: "a" }), /Set no_grpc_proxy=/);
        assert.equal(warned({ HTTPS_PROXY: proxy }), "");
        // That it matters: see the page of common mistakes, whose test runs Pulumi with such a proxy.
    });

    it("warns of a journal that is lost with the job, in a temporary folder although it is named", async () => {
        const statuses = async (folder: string) => {
            const found: string[] = [];
            for await (const { status } of journal(shell({ CI: "true", VIDEOGRAPH_JOURNAL_DIR: folder })))
                found.push(status);
            return found;
        };
        assert.deepEqual(await statuses(join(tmpdir(), "videograph-journal")), ["ok", "warning"]);
        assert.deepEqual(await statuses(join(homedir(), ".videograph-journal")), ["ok"]);
    });
});
