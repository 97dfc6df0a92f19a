/**
 * Shell blocks are not run: but the npm scripts, files, commands, options, variables and configuration keys that they name
 * have to exist.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { settingNames, variables } from "../../provider/dist/session/settings.js";
import { testedCli } from "../support/testbed.ts";
import { type CodeBlock, repository } from "./markdown.ts";

/** The package's other variables, and the configuration of the programs that it is used with. */
const knownVariables = [...Object.values(variables), "VIDEOGRAPH_JOURNAL_DIR", "VIDEOGRAPH_UNRECORDED"];

/** What is wrong, as "page:line of the block: problem". */
export async function checkShell(blocks: readonly CodeBlock[]): Promise<string[]> {
    const problems = blocks.map(async ({ page, line, text }) => {
        // A line that ends with a backslash goes on in the next.
        const lines = text.replaceAll(/\\\n\s*/g, " ").split("\n");
        const found = await Promise.all(lines.map((one) => problemsOf(one, dirname(page))));
        return found.flat().map((problem) => `${page}:${line}: ${problem}`);
    });
    return (await Promise.all(problems)).flat();
}

async function problemsOf(line: string, folder: string): Promise<string[]> {
    const text = line.replace(/(^|\s)#.*$/, "");
    const names = text.match(/\bVIDEOGRAPH_[A-Z_]+\b/g) ?? [];
    // Neither the native types, such as `videograph:index:Content`, nor the functions.
    const keys = text.match(/(?<=(?<!:)\bvideograph:)(?!index:|get[A-Z])[a-z]\w*/g) ?? [];
    const settings: readonly string[] = settingNames;
    const isShown = /config set --secret \S+ \S/.test(text);
    const isPlain = /config set (?!--secret)\S*accessTokenId/.test(text);
    const commands = text.split(/&&|\|\||[;|()]/).map((command) => problemsOfCommand(words(command), folder));
    return [
        ...names.filter((name) => !knownVariables.includes(name)).map((name) => `there is no variable ${name}`),
        ...keys.filter((key) => !settings.includes(key)).map((key) => `there is no configuration key ${key}`),
        ...(isShown ? ["a secret on the command line stays in the shell's history: the CLI asks for it"] : []),
        ...(isPlain ? ["the CLI refuses an id in plain text"] : []),
        ...(await Promise.all(commands)).flat(),
    ];
}

/** Without the variables in front of the program. */
function words(command: string): string[] {
    const all = command.match(/"[^"]*"|'[^']*'|<[^>]*>|\S+/g) ?? [];
    const first = all.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    return first === -1 ? [] : all.slice(first);
}

async function problemsOfCommand([program = "", ...args]: string[], folder: string): Promise<string[]> {
    const [first, second] = args.filter((arg) => !arg.startsWith("-"));
    switch (program) {
        case "npm": {
            const script = first === "run" ? second : first === "test" ? "test" : undefined;
            const exists = script === undefined || scripts("").includes(script) || scripts(folder).includes(script);
            return exists ? [] : [`there is no npm script ${script}`];
        }
        case "cd":
            return pathProblems(first, folder);
        case "node":
        case "cat":
            return /^-[pe]$/.test(args[0] ?? "") ? [] : pathProblems(first, folder);
        case "npx":
            if (first === "pulumi") return args.length > 1 ? pulumiProblems(args.slice(1)) : [];
            return first === "pulumi-videograph" || first === "videograph-emulator" ? npxProblems(first, args) : [];
        case "pulumi":
            return pulumiProblems(args);
        default:
            return [];
    }
}

/** Of the repository, or of an example by its folder. */
function scripts(folder: string): string[] {
    const file = join(repository, folder, "package.json");
    return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, "utf8")).scripts ?? {}) : [];
}

/** Paths are from the repository's root or from the folder of the page. */
function pathProblems(path: string | undefined, folder: string): string[] {
    if (path === undefined || /^[~<-]|\$/.test(path)) return [];
    const exists = ["", folder].some((from) => existsSync(join(repository, from, path)));
    return exists ? [] : [`there is no ${path}`];
}

async function npxProblems(name: string, [, ...args]: string[]): Promise<string[]> {
    const program = join(repository, name === "pulumi-videograph" ? "provider" : "emulator", "bin", `${name}.js`);
    const general = await help(process.execPath, program);
    const [command = "-"] = args;
    if (name !== "pulumi-videograph" || command.startsWith("-")) return optionProblems(name, args, general);
    if (!new RegExp(`^ +${command} `, "m").test(general)) return [`${name} has no command ${command}`];
    // What follows goes to the preview that `review` runs.
    const end = args.includes("--") ? args.indexOf("--") : args.length;
    return [
        ...optionProblems(`${name} ${command}`, args.slice(0, end), await help(process.execPath, program, command)),
        ...(await pulumiProblems(["preview", ...args.slice(end + 1)])),
    ];
}

async function pulumiProblems(args: string[]): Promise<string[]> {
    // tests/native/do.test.ts runs it.
    if (args[0] === "do") return [];
    const options = args.findIndex((arg) => arg.startsWith("-"));
    const plain = options === -1 ? args : args.slice(0, options);
    // "pulumi config set" is a command with a command; what else stands there are its arguments.
    const words = plain.slice(0, ["config", "stack", "state", "plugin", "package"].includes(plain[0] ?? "") ? 2 : 1);
    const command = ["pulumi", ...words.filter((word) => /^[a-z-]+$/.test(word))];
    manual ??= readManual();
    const text = (await manual).get(command.join("_"));
    const name = command.join(" ");
    return text === undefined ? [`there is no command ${name}`] : optionProblems(name, args, text);
}

let manual: Promise<ReadonlyMap<string, string>> | undefined;

/** The CLI's page of each command, by its names, such as `pulumi_stack_rm`: one run, in place of one `--help` for each. */
async function readManual(): Promise<ReadonlyMap<string, string>> {
    await using folder = await mkdtempDisposable(join(tmpdir(), "videograph-manual-"));
    await printed("pulumi", ["gen-markdown", folder.path]);
    const pages = readdirSync(folder.path).flatMap((file) => {
        const text = readFileSync(join(folder.path, file), "utf8");
        const aliases = text.match(/(?<=^ {2}- \/docs\/.*\/)pulumi_.+(?=\/$)/gm) ?? [];
        return [file.replace(".md", ""), ...aliases].map((name) => [name, text] as const);
    });
    return new Map(pages);
}

function optionProblems(what: string, args: readonly string[], text: string): string[] {
    return args
        .filter((arg) => arg.startsWith("--"))
        .map((arg) => arg.split("=")[0] ?? "")
        .filter((option) => option !== "--help" && option !== "--" && !new RegExp(`${option}\\b`).test(text))
        .map((option) => `${what} has no option ${option}`);
}

const helpTexts = new Map<string, Promise<string>>();

/** What a program prints for `--help`, and on which channel or with which exit code does not matter. */
function help(program: string, ...args: string[]): Promise<string> {
    const key = [program, ...args].join(" ");
    const text = helpTexts.get(key) ?? printed(program, [...args, "--help"]);
    helpTexts.set(key, text);
    return text;
}

async function printed(program: string, args: string[]): Promise<string> {
    const path = [(await testedCli()).folder, process.env.PATH].join(delimiter);
    // The help names experimental options, such as --plan, only to those who try them.
    const env = { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_EXPERIMENTAL: "true" };
    return new Promise((resolve) => {
        execFile(program, args, { env }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
}
