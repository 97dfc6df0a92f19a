/**
 * Shell blocks are not run: but the npm scripts, files, commands, options, variables and configuration keys that they name
 * have to exist.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { settingNames, variables } from "../../provider/dist/session/settings.js";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { type CodeBlock, repository } from "./markdown.ts";

const run = promisify(execFile);

/** Other variables that documentation may set: of the package, and of the programs it is used with. */
const otherVariables = ["VIDEOGRAPH_JOURNAL_DIR", "VIDEOGRAPH_UNRECORDED"];
const otherKeys = ["ownSettings"];

/** What is wrong, as "page:line: message". */
export async function checkShell(blocks: readonly CodeBlock[]): Promise<string[]> {
    const lines = blocks.flatMap((block) => linesOf(block.text).map(([at, line]) => ({ block, at, line })));
    const problems = await Promise.all(
        lines.map(async ({ block, at, line }) => {
            const found = await problemsOf(line, dirname(block.page));
            return found.map((problem) => `${block.page}:${block.line + 1 + at}: ${problem}`);
        }),
    );
    return problems.flat();
}

/** The lines with their numbers; one that ends with a backslash goes on in the next. */
function linesOf(text: string): [number, string][] {
    const lines: [number, string][] = [];
    let continued = false;
    for (const [at, line] of text.split("\n").entries()) {
        const last = lines.at(-1);
        if (continued && last !== undefined) last[1] += ` ${line.trim()}`;
        else lines.push([at, line]);
        continued = line.endsWith("\\");
        const now = lines.at(-1);
        if (continued && now !== undefined) now[1] = now[1].slice(0, -1);
    }
    return lines;
}

async function problemsOf(line: string, folder: string): Promise<string[]> {
    const problems: string[] = [];
    const text = line.replace(/(^|\s)#.*$/, "");
    for (const [, name = ""] of text.matchAll(/\b(VIDEOGRAPH_[A-Z_]+)\b/g)) {
        if (![...Object.values(variables), ...otherVariables].includes(name))
            problems.push(`there is no variable ${name}`);
    }
    // Neither the native types, such as `videograph:index:Content`, nor the functions.
    for (const [, key = ""] of text.matchAll(/(?<!:)\bvideograph:(?!index:|get[A-Z])([a-z]\w*)/g)) {
        if (![...settingNames, ...otherKeys].includes(key))
            problems.push(`there is no configuration key videograph:${key}`);
    }
    if (/config set (?!--secret)\S*accessTokenId/.test(text)) problems.push("the CLI refuses an id in plain text");
    for (const command of text.split(/&&|\|\||[;|()]/))
        problems.push(...(await problemsOfCommand(words(command), folder)));
    return problems;
}

function words(command: string): string[] {
    const all = command.match(/"[^"]*"|'[^']*'|<[^>]*>|\S+/g) ?? [];
    const first = all.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    return first === -1 ? [] : all.slice(first);
}

async function problemsOfCommand([program = "", ...args]: string[], folder: string): Promise<string[]> {
    const plain = args.filter((arg) => !arg.startsWith("-"));
    switch (program) {
        case "npm": {
            const isRun = plain[0] === "run";
            const script = isRun ? plain[1] : plain[0] === "test" ? "test" : undefined;
            return script === undefined || scripts().has(script) || scripts(folder).has(script)
                ? []
                : [`there is no npm script ${script}`];
        }
        case "cd":
            return pathProblems(plain[0], folder);
        case "node":
        case "cat":
            if (args[0] === "-p" || args[0] === "-e") return [];
            return plain[0] === undefined || /^[<$]/.test(plain[0]) ? [] : pathProblems(plain[0], folder);
        case "npx":
            return npxProblems(args);
        case "pulumi":
            return pulumiProblems(args);
        default:
            return [];
    }
}

/** Of the repository, or of an example by its folder. */
function scripts(folder = ""): Set<string> {
    const file = join(repository, folder, "package.json");
    if (!existsSync(file)) return new Set();
    const { scripts = {} } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: object };
    return new Set(Object.keys(scripts));
}

/** Paths are from the repository's root or from the folder of the page. */
function pathProblems(path: string | undefined, folder: string): string[] {
    if (path === undefined || /^[~$<-]/.test(path)) return [];
    const exists = ["", folder].some((from) => existsSync(join(repository, from, path)));
    return exists ? [] : [`there is no ${path}`];
}

async function npxProblems([name = "", ...args]: string[]): Promise<string[]> {
    if (name !== "pulumi-videograph" && name !== "videograph-emulator") return [];
    const folder = name === "pulumi-videograph" ? "provider" : "emulator";
    const general = await help(process.execPath, [join(repository, folder, "bin", `${name}.js`), "--help"]);
    const [command] = args;
    if (name === "pulumi-videograph" && command !== undefined && !command.startsWith("-")) {
        if (!new RegExp(`^ +${command} `, "m").test(general)) return [`${name} has no command ${command}`];
        const text = await help(process.execPath, [join(repository, folder, "bin", `${name}.js`), command, "--help"]);
        return optionProblems(`${name} ${command}`, args, text);
    }
    return optionProblems(name, args, general);
}

const plugin = join(repository, "provider", "plugin", "pulumi-resource-videograph");

async function pulumiProblems(args: string[]): Promise<string[]> {
    if (args[0] === "do") {
        const env = { ...(await pulumiEnvironment()), PULUMI_EXPERIMENTAL: "true" };
        const command = args.slice(1).filter((arg) => /^(videograph:\w+|[a-z]+)$/.test(arg));
        const text = await help("pulumi", ["do", "--package", plugin, ...command.slice(0, 2), "--help"], env);
        if (command.length > 0 && !text.includes(`pulumi do ${command.slice(0, 2).join(" ")} `))
            return [`there is no ${args.join(" ")}`];
        return optionProblems(`pulumi do ${command[0]}`, args, text);
    }
    const at = args.findIndex((arg) => arg.startsWith("-"));
    const plain = at === -1 ? args : args.slice(0, at);
    // "pulumi config set" is a command with a command; what else stands there are its arguments.
    const command = plain.slice(0, ["config", "stack", "state", "plugin", "package"].includes(plain[0] ?? "") ? 2 : 1);
    const text = await help("pulumi", [...command, "--help"], await pulumiEnvironment());
    const usage = command.filter((word) => /^[a-z-]+$/.test(word)).join(" ");
    if (!new RegExp(`^ +pulumi ${usage}\\b|^Aliases:\\n.*\\b${command.at(-1)}\\b`, "m").test(text))
        return [`there is no command pulumi ${usage}`];
    return optionProblems(`pulumi ${usage}`, args, text);
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
function help(program: string, args: string[], env = process.env): Promise<string> {
    const key = [program, ...args].join(" ");
    const known = helpTexts.get(key);
    if (known !== undefined) return known;
    const text = run(program, args, { env }).then(
        ({ stdout, stderr }) => stdout + stderr,
        ({ stdout = "", stderr = "" }) => stdout + stderr,
    );
    helpTexts.set(key, text);
    return text;
}

let environment: Promise<NodeJS.ProcessEnv> | undefined;

/** To run the CLI with. It is looked for once. */
function pulumiEnvironment(): Promise<NodeJS.ProcessEnv> {
    environment ??= findPulumi();
    return environment;
}

async function findPulumi(): Promise<NodeJS.ProcessEnv> {
    const { folder } = await obtainPulumiCli();
    const path = [folder, process.env.PATH].join(delimiter);
    return { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" };
}
