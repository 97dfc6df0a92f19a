/** docs/guides/resource-options.md: its programs are run together, as one stack, and each option does what the page says. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gte } from "semver";
import ts from "typescript";
import { parse } from "yaml";
import { settingNames, variables } from "../../provider/dist/session/settings.js";
import { readPage } from "../docs/markdown.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const page = readPage("docs/guides/resource-options.md");

describe("The page of resource options (L5)", () => {
    const staging = { id: "staging-token", secret: "staging-secret-7d1a", environmentId: 2 };
    const tokens = [{ id: "production-token", secret: "production-secret-5b0c", environmentId: 1 }, staging];
    const testbed = useTestbed({ tokens });

    /** The programs of these sections as one. */
    function program(...sections: string[]): string {
        const imports = new Set<string>();
        const blocks = page.blocks.filter(
            ({ language, section }) => language === "ts" && sections.includes(section ?? ""),
        );
        assert.equal(blocks.length, sections.length);
        const lines = blocks
            .flatMap(({ text }) => text.split("\n"))
            .filter((line) => !line.startsWith("import ") || void imports.add(line));
        const body = lines.join("\n").replaceAll(/https:\/\/media\.example\.com\/\w+\.mp4/g, testbed.media.video());
        const text = `${[...imports].join("\n")}\n${body}\n`;
        return ts.transpile(text, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
    }

    it("is about options that work: replacementTrigger, replaceWith, deletedWith, hideDiffs, envVarMappings, and hooks, which run once the video is Ready", async () => {
        const stack = await testbed.stack("");
        const sections = [
            "A new stream key",
            "Replaced together",
            "Hidden differences",
            "Variables of several environments",
        ];
        const kept = `new videograph.Livestream("kept", { title: "Kept", region: "us-east-1" }, { deletedWith: exports.stage });\n`;
        await stack.write("index.js", program(...sections, "Hooks") + kept);
        stack.env.STAGING_TOKEN_ID = staging.id;
        stack.env.STAGING_SECRET_KEY = staging.secret;
        stack.secrets.push(...tokens.map(({ secret }) => secret));
        await stack.config("keyGeneration", "1");
        // No language host of another version is between the SDK, whose hooks these are, and the engine.
        const up = await stack.upInline();
        assert.equal(up.code, 0, up.output);
        assert.equal(await readFile(join(stack.folder, "published.txt"), "utf8").catch(() => up.output), "film\n");
        assert.equal((await stack.resource("film")).outputs?.status, "Ready");
        const first = await stack.ids();
        const status = async (id: string | undefined, { id: user, secret } = staging) => {
            const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`;
            return (
                await fetch(`${testbed.emulator.url}/video/services/api/v1/livestreams/${id}`, {
                    headers: { authorization },
                })
            ).status;
        };
        assert.deepEqual([await status(first.draft), await status(first.stage)], [200, 404]);
        const keyOf = (id = "") => testbed.emulator.livestream(id)?.streamKey;
        const oldKey = keyOf(first.stage);

        await stack.config("keyGeneration", "2");
        await stack.write(
            "index.js",
            program(...sections).replace("a very long text", "another very long text") + kept,
        );
        testbed.emulator.clearRequests();
        const { output } = await stack.up("--diff");
        assert.doesNotMatch(output, /another very long text/);
        const second = await stack.ids();
        // The newest engine replaces what is deleted with a replaced resource, too.
        const isKeptReplaced = second.kept !== first.kept;
        assert.equal(isKeptReplaced, gte(testbed.cli.version, "3.274.0"));
        const titlesOf = (method: string) =>
            sentBy(testbed.emulator, method).map(({ body }) => (body as { title: string }).title);
        const made = ["Concert", ...(isKeptReplaced ? ["Kept"] : []), "Main stage", "Tonight"];
        assert.deepEqual([titlesOf("POST").sort(), titlesOf("PUT")], [made, ["Catalogue"]]);
        assert.notEqual(second.stage, first.stage);
        assert.notEqual(second.teaser, first.teaser);
        assert.equal(second.draft, first.draft);
        assert.ok(keyOf(second.stage) && keyOf(second.stage) !== oldKey);
        assert.equal(
            testbed.emulator.contents().find(({ title }) => title === "Catalogue")?.metadata?.[0]?.value,
            "another very long text",
        );

        // What the last up had is gone; only the program reads the stack's configuration.
        const { VIDEOGRAPH_SECRET_KEY: key = "" } = stack.env;
        stack.env.VIDEOGRAPH_SECRET_KEY = undefined;
        await stack.config("videograph:secretKey", key, "secret");
        await stack.destroy("--run-program");
        const deleted = sentBy(testbed.emulator, "DELETE").map(({ path }) => path.split("/").at(-1));
        assert.ok(deleted.includes(second.stage) && !deleted.includes(second.kept));
        assert.deepEqual(
            testbed.emulator
                .livestreams()
                .filter(({ status }) => status !== "Deleting")
                .map(({ title }) => title),
            // The replaced one as well: nothing deletes what is deleted with another.
            isKeptReplaced ? ["Kept", "Kept"] : ["Kept"],
        );
    });

    it("names variables that there are", () => {
        const [esc] = page.blocks.filter(({ language }) => language === "yaml").map(({ text }) => parse(text));
        assert.deepEqual(
            Object.keys(esc.values.environmentVariables),
            settingNames.slice(0, 2).map((name) => variables[name]),
        );
    });
});
