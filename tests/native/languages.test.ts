/**
 * The quickstart in the languages that can be had beside TypeScript (tests/package/install.test.ts), through the real CLI: Python,
 * Go and YAML, set up by the commands of docs/guides/other-languages.md, with the language hosts that the Go module proxy serves.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { parse as parseYaml, stringify } from "yaml";
import manifest from "../../provider/package.json" with { type: "json" };
import { nodeFolder } from "../../tools/pulumiCli/environment.ts";
import { type Languages, obtainLanguages } from "../../tools/pulumiCli/languages.ts";
import { expectCode, runIn } from "../cli/support.ts";
import { readPage } from "../docs/markdown.ts";
import { secretsProvider } from "../support/keyService.ts";
import { sent } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";
import { bash } from "../support/workflow.ts";
import { checkEverything, creates, type Existing, everything, type Runtime } from "./everything.ts";

const repository = join(import.meta.dirname, "..", "..");
const examples = (runtime: string) => join(repository, "examples", `quickstart-${runtime}`);
const firstHour = readPage("docs/guides/other-languages.md").blocks.filter(({ language }) => language === "sh");

/** What means something to a language, to YAML or to Pulumi. More of it: tests/unit/cli/adoptPrograms.test.ts. */
const special = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is text
    ...["$$", "$${x}", "${}", "1_000", "~", "\u0000\u0085\ufeff\uffff", "line\r\nline"],
    ...["- a: b # c", "{{x}} %s `", "é".repeat(300)],
];
/** The same, of names and of what no program can declare. */
const specialTitles = ["<<", "2026-01-01", "fn::join", "pulumi", "videograph", "true", "a\ud800b", "__proto__"];

