/** `pulumi-videograph adopt`: the engine and the program accept what it writes without a change. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkPrograms } from "../docs/checkPrograms.ts";
import { compile } from "../examples/exampleStack.ts";
import { secretsProvider } from "../support/keyService.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { expectCode, runIn } from "./support.ts";

interface ImportFile {
    resources: { name: string; id: string; inputs: { title: string } }[];
}

describe("pulumi-videograph adopt", () => {
    const testbed = useTestbed();

    const run = (stack: TestStack, ...args: string[]) => runIn(stack, "adopt", ...args);
    const text = (stack: TestStack, name: string) => readFile(join(stack.folder, name), "utf8");
    const importFile = async (stack: TestStack) =>
        JSON.parse(await text(stack, "videograph-import.json")) as ImportFile;

    const written: string[] = [];

    it("takes over an account, each object under a name of its own: no changes after a refresh, stream keys as secrets, and a destroy is refused", async () => {
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
        written.push(await text(stack, "videograph-adopted.ts"));
        await writeFile(join(stack.folder, "index.ts"), written.join());
        await compile(stack.folder);
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        await stack.up("--refresh", "--expect-no-changes");
        const shown = await stack.start("stack", "export", "--show-secrets").result;
        for (const { streamKey, streamUUID } of testbed.emulator.livestreams()) {
            assert.ok(shown.stdout.includes(streamKey), `The state lacks the stream key of ${streamUUID}`);
        }
        assert.equal((await stack.resources()).length, titles.length);

        // What the state has already is taken over once.
        const { contentId } = testbed.emulator.addContent({ title: "Same" });
        const { stdout, stderr } = await expectCode(0, run(stack, "--force"));
        assert.match(stdout, new RegExp(`^1 content .* ${titles.length} skipped`));
        assert.equal(stderr, `Skipped: ${titles.length} objects that the stack's state already has.\n`);
        assert.ok(!names.includes((await importFile(stack)).resources[0]?.name ?? ""));

        // Another stack of the backend is told which one manages them, and adopts one only by name (K24).
        await stack.run("stack", "init", "second", "--no-select", "--secrets-provider", secretsProvider);
        const again = ["--stack", "second", "--force", "--json", "--include-managed"];
        const skippedBy = async (...args: string[]) => {
            const { stdout: printed, stderr: said } = await expectCode(0, run(stack, ...again, ...args));
            const { imported, skipped } = JSON.parse(printed) as Record<string, { id: string; reason?: string }[]>;
            return { ids: imported?.map(({ id }) => id), reasons: skipped?.map(({ reason }) => reason), said };
        };
        const all = await skippedBy();
        assert.deepEqual(all.ids, [contentId]);
        assert.match(all.reasons?.[0] ?? "", /^the stack \S*test already manages it, as \S+: name it with --id/);
        const shared = resources[0]?.id ?? "";
        const named = await skippedBy("--id", shared);
        assert.deepEqual(named.ids, [shared]);
        assert.match(named.said, /warning: the stack \S*test already manages Content /);

        // Nothing that was adopted is deleted by mistake.
        assert.notEqual((await stack.attempt("destroy", "--yes", "--skip-preview")).code, 0);
        assert.equal(testbed.emulator.contents().length, titles.length - 1);
    });

    it("writes what a stack with the native types uses: the plugin reads the objects, and the next preview is empty", async () => {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not become one
        const template = 'Ünïcode 😀 "q" \\ \n ${x} \u2028';
        const own = 'new videograph.Livestream("own", { title: "Own", region: "us-east-1" });\n';
        const stack = await testbed.stack(own, "native");
        await stack.up();
        testbed.emulator.addContent({ title: template, tags: ["b", "a"], metadata: [{ key: "a-b", value: template }] });
        testbed.emulator.addContent({ title: "Trailer", playback_policy: ["signed"], mp4_support: true });
        testbed.emulator.addLivestream({ title: "Main stage", record: true, dvrDurationInMins: 30 });
        const { stdout } = await expectCode(0, run(stack));
        assert.doesNotMatch(stdout, /pulumi refresh/);
        const program = await text(stack, "videograph-adopted.ts");
        assert.match(program, /^import \* as videograph from "pulumi-videograph\/native";$/m);
        assert.doesNotMatch(program, /importId: /);

        await rm(join(stack.folder, "index.js"));
        await writeFile(join(stack.folder, "index.ts"), `${program}${own}`);
        await compile(stack.folder);
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        await stack.preview("--expect-no-changes");
        assert.deepEqual(sentBy(testbed.emulator, "PUT", "DELETE"), []);
        written.push(program);
    });

    it("--library writes a program whose up adopts the account, with all its inputs", async () => {
        for (const title of ["Harbour", "Ice", "a/b::c"])
            testbed.emulator.addContent({ title, tags: ["archive"], metadata: [{ key: "season", value: "2" }] });
        const before = testbed.emulator.contents().map(({ contentId }) => contentId);
        const stack = await testbed.stack("");
        const { stdout } = await expectCode(0, run(stack, "--library"));
        assert.match(stdout, /3 contents and 0 livestreams to adopt, 0 skipped\./);
        await rm(join(stack.folder, "index.js"));
        await writeFile(join(stack.folder, "index.ts"), await text(stack, "videograph-adopted.ts"));
        await compile(stack.folder);
        await stack.up();
        assert.deepEqual(
            testbed.emulator.contents().map(({ contentId }) => contentId),
            before,
        );
        // Each is read, and none is changed.
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT"), []);
    });

    // By one compiler for all: in a run it takes most of the time.
    it("writes programs whose types are right", async () => {
        assert.equal(written.length, 2);
        const blocks = written.map((text, line) => ({ page: "docs/adopted.md", line, language: "ts", text }));
        assert.deepEqual(await checkPrograms(blocks), []);
    });
});
