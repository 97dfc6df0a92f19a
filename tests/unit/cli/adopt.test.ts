/** `pulumi-videograph adopt`: which objects it takes, under which names, and what it says of the others. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { World } from "./support.ts";

interface Entry {
    type: string;
    name: string;
    id: string;
    inputs: Record<string, unknown>;
}

const entries = (world: World) =>
    (JSON.parse(world.read("videograph-import.json")) as { resources: Entry[] }).resources;

/** An account, beside a stack without resources. */
function account(): World {
    const world = new World();
    world.writeProject();
    Object.assign(world.printed, {
        ...{ "config --json": "{}", "stack export": '{"deployment":{}}', "stack --show-name": "dev\n" },
        "stack ls --all --json": '[{"name":"dev"},{"name":"locked"}]',
        "stack export --stack dev": '{"deployment":{}}',
    });
    return world;
}

describe("pulumi-videograph adopt", () => {
    it("reads all pages of all lists, and names nothing by the order of a list", async () => {
        using world = account();
        const { core } = world;
        for (let count = 0; count < 230; count++) core.addContent({ title: "Episode" });
        for (let count = 0; count < 12; count++) core.addLivestream({ title: "Episode", record: count % 2 === 0 });
        assert.equal((await world.run("adopt")).code, 0);
        const first = new Map(entries(world).map(({ name, id }) => [id, name]));
        const streams = core.livestreams().map(({ streamUUID }) => streamUUID);
        const ids = [...core.contents().map(({ contentId }) => contentId), ...streams];
        assert.deepEqual([...first.keys()].sort(), ids.sort());
        assert.equal(new Set(first.values()).size, ids.length);
        assert.equal(entries(world).filter(({ inputs }) => inputs.record === true).length, 6);

        core.deleteContent(core.contents()[100]?.contentId ?? "");
        assert.equal((await world.run("adopt", "--force")).code, 0);
        for (const { id, name } of entries(world)) assert.equal(name, first.get(id));
    });

    it("names what answers 403, 500 or HTML, or never, and adopts the rest (B2)", async () => {
        using world = account();
        const { core } = world;
        const id = (title: string) => core.addContent({ title }).contentId;
        const good = id("Good");
        const faults = [
            [{ kind: "status", status: 403 }, /not allowed/],
            [{ kind: "status", status: 500 }, /HTTP 500/],
            [{ kind: "body", body: "html" }, /HTTP 200/],
            [{ kind: "hang" }, /no answer/],
        ] as const;
        const bad = faults.map(([fault, reason]) => {
            const one = id("Bad");
            core.inject({ ...fault, path: `/contents/${one}` });
            return [one, reason] as const;
        });
        const { code, stdout, stderr } = await world.run("adopt");
        assert.equal(code, 4);
        assert.match(stdout, /^1 content and 0 livestreams to adopt, 4 skipped\.$/m);
        assert.match(stderr, /^warning: The state of stack locked cannot be read: /m);
        for (const [one, reason] of bad)
            assert.match(new RegExp(`^Skipped: Content ${one} .*$`, "m").exec(stderr)?.[0] ?? "", reason);
        assert.deepEqual([entries(world)[0]?.id, entries(world).length], [good, 1]);
    });

    it("takes what the filters want, and nothing that bears a mark", async () => {
        using world = account();
        const { core } = world;
        const mark = { key: "managed_by", value: "pulumi:shop/prod/trailer:11111111-22222222-33333333-0123456789ab" };
        const { contentId } = core.addContent({ title: "Winter trailer", tags: ["a", "b"] });
        core.addContent({ title: "Winter making-of", tags: ["a"] });
        core.addContent({ title: "Marked winter", tags: ["a", "b"], metadata: [mark] });
        core.setContentStatus(core.addContent({ title: "Winter that failed" }).contentId, "Failed");
        core.addLivestream({ title: "Winter stage", tags: ["a", "b"] });
        const taken = async (...args: string[]) => {
            const { stdout } = await world.run("adopt", "--force", "--json", ...args);
            const { imported, skipped } = JSON.parse(stdout) as Record<string, { id: string; name: string }[]>;
            return { names: imported?.map(({ name }) => name).sort(), skipped: skipped?.length };
        };
        assert.deepEqual(await taken(), { names: ["winter-making-of", "winter-stage", "winter-trailer"], skipped: 2 });
        assert.deepEqual((await taken("--only", "livestreams")).names, ["winter-stage"]);
        assert.deepEqual((await taken("--title", "TRAIL")).names, ["winter-trailer"]);
        assert.deepEqual((await taken("--tag", "a", "--tag", "b")).names, ["winter-stage", "winter-trailer"]);
        assert.deepEqual((await taken("--id", contentId)).names, ["winter-trailer"]);
        const mistyped = await world.run("adopt", "--force", "--id", "no-such-id");
        assert.match(mistyped.stderr, /No object has the id no-such-id\./);
        assert.equal(mistyped.code, 1);
        const all = await taken("--include-managed", "--only", "contents");
        assert.deepEqual(all.names, ["marked-winter", "winter-making-of", "winter-trailer"]);
        assert.doesNotMatch(world.read("videograph-import.json"), /managed_by/);
    });

    it("names the livestreams that a library leaves out, and only them", async () => {
        using world = account();
        const { streamUUID } = world.core.addLivestream({ title: "Harbour" });
        world.core.addContent({ title: "Harbour" });
        const { code, stdout, stderr } = await world.run("adopt", "--library");
        assert.equal(code, 0);
        assert.match(stdout, /^1 content and 0 livestreams to adopt, 1 skipped\.$/m);
        assert.match(stderr, new RegExp(`^Skipped: Livestream ${streamUUID} "Harbour": .*--only livestreams\\.$`, "m"));
        assert.match(world.read("videograph-adopted.ts"), /^ {12}"harbour": \{$/m);
        const contents = await world.run("adopt", "--library", "--only", "contents", "--force");
        assert.doesNotMatch(contents.stderr, /Livestream/);
    });

    it("writes over nothing, and says what is wrong with a command line (E11)", async () => {
        using world = account();
        world.core.addContent({ title: "One" });
        const nowhere = await world.run("adopt", "--file", "missing/a.json");
        assert.equal(nowhere.code, 1);
        assert.match(nowhere.stderr, /a\.json could not be written into .*missing: .*ENOENT/);
        world.write("videograph-adopted.ts", "// mine\n");
        assert.match((await world.run("adopt")).stderr, /videograph-adopted\.ts already exists\./);
        assert.equal(world.read("videograph-adopted.ts"), "// mine\n");
        assert.deepEqual(world.machine.since(), []);
        for (const args of [["--nope"], ["surplus"], ["--only", "keys"], ["--program", "videograph-import.json"]]) {
            const { code, stdout, stderr } = await world.run("adopt", ...args);
            assert.equal(code, 2);
            assert.match(stderr, /error:\S* .+\nSee npx pulumi-videograph adopt --help\.\n$/);
            assert.equal(stdout, "");
        }
    });

    it("has nothing to do in an empty account", async () => {
        using world = account();
        assert.match((await world.run("adopt")).stdout, /^There is nothing to adopt: /);
        assert.ok(!existsSync(join(world.folder, "videograph-import.json")));
    });

    it("skips what no program can declare, in every language", async () => {
        using world = account();
        world.core.addContent({ title: "New" });
        const { contentId } = world.core.addContent({ title: "Old", tags: [" "] });
        const skipped = new RegExp(`^Skipped: Content ${contentId} "Old": a program cannot declare it: .*tags`, "m");
        for (const language of ["yaml", "python", "go"]) {
            const { stderr } = await world.run("adopt", "--force", "--language", language);
            assert.match(stderr, skipped);
            const [entry] = entries(world);
            assert.deepEqual(Object.keys(entry ?? {}), ["type", "name", "id", "version", "pluginDownloadURL"]);
        }
    });
});