/** No address is presigned, but a description is a secret. */
const pythonLibrary = `
url = config.require("sourceUrl").split("?")[0]
films = videograph.ContentLibrary(
    "films",
    defaults={"playback_policy": ["public"]},
    contents={
        "harbour": {"title": "Harbour", "content": [{"url": url}], "description": config.require_secret("note")},
        "ice": {"title": "Ice", "content": [{"url": url}], "playback_policy": ["signed"]},
    },
)
pulumi.export("harbour", films.contents.apply(lambda contents: contents["harbour"].playback_url))
`;
const yamlLibrary = `
    films:
        type: videograph:ContentLibrary
        properties:
            defaults: { playbackPolicy: [public] }
            contents:
                harbour: { title: Harbour, content: [{ url: "\${sourceUrl}" }] }
                ice: { title: Ice, content: [{ url: "\${sourceUrl}" }], playbackPolicy: [signed] }
outputs:
    harbour: \${films.contents.harbour.playbackUrl}
`;
describe("Programs in other languages", () => {
    const testbed = useTestbed({}, "native");
    let languages: Languages;

    before("the tools of the languages", async function () {
        const obtained = await obtainLanguages();
        if (typeof obtained === "string") {
            assert.ok(!process.env.CI, `SDKs cannot be had: ${obtained}`);
            return this.skip();
        }
        languages = obtained;
    });

    /** A stack with the quickstart, whose source is presigned. */
    async function quickstart(runtime: string, file: string): Promise<{ stack: TestStack; text: string }> {
        const stack = await testbed.stack("");
        for (const name of ["index.js", "node_modules"]) await rm(join(stack.folder, name));
        const text = await readFile(join(examples(runtime), file), "utf8");
        const settings = { ...(runtime === "yaml" && (parseYaml(text) as object)), name: "e2e", runtime };
        await stack.write("Pulumi.yaml", stringify(settings));
        if (runtime !== "yaml") await stack.write(file, text);
        stack.secrets.push("presigned-4c1f");
        await stack.config("e2e:sourceUrl", `${testbed.media.video()}?signature=presigned-4c1f`, "secret");
        stack.env.PATH = [testbed.cli.folder, nodeFolder, languages.path, process.env.PATH].join(delimiter);
        // Pulumi's SDK is on this machine: pip needs no registry.
        const [site = ""] = globSync("../lib/*/site-packages", { cwd: dirname(languages.python) });
        Object.assign(stack.env, { PYTHONPATH: join(dirname(languages.python), site), PYTHONDONTWRITEBYTECODE: "1" });
        Object.assign(stack.env, {
            PIP_NO_INDEX: "1",
            PIP_NO_BUILD_ISOLATION: "0",
            PIP_DISABLE_PIP_VERSION_CHECK: "1",
        });
        return { stack, text: await readFile(join(stack.folder, file), "utf8") };
    }

    /** Types what the page of the first hour says under headings, for this folder in place of the example. A reader answers yes. */
    async function type(heading: string, { folder, environment }: TestStack, ...more: string[]): Promise<void> {
        const sections = ["The plugin", heading, ...more];
        const blocks = firstHour.filter(({ section = "" }) => sections.includes(section));
        assert.equal(blocks.length, sections.length);
        const text = blocks
            .map(({ text }) => text.trimEnd())
            .join("\n")
            .replaceAll(/examples\/quickstart-\w+/g, folder)
            .replaceAll("http://127.0.0.1:4410", testbed.emulator.url)
            // To unpack a pip for each environment takes 3 s of CPU time: this one's Python has one.
            .replace("python3 -m venv", "$& --without-pip")
            .replace("pip install", "python -m pip install")
            // What a passphrase costs in each run: see keyService.
            .replace(/pulumi stack init \w+/, `$& --secrets-provider ${secretsProvider}`)
            .replace(/pulumi up$/, "$& --skip-preview");
        // What the repository's commands keep is the user's: they build the generators of SDKs once.
        const { HOME: _, XDG_CACHE_HOME: __, XDG_STATE_HOME: ___, ...env } = environment as Record<string, string>;
        await bash(text, repository, { ...env, PULUMI_SKIP_CONFIRMATIONS: "true" });
    }

    /**
     * Adopts what the service has, and creates the rest: `merged` is the program in this file with what `adopt` has written for it. Each state and
     * each output on the way is searched for secrets. What does not run the program is the same for all languages. Gives the outputs.
     */
    async function adoptsAndCreates(
        runtime: Runtime,
        stack: TestStack,
        file: string,
        merged: (adopted: string, existing: Existing) => string,
        contents = 1,
    ) {
        const metadata = [{ key: "a-b", value: 'Ünïcode 😀 "q" \\ \n' }];
        const tides = { title: "Tides \u2028", tags: ["b", "a"], metadata, mp4_support: true };
        const { contentId: existing } = testbed.emulator.addContent(tides);
        testbed.emulator.addContent({ title: "Reefs", playback_policy: ["signed"], description: "Below" });
        const pairs = (texts: string[]) => texts.map((text) => ({ key: text, value: text }));
        testbed.emulator.addContent({ title: "Special", tags: special, metadata: pairs(special) });
        for (const title of specialTitles)
            testbed.emulator.addContent({ title, tags: [title], metadata: pairs([title]) });
        const harbour = { title: "Harbour", record: true, dvrDurationInMins: 30 };
        const { streamUUID } = testbed.emulator.addLivestream(harbour);
        await expectCode(0, runIn(stack, "adopt", "--json", "--program", "adopted"));
        const adopted = await readFile(join(stack.folder, "adopted"), "utf8");
        // No resource manages it.
        const { streamUUID: other } = testbed.emulator.addLivestream({ title: "Elsewhere" });
        await stack.write(file, merged(adopted, { contentId: existing, streamUUID, other }));
        await stack.run(...["import", "--file", "videograph-import.json", "--yes", "--generate-code=false"]);
        testbed.emulator.clearRequests();
        const { output } = await stack.up();
        // The program declares what the import has recorded: with that there is nothing to do.
        assert.doesNotMatch(output, /updated|replaced|deleted/);
        assert.deepEqual(
            sent(testbed.emulator)
                .filter((request) => !request.startsWith("GET "))
                .map((request) => request.replace(/\/[\w-]+\/clips$/, "/…/clips"))
                .sort(),
            [...new Array(contents).fill("POST /contents"), "POST /livestreams", ...creates].sort(),
        );
        const outputs = await stack.outputs();
        const root = (await stack.state()).resources.find(({ type }) => type === "pulumi:pulumi:Stack");
        checkEverything(runtime, outputs, root?.outputs ?? {});
        const { contentId, streamKey, playbackUrl, signingKeyIds, signingKeys } = outputs;
        const keys = testbed.emulator.signingKeys().filter(({ productTypeId }) => productTypeId === 1);
        assert.equal(testbed.emulator.content(String(contentId))?.title, "Trailer");
        assert.ok(testbed.emulator.livestreams().some((stream) => stream.streamKey === streamKey));
        assert.match(String(playbackUrl), /^http/);
        assert.deepEqual(
            signingKeyIds ?? (signingKeys as typeof keys).map(({ signingKeyId }) => signingKeyId),
            keys.map(({ signingKeyId }) => signingKeyId),
        );
        return outputs;
    }

    /** The first run of the language's template, in place of the quickstart. What `keep` names is the test's. */
    async function template(stack: TestStack, name: string, ...keep: string[]): Promise<void> {
        const files = ["Pulumi.yaml", ...keep];
        const before = await Promise.all(files.map((file) => readFile(join(stack.folder, file), "utf8")));
        const path = join(repository, "templates", name);
        await stack.run("new", path, "--generate-only", "--yes", "--force", "--name", "e2e", "--description", "Videos");
        if (name === "go") await stack.write("go.mod", before[files.indexOf("go.mod")] ?? assert.fail());
        await stack.up();
        const { playbackUrl } = await stack.outputs();
        const [{ contentId, status } = assert.fail()] = testbed.emulator.contents();
        assert.ok(status === "Ready" && String(playbackUrl).includes(contentId));
        await stack.destroy();
        for (const [index, file] of files.entries()) await stack.write(file, before[index] ?? "");
    }

    it("Python: with a library, and messages that name properties as the program does", async () => {
        const file = "__main__.py";
        const { stack, text } = await quickstart("python", file);
        await stack.write("requirements.txt", await readFile(join(examples("python"), "requirements.txt"), "utf8"));
        await type("Python", stack);
        stack.env.PATH = [join(stack.folder, "venv", "bin"), stack.env.PATH].join(delimiter);
        await template(stack, "python", file);
        const bad = 'videograph.Content("bad", title="Bad", content=[], playback_policy=["secret"])';
        await stack.write(file, `${text}\n${bad}\n`);
        const { output } = await stack.previewFails(/playback_policy\[0\] must be/);
        assert.doesNotMatch(output, /playbackPolicy/);
        stack.secrets.push("note-83");
        await stack.config("e2e:note", "note-83", "secret");
        const { harbour } = await adoptsAndCreates(
            "python",
            stack,
            file,
            (adopted, ids) => `${text}\n${adopted}\n${pythonLibrary}${everything.python(ids)}`,
            3,
        );
        assert.match(String(harbour), /^http.*m3u8$/);
        // Packed, a search for the text would not find it (S3).
        const isEncrypted = async () => {
            const { outputs = {} } = await stack.resource("films");
            return (outputs.__entries as { ciphertext?: string }).ciphertext !== undefined;
        };
        assert.ok(await isEncrypted());
        // It still has the secret where the update that replaces it fails.
        const program = await readFile(join(stack.folder, file), "utf8");
        await stack.write(file, program.replace('config.require_secret("note")', '"No secret"'));
        testbed.emulator.inject({ kind: "status", status: 422, method: "PUT" });
        await stack.fails(["up", "--yes", "--skip-preview"], /HTTP 422/);
        testbed.emulator.clearFaults();
        assert.ok(await isEncrypted());
    });

    it("Go", async () => {
        const file = "main.go";
        const { stack, text } = await quickstart("go", file);
        // Where the SDK is kept it is compiled once, and not in each run.
        const sdks = await languages.sdks();
        const goMod = await readFile(join(examples("go"), "go.mod"), "utf8");
        await stack.write("go.mod", goMod.replace("=> ./sdk/go", `=> ${sdks}/go`));
        await stack.write("go.sum", await readFile(join(examples("go"), "go.sum"), "utf8"));
        // Its caches are the user's.
        const home = process.env.HOME ?? "";
        stack.env.GOCACHE = process.env.GOCACHE ?? join(home, ".cache", "go-build");
        stack.env.GOPATH = process.env.GOPATH ?? join(home, "go");
        stack.env.GOMODCACHE = process.env.GOMODCACHE ?? join(stack.env.GOPATH, "pkg", "mod");
        // Nobody debugs it, and it runs twice: without optimizations and symbols it is compiled and linked in less time.
        stack.env.GOFLAGS = "-buildvcs=false '-gcflags=-N -l' '-ldflags=-s -w'";
        await type("Go", stack);
        const made = ["go.mod", "videograph/content.go"].map((name) => readFile(join(stack.folder, "sdk", "go", name)));
        const kept = ["go.mod", "videograph/content.go"].map((name) => readFile(join(sdks, "go", name)));
        assert.deepEqual(await Promise.all(made), await Promise.all(kept));
        await template(stack, "go", file, "go.mod");
        // The compiler and Go's SDK find no missing region, for the configuration may have one.
        await stack.write(file, text.replace(/^\s*Region: .*\n/m, ""));
        const { output } = await stack.previewFails(
            /'main-stage' has a problem: region is required \(us-east-1, .* \[VG2002\]/,
        );
        assert.match(output, /resource monitor shut down while waiting on step's done channel/, "as the page says");
        await adoptsAndCreates("go", stack, file, (adopted, ids) => {
            const { stdout } = spawnSync("gofmt", ["-d"], { input: adopted, encoding: "utf8" });
            assert.equal(stdout, "", "as gofmt writes it");
            const [, declared = ""] = /\n\)\n([\s\S]*)/.exec(adopted) ?? [];
            const calls = `if err := everything(ctx, strings.Split(config.Require(ctx, "sourceUrl"), "?")[0]); err != nil {
                return err
            }
            return videographAdopted(ctx)`;
            const program = text.replace("return nil", calls).replace("import (", 'import (\n\t"strings"\n');
            return program + declared + everything.go(ids);
        });
    });

    it("YAML: the page of the first hour to its end; nothing but the plugin is needed, with a library", async () => {
        const file = "Pulumi.yaml";
        const { stack } = await quickstart("yaml", file);
        testbed.emulator.addToken({ id: "emulator-token-id", secret: "emulator-secret-key", environmentId: 1 });
        await type("YAML", stack, "Run it");
        assert.equal(testbed.emulator.contents()[0]?.status, "Ready");
        testbed.emulator.reset();
        await template(stack, "yaml");
        type Parts = Record<"resources" | "outputs" | "variables", object>;
        // The installed plugin is enough: nothing is downloaded.
        await stack.run("package", "add", "videograph");
        const added = parseYaml(await readFile(join(stack.folder, file), "utf8")) as Parts & { packages: object };
        assert.deepEqual(added.packages, { videograph: `videograph@${manifest.version}` });
        const { resources, outputs, variables, ...project } = added;
        const indented = (part: object) => stringify(part, { indent: 4 }).replace(/^(?=.)/gm, "    ");
        const merged = (adopted: string, ids: Existing) => {
            const every = everything.yaml(ids);
            const head = `${stringify(project)}variables:\n${indented(variables)}${every.variables}`;
            return `${head}${adopted}${indented(resources)}${every.resources}${yamlLibrary}${every.outputs}${indented(outputs)}`;
        };
        const { harbour } = await adoptsAndCreates("yaml", stack, file, merged, 3);
        assert.match(String(harbour), /^http.*m3u8$/);
    });
});
