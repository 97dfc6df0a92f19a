/** Compiles all TypeScript and JavaScript blocks in one go, each as a module of its own beside the page it stands on. */
import { dirname, join } from "node:path";
import ts from "typescript";
import { type CodeBlock, repository } from "./markdown.ts";

/** A part of @pulumi/aws, whose package is too large to be installed for this. */
const awsTypes = join(import.meta.dirname, "pulumiAws.d.ts");

const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
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
export function checkPrograms(blocks: readonly CodeBlock[]): string[] {
    const byFile = new Map<string, CodeBlock>();
    for (const [at, block] of blocks.entries()) {
        const file = fileOf(block, at);
        // Another page, or a later version of the file.
        byFile.set(byFile.has(file) ? fileOf({ ...block, file: undefined }, at) : file, block);
    }
    const host = ts.createCompilerHost(options);
    const onDisk = { fileExists: host.fileExists, readFile: host.readFile };
    host.fileExists = (file) => byFile.has(file) || onDisk.fileExists(file);
    host.readFile = (file) => byFile.get(file)?.text ?? onDisk.readFile(file);
    const program = ts.createProgram([...byFile.keys(), awsTypes], { ...options, rootDir: repository }, host);
    return [...byFile].flatMap(([file, block]) => {
        const source = program.getSourceFile(file);
        return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
            (diagnostic) => describe(block, source, diagnostic),
        );
    });
}

/** Beside its page, so that imports resolve as they would there; under its own name, where other blocks may import it. */
function fileOf({ page, line, language, file }: CodeBlock, at: number): string {
    return join(repository, dirname(page), file ?? `.block-${at}-line-${line}.${language}`);
}

function describe(block: CodeBlock, source: ts.SourceFile | undefined, { start, messageText }: ts.Diagnostic): string {
    const line = source === undefined || start === undefined ? 0 : source.getLineAndCharacterOfPosition(start).line;
    return `${block.page}:${block.line + 1 + line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
}
