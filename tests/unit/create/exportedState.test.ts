/** What the CLI says of the stack's state; a stand-in for the CLI prints it. */
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExportedState, pulumiOf } from "../../../provider/dist/session/exportedState.js";

describe("exported state", () => {
    let folder: string;
    const urn = "urn:pulumi:dev::p::t::n";
    const { signal } = new AbortController();
    const own = { anyStack: false, signal };
    const cli = async (script: string) => {
        const path = join(folder, "pulumi");
        await writeFile(path, `#!/bin/sh\necho "$@" >> ${folder}/calls\n${script}\n`);
        await chmod(path, 0o755);
        return new ExportedState(pulumiOf({ PATH: `${folder}:${process.env.PATH}` }));
    };

    /** An export as the CLI prints it, with the marker in the outputs of one resource. */
    const exported = (marker: string) =>
        JSON.stringify({
            version: 3,
            deployment: { resources: [{ urn, id: "1", outputs: { __meta: { v: 2, mark: marker } } }] },
        });

    beforeEach(async function () {
        if (process.platform === "win32") this.skip();
        folder = await mkdtemp(join(tmpdir(), "videograph-export-"));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it("has the markers that the state has, and asks once", async () => {
        const state = await cli(`cat <<'END'\n${exported('pulumi:p/dev/a "b":0123456789ab')}\nEND`);
        assert.equal(await state.has('pulumi:p/dev/a "b":0123456789ab', urn, own), true);
        assert.equal(await state.has("pulumi:p/dev/a:ffffffffffff", urn, own), false);
        assert.equal(await readFile(join(folder, "calls"), "utf8"), "stack export --stack dev --non-interactive\n");
    });

    it("looks into the project's other stacks where it is told to", async () => {
        const state = await cli(
            `case "$*" in *ls*) echo '[{"name":"dev"},{"name":"prod"}]' ;; *prod*) echo '${exported("pulumi:p/dev/a:0123456789ab")}' ;; *) echo '{"deployment":{"resources":null}}' ;; esac`,
        );
        assert.equal(await state.has("pulumi:p/dev/a:0123456789ab", urn, own), false);
        assert.equal(await state.has("pulumi:p/dev/a:0123456789ab", urn, { anyStack: true, signal }), true);
        assert.equal(await state.has("pulumi:p/dev/a:ffffffffffff", urn, { anyStack: true, signal }), false);
        const calls = (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
        assert.deepEqual(calls, [
            "stack export --stack dev --non-interactive",
            "stack ls --json --non-interactive",
            "stack export --stack prod --non-interactive",
        ]);
    });

    it("does not have what a pending operation has: the engine creates it again", async () => {
        const resource = { urn, id: "1", outputs: { __meta: { v: 2, mark: "pulumi:p/dev/a:0123456789ab" } } };
        const deployment = { resources: [], pending_operations: [{ type: "creating", resource }] };
        const state = await cli(`echo '${JSON.stringify({ version: 3, deployment })}'`);
        assert.equal(await state.has("pulumi:p/dev/a:0123456789ab", urn, own), false);
    });

    it("asks for the stack of its organization, where that is known", async () => {
        const marker = "pulumi:p/dev/a:0123456789ab";
        const state = await cli(
            `case "$*" in *acme/p/dev*) echo '${exported(marker)}' ;; *) echo '{"deployment":{"resources":null}}' ;; esac`,
        );
        assert.equal(await state.has(marker, urn, { ...own, organization: "acme" }), true);
        assert.equal(await state.has(marker, urn, { ...own, organization: "other" }), false);
        // That of self-managed backends, which need no such name.
        assert.equal(await state.has(marker, urn, { ...own, organization: "organization" }), false);
        const calls = (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
        assert.deepEqual(
            calls.map((call) => call.split(" ")[3]),
            ["acme/p/dev", "other/p/dev", "dev"],
        );
    });

    it("knows nothing where the CLI fails, or is not there", async () => {
        const failing = await cli(`echo '${exported("pulumi:p/dev/a:0123456789ab")}'; exit 1`);
        assert.equal(await failing.has("pulumi:p/dev/a:0123456789ab", urn, own), undefined);
        const silent = await cli("echo no state");
        assert.equal(await silent.has("pulumi:p/dev/a:0123456789ab", urn, own), undefined);
        const missing = new ExportedState(pulumiOf({ PATH: join(folder, "nowhere") }));
        assert.equal(await missing.has("pulumi:p/dev/a:0123456789ab", urn, own), undefined);
    });
});
