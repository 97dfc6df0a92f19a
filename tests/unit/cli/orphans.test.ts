/** `pulumi-videograph orphans`: what it says and does, by what the state, the journal, the backend and the service say (S9). */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { entryUrn } from "../../../provider/dist/evidence/library.js";
import { digestOfResource, lineageOf, markerText, noncePrefixOf } from "../../../provider/dist/evidence/marker.js";
import { World } from "./support.ts";

const birth = "2026-01-01T00:00:00.000000001Z";
const root = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const urn = (name: string) => `urn:pulumi:dev::shop::videograph:index:Content::${name}`;
const attempt = "of a create that never ended";

const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:a:b" };

/** A state in which these creates never ended. */
function exported(...pending: (string | { name: string; secret: string })[]): string {
    const resources = [
        { urn: root, type: "pulumi:pulumi:Stack", created: birth },
        { urn: "urn:pulumi:dev::shop::pulumi:providers:videograph::default", type: "pulumi:providers:videograph" },
    ];
    const pending_operations = pending.map((one) => {
        const { name, secret } = typeof one === "string" ? { name: one, secret: "" } : one;
        const inputs = { title: "Film", content: [{ url: "https://media.test/a.mp4" }], __attempt: attempt };
        if (secret !== "") Object.assign(inputs, { [secret]: secret === "metadata" ? { a: encrypted } : encrypted });
        return { type: "creating", resource: { urn: urn(name), type: "videograph:index:Content", inputs } };
    });
    return JSON.stringify({ version: 3, deployment: { resources, pending_operations } });
}

/** The service has a content of this create. */
function addMarked(
    { core }: World,
    name: string,
    lineage = lineageOf(birth),
    [of, kind] = [urn(name), "Content"],
): string {
    const resourceDigest = digestOfResource(of, kind);
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

    it("finds the local backend of a user without a name, as in many containers, by $HOME (E7)", async () => {
        const info = mock.method(os, "userInfo", () => {
            throw Object.assign(new Error("uv_os_get_passwd returned ENOENT"), { code: "ERR_SYSTEM_ERROR" });
        });
        try {
            using one = world({ backend: "file://~" });
            const id = addMarked(one, "film");
            const refused = await one.run("orphans", "--delete", "--yes");
            assert.match(refused.stderr, /it is unknown whether .*no state of the stack in .*file:\/\/~/);
            assert.deepEqual(ids(one), [id]);
            one.variables.HOME = one.folder;
            mkdirSync(join(one.folder, ".pulumi", "stacks", "shop"), { recursive: true });
            one.write(".pulumi/stacks/shop/dev.json", "{}");
            assert.equal((await one.run("orphans", "--delete", "--yes")).code, 0);
            assert.deepEqual(ids(one), []);
        } finally {
            info.mock.restore();
        }
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

    for (const [what, secret, ...of] of [
        ["of a clip", "", urn("film"), "Clip"],
        ["of an entry of a library", "", entryUrn(urn("film"), "x"), "Content"],
        [
            "of a component's content",
            "",
            urn("film").replace("::videograph", "::shop:index:Show$videograph"),
            "Content",
        ],
        ...["title", "description", "tags", "metadata"].map((input) => [`with a secret ${input}`, input] as const),
    ] as const)
        it(`writes no orphan ${what} into the state`, async () => {
            using one = world({ state: exported({ name: "film", secret }) });
            addMarked(one, "film", lineageOf(birth), of.length === 2 ? [...of] : undefined);
            const { code, stdout, stderr } = await one.run("orphans", "--import-file", "orphans.json");
            assert.equal(code, 1);
            const why = secret === "" ? /which the file cannot name/ : `its ${secret} encrypted`;
            assert.match(stderr, new RegExp(why));
            assert.equal(stdout.includes('"[secret]"'), secret === "title");
            assert.throws(() => one.read("orphans.json"), /ENOENT/);
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
