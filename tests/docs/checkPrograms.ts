/** Compiles all TypeScript and JavaScript blocks in one go, each as a module of its own beside the page it stands on. */
import { execFile } from "node:child_process";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type CodeBlock, repository } from "./markdown.ts";

/** A part of @pulumi/aws, whose package is too large to be installed for this. */
const awsTypes = join(import.meta.dirname, "pulumiAws.d.ts");
const compiler = join(repository, "node_modules", "@typescript", "native-preview", "bin", "tsgo");

export const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    moduleDetection: "force",
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    // What another command writes cannot be found here.
    noUncheckedSideEffectImports: false,
    types: ["node", "mocha"],
};

/** What is wrong, as "page:line: message". */
export async function checkPrograms(blocks: readonly CodeBlock[]): Promise<string[]> {
    const byFile = new Map<string, CodeBlock>();
    for (const [at, block] of blocks.entries()) {
        const file = fileOf(block, at);
        // Another page, or a later version of the file.
        byFile.set(byFile.has(file) ? fileOf({ ...block, file: undefined }, at) : file, block);
    }
    // Inside the repository, where packages are found.
    await mkdir(join(repository, ".tmp"), { recursive: true });
    await using temporary = await mkdtempDisposable(join(repository, ".tmp", "programs-"));
    const folder = temporary.path;
    for (const [file, { text }] of byFile) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), text);
    }
    // As if both were one folder: a block imports its other files, and those of the repository.
    const options = { ...compilerOptions, rootDirs: [folder, repository] };
    const found = await compile(folder, { compilerOptions: options, files: [...byFile.keys(), awsTypes] });
    const described = [...byFile].flatMap(([file, { page, line }]) =>
        found
            .filter((problem) => problem.file === file)
            .map((problem) => `${page}:${line + problem.line}: ${problem.message}`),
    );
    return [...described, ...found.filter(({ file }) => !byFile.has(file)).map(({ message }) => message)];
}

interface Problem {
    /** Empty where it is none of a file's. */
    readonly file: string;
    readonly line: number;
    readonly message: string;
}

/** What the native compiler says of a project: it takes a fifth of the time of the one in JavaScript. */
export async function compile(folder: string, config: object): Promise<Problem[]> {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const args = [compiler, "--project", folder, "--pretty", "false"];
    const output = await new Promise<string>((resolve, reject) => {
        execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
            // It fails with what it says; silent, it has not compiled.
            if (error !== null && stdout + stderr === "") reject(error);
            else resolve(stdout + stderr);
        });
    });
    // The details of a message are indented.
    const messages = output.split(/\n(?! )/).filter((text) => text !== "");
    return messages.map((text) => {
        const [, file = "", line = "0", message = text] = /^(.+)\((\d+),\d+\): (.*)$/s.exec(text) ?? [];
        return { file: file.replaceAll("/", sep), line: Number(line), message: message.replaceAll(/\s+/g, " ") };
    });
}

/** Beside its page, so that imports resolve as they would there; under its own name, where other blocks may import it. */
function fileOf({ page, line, language, file }: CodeBlock, at: number): string {
    return join(dirname(page), file ?? `.block-${at}-line-${line}.${language}`);
}
