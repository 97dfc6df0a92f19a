/**
 * Programs in C#, which nothing here can compile: every class, property and member that the quickstart and the schema's examples name
 * is in the SDK that Pulumi's own generator writes.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { obtainLanguages } from "../../tools/pulumiCli/languages.ts";

const repository = join(import.meta.dirname, "..", "..");

/** The public members of each class of the SDK. */
type Members = ReadonlyMap<string, ReadonlySet<string>>;

async function membersOf(sdk: string): Promise<Members> {
    const members = new Map<string, Set<string>>();
    for (const file of await readdir(sdk, { recursive: true })) {
        if (!file.endsWith(".cs")) continue;
        let current = new Set<string>();
        for (const line of (await readFile(join(sdk, file), "utf8")).split("\n")) {
            const [, type] = /^ {4}public .*\b(?:class|struct) (\w+)/.exec(line) ?? [];
            const [, member] = /^ {8}public .*?@?(\w+)(?: \{|;|\(|$)/.exec(line) ?? [];
            if (type !== undefined) {
                // What a class inherits is not in its own file: of a resource that is its id.
                current = new Set(line.includes("CustomResource") ? ["Id"] : []);
                members.set(type, current);
            } else if (member !== undefined) current.add(member);
        }
    }
    return members;
}

/** What a program uses of an SDK by names that the SDK does not have. */
function unknownNames(program: string, members: Members): string[] {
    const unknown: string[] = [];
    const use = (type: string, member?: string) => {
        const known = members.get(type);
        if (known === undefined) unknown.push(type);
        else if (member !== undefined && !known.has(member)) unknown.push(`${type}.${member}`);
    };
    const code = program.replace(/"[^"]*"/g, '""').replace(/\/\/.*$/gm, "");
    for (const [, type = "", member] of code.matchAll(/\bVideograph\.(?:Inputs\.)?(\w+)(?:\.(\w+))?/g)) {
        if (type !== "Inputs") use(type, member);
    }
    // `new Videograph.ContentArgs { Title = ..., Sources = { new ... { Url = ... } } }`
    for (const { 1: type = "", index, 0: text } of code.matchAll(/new Videograph\.(?:Inputs\.)?(\w+)\s*\{/g)) {
        for (const name of assignedIn(code.slice(index + text.length))) use(type, name);
    }
    // Variables of resources, and the parameters of functions over results.
    for (const [, variable, type = ""] of code.matchAll(/var (\w+) = new Videograph\.(\w+)\(/g)) {
        for (const [, member] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))) use(type, member);
    }
    const [, called = "GetSigningKeys"] = /Videograph\.(Get\w+)\.Invoke/.exec(code) ?? [];
    for (const [, member] of code.matchAll(/\b(?:found|result)\.(?!Apply\b)(\w+)/g)) use(`${called}Result`, member);
    for (const [, member] of code.matchAll(/\bkey\.(\w+)/g)) use("SigningKey", member);
    return unknown;
}

/** The names that an object initializer assigns, without those of initializers inside it. */
function assignedIn(text: string): string[] {
    const names: string[] = [];
    let depth = 0;
    for (const [token, name] of text.matchAll(/[{}]|\b(\w+) = /g)) {
        if (token === "{") depth += 1;
        else if (token === "}") depth -= 1;
        else if (depth === 0 && name !== undefined) names.push(name);
        if (depth < 0) break;
    }
    return names;
}

describe("Programs in C#", function () {
    this.timeout(600_000);
    let folder: string;
    let sdk: string;
    let program: string;

    before("the SDK", async function () {
        const languages = await obtainLanguages();
        if (typeof languages === "string") {
            assert.ok(!process.env.CI, `The generator cannot be had: ${languages}`);
            return this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "videograph-csharp-"));
        await languages.generate(join(repository, "provider", "plugin", "schema.json"), folder, "dotnet");
        sdk = join(folder, "dotnet");
        program = await readFile(join(repository, "examples", "quickstart-csharp", "Program.cs"), "utf8");
    });
    after(async () => {
        if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    it("use what the generated SDK has: the quickstart", async () => {
        const members = await membersOf(sdk);
        assert.deepEqual(unknownNames(program, members), []);
        // The check itself: a wrong class, property, member of an enumeration, output and field of a result.
        for (const [from, to, name] of [
            ["new Videograph.Content(", "new Videograph.Contents(", "Contents"],
            ["Sources =", "Content =", "ContentArgs.Content"],
            ["Url =", "Uri =", "ContentSourceArgs.Uri"],
            ["PlaybackPolicy.Public", "PlaybackPolicy.Open", "PlaybackPolicy.Open"],
            ["stage.StreamKey", "stage.Key", "Livestream.Key"],
            ["key.SigningKeyId", "key.KeyId", "SigningKey.KeyId"],
        ] as const) {
            assert.ok(unknownNames(program.replace(from, to), members).includes(name), name);
        }
    });

    it("has what the examples of the schema use", async () => {
        const members = await membersOf(sdk);
        const schema = JSON.parse(await readFile(join(repository, "schema.json"), "utf8")) as {
            resources: Record<string, { description: string }>;
            functions: Record<string, { description: string }>;
        };
        const described = Object.entries({ ...schema.resources, ...schema.functions });
        assert.ok(described.length > 5);
        for (const [token, { description }] of described) {
            const [, example = ""] = /```csharp\n(.*?)```/s.exec(description) ?? [];
            assert.match(example, /Videograph\./, token);
            assert.deepEqual(unknownNames(example, members), [], token);
        }
    });

    it("imports the SDK by an alias: its class Config would hide Pulumi's", async () => {
        assert.match(
            await readFile(join(sdk, "Config", "Config.cs"), "utf8"),
            /namespace Community\.Pulumi\.Videograph\s/,
        );
        assert.match(program, /^using Videograph = Community\.Pulumi\.Videograph;$/m);
        assert.doesNotMatch(program, /^using Community\./m);
    });

    it("does not compile the SDK's sources a second time, which `pulumi package add` puts into the project's folder", async () => {
        const file = join(repository, "examples", "quickstart-csharp", "quickstart.csproj");
        assert.match(
            await readFile(file, "utf8"),
            /<DefaultItemExcludes>\$\(DefaultItemExcludes\);sdks\/\*\*\/\*\.cs</,
        );
        assert.ok(existsSync(join(sdk, "Community.Pulumi.Videograph.csproj")));
    });
});
