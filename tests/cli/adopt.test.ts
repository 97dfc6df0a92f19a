/** `pulumi-videograph adopt`: the engine and the program accept what it writes without a change. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { expectCode, runIn } from "./support.ts";

interface ImportFile {
    resources: {
        type: string;
        name: string;
        id: string;
        inputs: Record<string, unknown>;
        outputs: Record<string, unknown>;
    }[];
}

describe("pulumi-videograph adopt", function () {
    this.timeout(180_000);
    const testbed = useTestbed();

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, testbed.cli, "adopt", ...args);
    const text = (stack: TestStack, name: string) => readFile(join(stack.folder, name), "utf8");
    const importFile = async (stack: TestStack) =>
        JSON.parse(await text(stack, "videograph-import.json")) as ImportFile;

    it("takes over an account, each object under a name of its own: no changes in preview and refresh, stream keys as secrets, destroy deletes", async () => {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not become one
        const template = "Ünïcode 😀 & `${x}`";
        const titles = [
            template,
            ...["Same", "Same", "same ", "42", "…", 'a "b" \\ \n c', "日本語のタイトル", "__proto__"],
            ...["*/ alert(1)", "x".repeat(300), "a::b", "a/b", "\u202eevil\u0007", "line\u2028and\u2029paragraph"],
        ];
        for (const title of titles) testbed.emulator.addContent({ title, metadata: [{ key: "a-b", value: template }] });
        testbed.emulator.addContent({
            title: "Trailer",
            description: "The one with the dog",
            tags: ["b", "a"],
            metadata: [{ key: "season", value: "2" }],
            playback_policy: ["signed"],
            mp4_support: true,
            save_original_copy: true,
        });
        testbed.emulator.addContent({ title: "Bare" });
        testbed.emulator.addLivestream({ title: "Main stage", record: true, dvrDurationInMins: 30, tags: ["live"] });
        testbed.emulator.addLivestream({ title: "Side stage" });
        titles.push("Trailer", "Bare", "Main stage", "Side stage");
        const stack = await testbed.stack("");
        await expectCode(0, run(stack));
        stack.checkForSecrets(await text(stack, "videograph-import.json"));
        stack.checkForSecrets(await text(stack, "videograph-adopted.ts"));
        const { resources } = await importFile(stack);
        assert.deepEqual(resources.map(({ inputs }) => inputs.title).sort(), [...titles].sort());
        const names = resources.map(({ name }) => name);
        assert.equal(new Set(names).size, titles.length, `${names}`);
        for (const name of names) assert.match(name, /^[\p{L}\p{M}\p{Nd}]+(-[\p{L}\p{M}\p{Nd}]+)*$/u);

        await rm(join(stack.folder, "index.js"));
        await writeFile(join(stack.folder, "index.ts"), await text(stack, "videograph-adopted.ts"));
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        await stack.preview("--expect-no-changes");
        // Most of the time of a run goes into the types of the program: once is enough.
        stack.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
        await stack.refresh("--expect-no-changes");
        const shown = await stack.start("stack", "export", "--show-secrets").result;
        for (const { streamKey, streamUUID } of testbed.emulator.livestreams()) {
            assert.ok(shown.stdout.includes(streamKey), `The state lacks the stream key of ${streamUUID}`);
        }
        await stack.up("--expect-no-changes");
        assert.equal((await stack.resources()).length, titles.length);

        // What the state has already is taken over once.
        const { contentId } = testbed.emulator.addContent({ title: "Same" });
        const { stdout, stderr } = await expectCode(0, run(stack, "--force"));
        assert.match(stdout, new RegExp(`^1 content .* ${titles.length} skipped`));
        assert.equal(stderr, `Skipped: ${titles.length} objects that the stack's state already has.\n`);
        assert.ok(!names.includes((await importFile(stack)).resources[0]?.name ?? ""));

        // Nothing that was adopted is deleted by mistake.
        assert.notEqual((await stack.attempt("destroy", "--yes", "--skip-preview")).code, 0);
        assert.equal(testbed.emulator.contents().length, titles.length - 1);
        await stack.run("state", "unprotect", "--all", "--yes");
        await stack.destroy();
        assert.deepEqual(
            testbed.emulator.contents().map((content) => content.contentId),
            [contentId],
        );
        assert.deepEqual(
            testbed.emulator.livestreams().filter(({ status }) => status !== "Deleting"),
            [],
        );
    });

    it("names what answers 403, 500 or HTML, or never, and adopts the rest (B2)", async () => {
        for (let at = 0; at < 1_000; at++) testbed.emulator.addContent({ title: `Episode ${at}` });
        // In the order in which they are read.
        const ids = testbed.emulator
            .contents()
            .sort((a, b) => a.createdOn - b.createdOn || (a.contentId < b.contentId ? -1 : 1))
            .map(({ contentId }) => contentId);
        const effects = [
            // The first three, before any success: elsewhere that is taken for a token without the permission.
            ...Array.from({ length: 3 }, () => ({ kind: "status", status: 403 }) as const),
            { kind: "status", status: 500 },
            { kind: "body", body: "html" },
            { kind: "hang" },
            { kind: "hang" },
        ] as const;
        const bad = ids.filter((_, at) => at < 3 || [90, 91, 92, 900].includes(at));
        for (const [at, effect] of effects.entries())
            testbed.emulator.inject({ ...effect, path: `/contents/${bad[at]}` });
        for (const id of ids.slice(3, 70).filter((one) => !bad.includes(one))) {
            testbed.emulator.inject({ kind: "latency", ms: 300, path: `/contents/${id}`, times: 1 });
        }
        const stack = await testbed.stack("");
        const { stdout, stderr } = await expectCode(4, run(stack, "--timeout", "1s"));
        assert.match(stdout, /^993 contents and 0 livestreams to adopt, 7 skipped\.$/m);
        const reasons = [/not allowed/, /not allowed/, /not allowed/, /HTTP 500/, /HTTP 200/, /no answer/, /no answer/];
        for (const [at, id] of bad.entries()) {
            const [line = ""] = new RegExp(`^Skipped: Content ${id} .*$`, "m").exec(stderr) ?? [];
            assert.match(line, reasons[at] ?? /never/);
        }
        const adopted = (await importFile(stack)).resources.map(({ id }) => id);
        assert.deepEqual(adopted.sort(), ids.filter((id) => !bad.includes(id)).sort());
    });

    it("is refused as a whole where the token may read no object at all", async () => {
        for (let at = 0; at < 200; at++) testbed.emulator.addContent({ title: `Episode ${at}` });
        testbed.emulator.inject({ kind: "status", status: 403, path: "/contents/*" });
        const stack = await testbed.stack("");
        const { stderr } = await expectCode(1, run(stack));
        assert.match(stderr, /^error: GET \/contents\/\S+: the credentials are not allowed to do this/);
    });

    it("reads all pages of all lists, and names nothing by the order of a list", async () => {
        for (let count = 0; count < 230; count++) testbed.emulator.addContent({ title: "Episode" });
        for (let count = 0; count < 12; count++)
            testbed.emulator.addLivestream({ title: "Episode", record: count % 2 === 0 });
        const stack = await testbed.stack("");
        await expectCode(0, run(stack));
        const first = new Map((await importFile(stack)).resources.map(({ name, id }) => [id, name]));
        const ids = [
            ...testbed.emulator.contents().map(({ contentId }) => contentId),
            ...testbed.emulator.livestreams().map(({ streamUUID }) => streamUUID),
        ];
        assert.deepEqual([...first.keys()].sort(), ids.sort());
        assert.equal(new Set(first.values()).size, ids.length);
        const recorded = (await importFile(stack)).resources.filter(({ inputs }) => inputs.record === true);
        assert.equal(recorded.length, 6);

        testbed.emulator.deleteContent(testbed.emulator.contents()[100]?.contentId ?? "");
        await expectCode(0, run(stack, "--force"));
        for (const { id, name } of (await importFile(stack)).resources) assert.equal(name, first.get(id));
    });

    it("takes what the filters want, and nothing that bears a mark", async () => {
        const mark = { key: "managed_by", value: "pulumi:shop/prod/trailer:11111111-22222222-33333333-0123456789ab" };
        const { contentId } = testbed.emulator.addContent({ title: "Winter trailer", tags: ["a", "b"] });
        testbed.emulator.addContent({ title: "Winter making-of", tags: ["a"] });
        testbed.emulator.addContent({ title: "Marked winter", tags: ["a", "b"], metadata: [mark] });
        const failed = testbed.emulator.addContent({ title: "Winter that failed" });
        testbed.emulator.setContentStatus(failed.contentId, "Failed");
        testbed.emulator.addLivestream({ title: "Winter stage", tags: ["a", "b"] });
        const stack = await testbed.stack("");
        const taken = async (...args: string[]) => {
            const { stdout } = await expectCode(0, run(stack, "--force", "--json", ...args));
            const { imported, skipped } = JSON.parse(stdout) as Record<string, { id: string; name: string }[]>;
            return { names: imported?.map(({ name }) => name).sort(), skipped: skipped?.map(({ id }) => id) };
        };
        const all = await taken();
        assert.deepEqual(all.names, ["winter-making-of", "winter-stage", "winter-trailer"]);
        assert.equal(all.skipped?.length, 2);
        assert.deepEqual((await taken("--only", "livestreams")).names, ["winter-stage"]);
        assert.deepEqual((await taken("--title", "TRAIL")).names, ["winter-trailer"]);
        assert.deepEqual((await taken("--tag", "a", "--tag", "b")).names, ["winter-stage", "winter-trailer"]);
        assert.deepEqual((await taken("--id", contentId)).names, ["winter-trailer"]);
        assert.deepEqual((await taken("--include-managed", "--only", "contents")).names, [
            ...["marked-winter", "winter-making-of", "winter-trailer"],
        ]);
        assert.doesNotMatch(await text(stack, "videograph-import.json"), /managed_by/);
    });

    it("writes over nothing, and says what is wrong with a command line", async () => {
        testbed.emulator.addContent({ title: "One" });
        const stack = await testbed.stack("");
        const nowhere = await expectCode(1, run(stack, "--file", "missing/a.json"));
        assert.match(nowhere.stderr, /^error: a\.json could not be written into .*missing: .*ENOENT/);
        await writeFile(join(stack.folder, "videograph-adopted.ts"), "// mine\n");
        const { stderr } = await expectCode(1, run(stack));
        assert.match(stderr, /videograph-adopted\.ts already exists\./);
        assert.equal(await text(stack, "videograph-adopted.ts"), "// mine\n");
        assert.deepEqual(testbed.emulator.requests, []);
        for (const args of [["--nope"], ["surplus"], ["--only", "keys"], ["--program", "videograph-import.json"]]) {
            const wrong = await expectCode(2, run(stack, ...args));
            assert.match(wrong.stderr, /^error: .+\nSee npx pulumi-videograph adopt --help\.$/m);
            assert.equal(wrong.stdout, "");
        }
    });

    it("says which stack of the backend manages an object already, and adopts it only by name (K24)", async () => {
        const shared = testbed.emulator.addLivestream({ title: "Shared" }).streamUUID;
        const free = testbed.emulator.addLivestream({ title: "Free" }).streamUUID;
        const stack = await testbed.stack(
            `new videograph.Livestream("shared", { title: "Shared", region: "us-east-1", importId: "${shared}" });`,
        );
        await stack.up();
        await stack.run("stack", "init", "second");
        const adopted = async (...args: string[]) => {
            const { stdout, stderr } = await expectCode(
                0,
                run(stack, "--json", "--force", "--include-managed", ...args),
            );
            const { imported, skipped } = JSON.parse(stdout) as Record<string, { id: string; reason: string }[]>;
            return { ids: imported?.map(({ id }) => id), reasons: skipped?.map(({ reason }) => reason), stderr };
        };
        const all = await adopted();
        assert.deepEqual(all.ids, [free]);
        assert.match(String(all.reasons), /^the stack \S*test already manages it, as shared: name it with --id/);
        const named = await adopted("--id", shared);
        assert.deepEqual(named.ids, [shared]);
        assert.match(named.stderr, /warning: the stack \S*test already manages Livestream /);
    });

    it("writes what a stack with the native types uses: the plugin reads the objects, and the next preview is empty", async () => {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not become one
        const template = 'Ünïcode 😀 "q" \\ \n ${x} \u2028';
        const stack = await testbed.stack('new videograph.Livestream("own", { title: "Own", region: "us-east-1" });');
        stack.face = "native";
        await stack.program('new videograph.Livestream("own", { title: "Own", region: "us-east-1" });');
        await stack.up();
        testbed.emulator.addContent({ title: template, tags: ["b", "a"], metadata: [{ key: "a-b", value: template }] });
        testbed.emulator.addContent({ title: "Trailer", playback_policy: ["signed"], mp4_support: true });
        testbed.emulator.addLivestream({ title: "Main stage", record: true, dvrDurationInMins: 30 });
        // A native type would reset what its program does not declare.
        const { contentId } = testbed.emulator.addContent({ title: "Old", tags: [" "] });
        const { stdout, stderr } = await expectCode(0, run(stack));
        assert.match(
            stderr,
            new RegExp(`^Skipped: Content ${contentId} "Old": a program cannot declare its tags`, "m"),
        );
        assert.doesNotMatch(stdout, /pulumi refresh/);
        const { resources } = await importFile(stack);
        assert.deepEqual(
            [...new Set(resources.flatMap((entry) => Object.keys(entry)))],
            [...["type", "name", "id", "version", "pluginDownloadURL"]],
        );
        const program = await text(stack, "videograph-adopted.ts");
        assert.match(program, /^import \* as videograph from "pulumi-videograph\/native";$/m);
        assert.doesNotMatch(program, /importId: /);
        await expectCode(0, run(stack, "--force", "--language", "yaml", "--program", "adopted.yaml"));
        const yaml = parse(await text(stack, "adopted.yaml")) as {
            resources: Record<string, { properties: { title: string } }>;
        };
        const literal = template.replace("$", "$$$$");
        // Both contents may have the same age, and then any order.
        const declared = Object.values(yaml.resources).find(({ properties }) => properties.title !== "Trailer");
        assert.deepEqual(declared?.properties, {
            ...{ title: literal, playbackPolicy: ["public"], tags: ["b", "a"], metadata: { "a-b": literal } },
        });

        await rm(join(stack.folder, "index.js"));
        const own = `new videograph.Livestream("own", { title: "Own", region: "us-east-1" });\n`;
        await writeFile(join(stack.folder, "index.ts"), `${program}${own}`);
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        await stack.preview("--expect-no-changes");
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
    });

    it("has nothing to do in an empty account", async () => {
        const stack = await testbed.stack("");
        const { stdout } = await expectCode(0, run(stack));
        assert.equal(stdout, "There is nothing to adopt.\n");
        await assert.rejects(text(stack, "videograph-import.json"), { code: "ENOENT" });
    });
});
