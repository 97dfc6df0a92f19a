/** `pulumi-videograph orphans`: what it says and does, by what the state, the journal, the backend and the service say (S9). */
import assert from "node:assert/strict";
import { digestOfResource, lineageOf, markerText, noncePrefixOf } from "../../../provider/dist/evidence/marker.js";
import { World } from "./support.ts";

const birth = "2026-01-01T00:00:00.000000001Z";
const root = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const urn = (name: string) => `urn:pulumi:dev::shop::videograph:index:Content::${name}`;
const attempt = "of a create that never ended";

/** A state in which these creates never ended. */
function exported(...pending: string[]): string {
    const resources = [
        { urn: root, type: "pulumi:pulumi:Stack", created: birth },
        { urn: "urn:pulumi:dev::shop::pulumi:providers:videograph::default", type: "pulumi:providers:videograph" },
    ];
    const pending_operations = pending.map((name) => {
        const inputs = { title: "Film", content: [{ url: "https://media.test/a.mp4" }], __attempt: attempt };
        return { type: "creating", resource: { urn: urn(name), type: "videograph:index:Content", inputs } };
    });
    return JSON.stringify({ version: 3, deployment: { resources, pending_operations } });
}

/** The service has a content of this create. */
function addMarked({ core }: World, name: string, lineage: string | undefined = lineageOf(birth)): string {
    const resourceDigest = digestOfResource(urn(name), "Content");
    const nonce = `${noncePrefixOf(attempt, resourceDigest)}89ab`;
    const marker = { project: "shop", stack: "dev", name, lineage, resourceDigest, inputsDigest: "33333333", nonce };
    const metadata = [{ key: "managed_by", value: markerText(marker) }];
    return core.addContent({ title: name, metadata }).contentId;
}

describe("pulumi-videograph orphans", () => {
    function world({ backend = "s3://bucket?region=x", state = exported("film") } = {}): World {
        const made = new World();
        made.printed["stack export"] = state;
        made.printed["whoami --json"] = JSON.stringify({ url: backend });
        return made;
    }
    const ids = ({ core }: World) => core.contents().map(({ contentId }) => contentId);

    it("refuses where the backend does not show its locks, unless the object is named (E3)", async () => {
        using one = world();
        const id = addMarked(one, "film");
        const foreign = addMarked(one, "film", "99999999");
        const found = await one.run("orphans");
        assert.equal(found.code, 3);
        const listed = /^1 orphan of shop\/dev, .*\n {2}Content "film" .*\n1 object that may belong to another/;
        assert.match(found.stdout, listed);
        const refused = await one.run("orphans", "--delete", "--yes");
        assert.equal(refused.code, 1);
        const unknown = /it is unknown whether .* \(no visible locks in the backend s3:\/\/bucket\)\. .*--id/;
        assert.match(refused.stderr, unknown);
        assert.equal((await one.run("orphans", "--delete", "--yes", "--id", id)).code, 0);
        assert.deepEqual(ids(one), [foreign]);
    });

    it("deletes nothing while a backend lists an update in progress (E3)", async () => {
        using one = world({ backend: "https://app.pulumi.com/ada" });
        const show = (updateInProgress: boolean) => {
            one.printed["stack ls --all --json"] = JSON.stringify([{ name: "dev", updateInProgress }]);
        };
        show(true);
        const id = addMarked(one, "film");
        const refused = await one.run("orphans", "--delete", "--yes");
        assert.match(refused.stderr, /the stack is in use \(an update in progress\)/);
        assert.deepEqual([refused.code, ids(one)], [1, [id]]);
        show(false);
        assert.equal((await one.run("orphans", "--delete", "--yes")).code, 0);
        assert.deepEqual(ids(one), []);
    });

    it("lists what a stack released or cannot prove, and deletes it only by name", async () => {
        using one = world({ state: exported() });
        const released = addMarked(one, "film");
        // Another state's birth, and one that could not be read.
        addMarked(one, "film", "99999999");
        const unproven = addMarked(one, "other", "?");
        const answer = async (...args: string[]) =>
            JSON.parse((await one.run("orphans", "--json", ...args)).stdout) as {
                orphans: unknown[];
                others: { because: string }[];
                deleted: string[];
            };
        const found = await answer("--delete", "--yes");
        assert.deepEqual([found.orphans, found.deleted], [[], []]);
        assert.deepEqual(found.others.map(({ because }) => because).sort(), ["foreign", "foreign", "released"]);
        assert.deepEqual((await answer("--delete", "--yes", "--id", released)).deleted, [released]);
        assert.deepEqual((await answer("--delete", "--yes", "--id", unproven)).deleted, [unproven]);
        assert.equal(ids(one).length, 1);
    });

    it("writes orphans as native types, where the stack has these", async () => {
        using one = world();
        const id = addMarked(one, "film");
        const { code, stdout } = await one.run("orphans", "--import-file", "orphans.json");
        assert.equal(code, 0);
        assert.match(stdout, /pulumi import --file orphans\.json --yes --generate-code=false\n$/);
        const { resources } = JSON.parse(one.read("orphans.json"));
        const { version: _, pluginDownloadURL: __, ...entry } = resources[0];
        assert.deepEqual([entry, resources.length], [{ type: "videograph:index:Content", name: "film", id }, 1]);
    });

    it("says at the end what could not be read, with an exit code of its own", async () => {
        using one = world();
        const hangs = one.core.addContent({ title: "Hangs" }).contentId;
        one.core.inject({ kind: "hang", path: `/contents/${hangs}` });
        const { code, stderr } = await one.run("orphans");
        assert.equal(code, 4);
        assert.match(stderr, new RegExp(`Content ${hangs} could not be read: .*no answer`));
    });

    it("says what is wrong with a command line, and with an id (E11)", async () => {
        using one = world();
        for (const [args, problem] of [
            [["--delete"], /--delete asks for confirmation, but there is no terminal\. Add --yes\.$/m],
            [["--delete", "--import-file", "x.json"], /cannot be combined/],
            [["--nope"], /--nope/],
        ] as const) {
            const { code, stdout, stderr } = await one.run("orphans", ...args);
            assert.match(stderr, problem);
            assert.match(stderr, /See npx pulumi-videograph orphans --help\.\n$/);
            assert.deepEqual([code, stdout], [2, ""]);
        }
        assert.deepEqual(one.machine.since(), []);
        const mistyped = await one.run("orphans", "--delete", "--yes", "--id", "no-such-id");
        assert.match(mistyped.stderr, /No object has the id no-such-id\./);
        const unknown = await one.run("forget", "0123456789ab");
        assert.match(unknown.stderr, /^error: Nothing was forgotten: the journal has no entry for 0123456789ab\./);
        assert.equal(unknown.code, 1);
        const unmarked = one.core.addContent({ title: "film" }).contentId;
        const nothing = await one.run("orphans", "--delete", "--yes", "--id", unmarked);
        assert.match(nothing.stderr, /cannot be an orphan of this stack/);
        assert.deepEqual([mistyped.code, nothing.code], [1, 1]);
    });
});
