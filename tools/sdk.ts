/**
 * What a program in another language needs from this clone, as `pulumi package add` does it with a published plugin:
 *
 *     npm run sdk -- python examples/quickstart-python
 *
 * writes the SDK to the folder `sdk` there. Where the CLI had to be built, its language hosts are older ones without a generator, and it has
 * no host for YAML: these are built as well.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { findProgram, obtainPulumiCli } from "./pulumiCli/index.ts";
import { obtainLanguages } from "./pulumiCli/languages.ts";

const plugin = join(import.meta.dirname, "..", "provider", "plugin");
const [language = "", project = "."] = process.argv.slice(2);

try {
    const all = ["python", "go", "dotnet", "java", "nodejs", "yaml"];
    if (!all.includes(language)) throw new Error(`Usage: npm run sdk -- <${all.join(" | ")}> <project folder>`);
    const { folder } = await obtainPulumiCli();
    if (language === "yaml") await yaml(folder);
    else await sdk(folder, resolve(process.env.INIT_CWD ?? "", project, "sdk"));
} catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}

/** YAML has no SDK. An official CLI has the host beside it. */
async function yaml(folder: string): Promise<void> {
    const host = "pulumi-language-yaml";
    if (existsSync(join(folder, host)) || findProgram(host) !== undefined) return;
    const { path } = await languages();
    const built = path.split(delimiter).find((one) => existsSync(join(one, host)));
    if (built !== undefined) cpSync(join(built, host), join(folder, host));
}

async function sdk(folder: string, out: string): Promise<void> {
    rmSync(out, { recursive: true, force: true });
    const schema = join(plugin, "schema.json");
    try {
        const args = ["package", "gen-sdk", schema, "--language", language, "--out", out];
        execFileSync(join(folder, "pulumi"), args, { stdio: "pipe" });
    } catch (error) {
        const { stderr = "" } = error as { stderr?: Buffer | string };
        if (!String(stderr).includes("GeneratePackage")) throw error;
        await (await languages()).generate(schema, out, language);
    }
    // The generators put the README that pyproject.toml names elsewhere.
    const readme = join(out, language, "pulumi_videograph", "README.md");
    if (existsSync(readme)) cpSync(readme, join(out, language, "README.md"));
    console.log(join(out, language));
}

async function languages() {
    const found = await obtainLanguages();
    if (typeof found === "string") throw new Error(`The generators of SDKs cannot be built: ${found}.`);
    return found;
}
