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
    const own = { anyStack: false, since: 0, signal };
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

    it("looks into other stacks where it is told to", async () => {
        const state = await cli(
            `case "$*" in *ls*) echo '[{"name":"dev"},{"name":"prod"}]' ;; *prod*) echo '${exported("pulumi:p/dev/a:0123456789ab")}' ;; *) echo '{"deployment":{"resources":null}}' ;; esac`,
        );
        assert.equal(await state.has("pulumi:p/dev/a:0123456789ab", urn, own), false);
        assert.equal(await state.has("pulumi:p/dev/a:0123456789ab", urn, { anyStack: true, since: 0, signal }), true);
        assert.equal(await state.has("pulumi:p/dev/a:ffffffffffff", urn, { anyStack: true, since: 0, signal }), false);
        const calls = (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
        assert.deepEqual(calls, [
            "stack export --stack dev --non-interactive",
            "stack ls --json --non-interactive",
            "stack export --stack prod --non-interactive",
            "stack ls --all --json --non-interactive",
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

    it("is asked for no longer than the run goes on, and without a question to the user", async () => {
        const pulumi = async (signal: AbortSignal) => {
            await cli('echo "$@ $PULUMI_SKIP_UPDATE_CHECK $OWN"; echo ignored >&2');
            return pulumiOf({ PATH: `${folder}:${process.env.PATH}`, OWN: "own" })(["stack", "ls"], signal);
        };
        assert.equal(await pulumi(signal), "stack ls --non-interactive true own\n");
        assert.equal(await pulumi(AbortSignal.abort()), undefined);
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

describe("what the CLI shows", () => {
    const urn = "urn:pulumi:dev::p::t::n";
    const marker = "pulumi:p/dev/a:0123456789ab";
    const { signal } = new AbortController();
    const state = (...markers: string[]) =>
        JSON.stringify({ deployment: { resources: markers.map((mark) => ({ outputs: { __meta: { mark } } })) } });

    /** The state as the CLI shows it, by its arguments, and what it was asked. */
    const asked = (shown: Record<string, string>) => {
        const calls: string[] = [];
        const exported = new ExportedState(async (args, given) => {
            assert.equal(given, signal);
            calls.push(args.join(" "));
            return shown[args.join(" ")];
        });
        const has = (anyStack: boolean, text = urn) => exported.has(marker, text, { anyStack, since: 0, signal });
        return { calls, exported, has };
    };

    it("is not asked about what is no URN", async () => {
        const { calls, has } = asked({});
        assert.equal(await has(true, "n"), undefined);
        assert.deepEqual(calls, []);
    });

    it("is asked about other stacks only where this one does not have it, and once", async () => {
        const here = asked({ "stack export --stack dev": state(marker) });
        assert.equal(await here.has(true), true);
        assert.deepEqual(here.calls, ["stack export --stack dev"]);
        const names = JSON.stringify([{ name: "dev" }, { name: "broken" }, { name: "prod" }, { name: "never" }]);
        const there = asked({
            "stack export --stack dev": state(),
            "stack ls --json": names,
            "stack export --stack prod": state("pulumi:p/prod/b:ffffffffffff", "pulumi:p/prod/a:0123456789ab"),
        });
        assert.equal(await there.has(true), true);
        assert.equal(await there.has(true), true);
        assert.deepEqual(there.calls, [
            "stack export --stack dev",
            "stack ls --json",
            "stack export --stack broken",
            "stack export --stack prod",
        ]);
        assert.equal(await there.has(false), false);
    });

    it("is no other stack where the CLI lists none", async () => {
        for (const list of [undefined, "no JSON", "[]", "null"]) {
            const { calls, has } = asked({
                "stack export --stack dev": state(),
                ...(list !== undefined && { "stack ls --json": list }),
            });
            assert.equal(await has(true), false);
            assert.deepEqual(calls, ["stack export --stack dev", "stack ls --json", "stack ls --all --json"]);
        }
    });

    it("S9: is asked about the stacks of other projects that were written last, and since the create", async () => {
        const created = Date.UTC(2026, 0, 2);
        const at = (minutes: number) => new Date(created + minutes * 60_000).toISOString();
        const stacks = [
            // The project's own, which was asked already.
            { name: "dev", lastUpdate: at(1) },
            { name: "acme/older/prod", lastUpdate: at(-61) },
            { name: "acme/first/prod", lastUpdate: at(-60) },
            { name: "acme/silent/prod" },
            ...Array.from({ length: 18 }, (_, index) => ({ name: `acme/more${index}/prod`, lastUpdate: at(1) })),
            { name: "acme/other/prod", lastUpdate: at(0) },
        ];
        const shown = {
            "stack export --stack dev": state(),
            "stack ls --json": '[{"name":"dev"}]',
            "stack ls --all --json": JSON.stringify(stacks),
        };
        const has = async (where: string) => {
            const { calls, exported } = asked({ ...shown, [`stack export --stack ${where}`]: state(marker) });
            const found = await exported.has(marker, urn, { anyStack: true, since: created, signal });
            return [found, calls.slice(3, 4)];
        };
        assert.deepEqual(await has("acme/silent/prod"), [true, ["stack export --stack acme/silent/prod"]]);
        assert.equal((await has("acme/other/prod"))[0], true);
        // The twenty-first, and one that is older.
        assert.equal((await has("acme/first/prod"))[0], false);
        assert.equal((await has("acme/older/prod"))[0], false);
        shown["stack ls --all --json"] = JSON.stringify(stacks.filter(({ name }) => !name.includes("more")));
        assert.equal((await has("acme/first/prod"))[0], true);
        assert.equal((await has("acme/older/prod"))[0], false);
    });

    it("is not known where this stack's state is not, and may be known of another one", async () => {
        const { has } = asked({ "stack ls --json": '[{"name":"prod"}]' });
        assert.equal(await has(true), undefined);
        const other = asked({ "stack ls --json": '[{"name":"prod"}]', "stack export --stack prod": state(marker) });
        assert.equal(await other.has(true), true);
    });

    it("S9: says whether the run that was under way at a time has succeeded", async () => {
        const run = (from: string, to: string | undefined, result: string) => ({
            startTime: `2026-01-01T00:${from}.000Z`,
            ...(to !== undefined && { endTime: `2026-01-01T00:${to}.000Z` }),
            result,
        });
        const runs = [
            { kind: "import" },
            run("40:00", undefined, "in-progress"),
            run("30:00", "31:00", "failed"),
            run("10:00", "11:00", "succeeded"),
        ];
        const command = "stack history --stack acme/p/dev --json --page-size 100";
        const { calls, exported } = asked({ [command]: JSON.stringify(runs) });
        const at = (minute: number, second: number) =>
            exported.succeeded(Date.UTC(2026, 0, 1, 0, minute, second), urn, { organization: "acme", signal });
        assert.equal(await at(10, 0), true);
        assert.equal(await at(11, 0), true);
        assert.equal(await at(11, 1), false);
        for (const minute of [9, 12, 30, 41]) assert.equal(await at(minute, 30), false, `${minute}`);
        assert.deepEqual(calls, [command]);
        for (const shown of [undefined, "no JSON", "{}"]) {
            const other = asked({ ...(shown !== undefined && { [command]: shown }) }).exported;
            assert.equal(await other.succeeded(Date.now(), urn, { organization: "acme", signal }), false);
        }
        assert.equal(await exported.succeeded(0, "n", { organization: "acme", signal }), false);
        assert.deepEqual(calls, [command]);
    });

    it("is nothing of a stack that was never deployed", async () => {
        for (const empty of ["{}", '{"deployment":null}', '{"deployment":{}}']) {
            assert.equal(await asked({ "stack export --stack dev": empty }).has(false), false, empty);
        }
    });
});
