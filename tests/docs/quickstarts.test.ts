/**
 * The quickstart with an account, and the examples that no other test runs, as their pages say, with the real Pulumi CLI. The emulator is the
 * service. The first page and the guide to unit tests: package/install.test.ts. The commands of all other pages: codeBlocks.test.ts.
 */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { cheaperCommands, compile, exampleFolder, runsFaster } from "../examples/exampleStack.ts";
import { useTestbed } from "../support/testbed.ts";
import { bash } from "../support/workflow.ts";
import { type CodeBlock, readPage, repository } from "./markdown.ts";

/** As they look on the service. The CLI takes such ids for secrets. */
const token = {
    environmentId: 1,
    id: "8f14e45f-ceea-467f-9d3c-5a1b2c3d4e5f",
    secret: "q3Zr9xT1vW8yB5nM2kL7pJ4hG6fD0sA3",
};
/** Of another environment. */
const other = {
    environmentId: 2,
    id: "5b7e9d1c-20f4-4c8a-9b36-7f1e2d3c4b5a",
    secret: "p8Vn2bX5kQ7wZ1sL4tR9yC6mH3gJ0dF2",
};
/** What a reader types in place of `<access token id>` and the like. */
const values: Record<string, string> = {
    organization: "organization",
    "URL of an MP4, MOV or M4V file": "https://media.example.com/trailer.mp4",
};

describe("What the pages say to type", () => {
    if (process.platform === "win32") return;
    const testbed = useTestbed({ tokens: [token, other], fetchSources: false });
    let folder: string;
    afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    /** An example in a folder of its own, with the packages of this repository in place of its `npm install`. */
    async function example(name: string) {
        const { emulator, cli } = testbed;
        const own = await exampleFolder(name, cli);
        folder = own.folder;
        await compile(folder);
        const { VIDEOGRAPH_BASE_URL = "" } = emulator.env;
        // A reader answers yes.
        const env = { ...(await runsFaster(own.env)), VIDEOGRAPH_BASE_URL, PULUMI_SKIP_CONFIRMATIONS: "true" };
        const type = (script: string) => bash(cheaperCommands(script), folder, env);
        return { emulator, type };
    }

    it("first page: its program is the quickstart's, whose page has the same lines with an account", async () => {
        const [program] = readPage("README.md").blocks.filter(({ file }) => file === "index.ts");
        assert.equal(program?.text, await readFile(join(repository, "examples", "quickstart", "index.ts"), "utf8"));
        const account = shell("examples/quickstart/README.md", "With your account").join("\n");
        const first = shell("README.md", "Quickstart with your account").join("\n");
        assert.equal(first.replaceAll("npx pulumi", "pulumi"), account);
        const { emulator, type } = await example("quickstart");
        // Here, the emulator is the service that the account is of.
        const output = await type(account.replace("VIDEOGRAPH_BASE_URL ", ""));
        assert.match(output, /3 created/);
        assert.equal(emulator.contents()[0]?.title, "Trailer");
    });

    it("the page of the example live-event: the key comes to the encoder, and a new one after it", async () => {
        const { emulator, type } = await example("live-event");
        const page = "examples/live-event/README.md";
        const typed = (heading: string) => type(shell(page, heading).join("\n"));
        const service = async () => {
            const { settings } = JSON.parse(await readFile(join(folder, "encoder", "service.json"), "utf8"));
            return settings as { server: string; key: string };
        };
        const [event, ...others] = readPage(page).blocks.filter(({ language }) => language === "sh");
        assert.ok(event !== undefined && others.length === 3);
        let shown = await type(filledIn(event));
        shown += await typed("The encoder");
        const [first] = emulator.livestreams();
        assert.equal((await service()).key, first?.streamKey);
        await typed("During the broadcast");
        await assert.rejects(type("pulumi destroy"), /protect/);
        shown += await typed("A new key");
        const [second, ...more] = emulator.livestreams().filter(({ status }) => status !== "Deleting");
        assert.deepEqual(more, []);
        assert.ok(first !== undefined && second !== undefined && first.streamKey !== second.streamKey);
        await type("cd encoder; pulumi stack output obsService --show-secrets > service.json");
        assert.equal((await service()).key, second.streamKey);
        for (const { streamKey } of [first, second]) assert.ok(!shown.includes(streamKey), shown);
    });

    it("the page of the example multi-environment: nothing gets into the wrong one", async () => {
        const { emulator, type } = await example("multi-environment");
        emulator.addContent({ title: "Notice", tags: ["legal"] }, 2);
        const [script = ""] = readPage("examples/multi-environment/README.md").blocks.map(filledIn);
        const ofOther = (line: string) => line.replace(token.id, other.id).replace(token.secret, other.secret);
        await type(script.replace(/^.* production:.*$/gm, ofOther));
        const titles = (environment: number) => emulator.contents(environment).map(({ title }) => title);
        assert.deepEqual(titles(1).sort(), ["A tour of the house", "How it began", "What comes next"]);
        assert.deepEqual(titles(2).sort(), ["A tour of the house", "How it began", "Notice"]);
        const { production } = JSON.parse(await type("pulumi stack output --json"));
        assert.equal(production.legalNotices.length, 1);
        await type("pulumi destroy");
        assert.deepEqual([titles(1), titles(2)], [[], ["Notice"]]);
    });
});

/** The scripts of a section, with what a reader fills in. The packages are there already. */
function shell(page: string, heading: string): string[] {
    const blocks = readPage(page).blocks.filter(({ section, language }) => section === heading && language === "sh");
    assert.ok(blocks.length > 0, `${page} has no section "${heading}" with commands`);
    return blocks.map(filledIn);
}

function filledIn({ page, line, text, language }: CodeBlock): string {
    if (language !== "sh") return "";
    const filled = text.replaceAll(/<([^<>&|$"']+)>/g, (placeholder, name: string) => {
        return values[name] ?? assert.fail(`${page}:${line}: nobody knows what to type for ${placeholder}`);
    });
    // The CLI asks for a secret, which a reader types.
    const typed = filled.replace(/^((?:npx )?pulumi config set --secret \w+:(\w+))$/gm, (command, _, name: string) => {
        const value = { accessTokenId: token.id, secretKey: token.secret }[name];
        return `printf %s ${value ?? assert.fail(`${page}:${line}: nobody knows what to type for ${name}`)} | ${command}`;
    });
    return (page.startsWith("examples/") ? typed.replace(/^npm install$/m, "") : typed).trim();
}
