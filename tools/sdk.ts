/**
 * What a program in another language needs from this clone, as `pulumi package add` does it with a published plugin:
 *
 *     npm run sdk -- python examples/quickstart-python
 *
 * writes the SDK to the folder `sdk` there. A CLI that had to be built has older language hosts without a generator, and no host for YAML: for
 * these, Pulumi's own generators and that host are built, once per machine.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { schemaFor } from "../provider/dist/native/schemaFor.js";
import { anyPulumiCli, findProgram } from "./pulumiCli/index.ts";
import { sdks, yamlHost } from "./pulumiCli/languages.ts";
import { say } from "./pulumiCli/progress.ts";

const schema = join(import.meta.dirname, "..", "provider", "plugin", "schema.json");
/** Those that have a generator here as well; the others have only the official CLI's. */
const ours = ["python", "go", "nodejs"];
const [language = "", project = "."] = process.argv.slice(2);

try {
    const all = [...ours, "dotnet", "java", "yaml"];
    if (!all.includes(language)) throw new Error(`Usage: npm run sdk -- <${all.join(" | ")}> <project folder>`);
    const startedAt = performance.now();
    const { folder } = await anyPulumiCli();
    if (language === "yaml") await yaml(folder);
    else await sdk(folder, resolve(process.env.INIT_CWD ?? "", project, "sdk"));
    say(`Done in ${Math.ceil((performance.now() - startedAt) / 1000)} s`);
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}

/** YAML has no SDK. An official CLI has the host beside it. */
async function yaml(folder: string): Promise<void> {
    const host = "pulumi-language-yaml";
    if (existsSync(join(folder, host)) || findProgram(host) !== undefined) return;
    cpSync(join(await yamlHost(), host), join(folder, host));
}

async function sdk(folder: string, out: string): Promise<void> {
    const host = `pulumi-language-${language}`;
    if (!ours.includes(language) && !existsSync(join(folder, host)) && findProgram(host) === undefined)
        throw new Error(
            `The generator for ${language} comes with the official Pulumi CLI (${host}), and the CLI in ${folder} has none: ` +
                "install it from https://www.pulumi.com/docs/install/, put it on the PATH, and run this again",
        );
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const ofLanguage = join(out, "schema.json");
    writeFileSync(ofLanguage, schemaFor(readFileSync(schema, "utf8"), language));
    try {
        const args = ["package", "gen-sdk", ofLanguage, "--language", language, "--out", out];
        execFileSync(join(folder, "pulumi"), args, { stdio: "pipe" });
    } catch (error) {
        const { stderr = "" } = error as { stderr?: Buffer | string };
        if (!String(stderr).includes("GeneratePackage")) throw error;
        if (findProgram("go") === undefined)
            throw new Error(
                `The Pulumi CLI in ${folder} was built here and has no generators of SDKs: they are built with Go (https://go.dev/dl), or come with the official CLI`,
            );
        cpSync(join(await sdks(), language), join(out, language), { recursive: true });
    } finally {
        rmSync(ofLanguage);
    }
    // The generators put the README that pyproject.toml names elsewhere.
    const readme = join(out, language, "pulumi_videograph", "README.md");
    if (existsSync(readme)) cpSync(readme, join(out, language, "README.md"));
    console.log(join(out, language));
}
