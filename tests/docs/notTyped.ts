/** The lines of the documentation that typedPages.test.ts does not type, each with the reason. All others are typed. */
import { linesOf } from "./checkShell.ts";
import { type CodeBlock, type Page, pages } from "./markdown.ts";

interface Exception {
    readonly page?: RegExp;
    readonly line?: RegExp;
    readonly reason: string;
}

const notTyped: readonly Exception[] = [
    { line: /^gh |^git (push|revert) /, reason: "needs GitHub; tests/examples/gitops.test.ts runs the workflows" },
    {
        line: /^kubectl /,
        reason: "needs a cluster; tests/examples/ checks the manifests against the operator's schema",
    },
    {
        page: /^emulator\/README\.md$/,
        reason: "needs Docker; tests/package/image.test.ts does what the Dockerfile says",
    },
    {
        page: /^examples\/quickstart-(csharp|go|python|yaml)\//,
        reason: "needs a published release; tests/native/languages.test.ts runs them with the plugin of this repository",
    },
    { line: /^npm ci && npm run demo$/, reason: "builds this repository; tests/e2e/examples.test.ts runs the script" },
    {
        line: /^pulumi import videograph:index:/,
        reason: "prints a program, for which the tests' language host is too old; tests/native/languages.test.ts imports without it",
    },
    {
        page: /^docs\/guides\/resource-options\.md$/,
        reason: "tests/e2e/optionsPage.test.ts runs its programs, tests/native/do.test.ts the verbs of `pulumi do`",
    },
    {
        line: /^VIDEOGRAPH_UNRECORDED=\S+ pulumi up$|^npx pulumi-videograph forget <entry>$/,
        reason: "the ways out of a refusal; tests/e2e/law*.test.ts and contentLibraryMoves.test.ts take them",
    },
    {
        page: /^docs\/guides\/libraries\.md$/,
        line: /^npx pulumi-videograph adopt --library$|^pulumi stack export \| jq /,
        reason: "tests/e2e/contentLibraryMoves.test.ts adopts and moves; jq may not be there",
    },
    {
        line: /^pulumi package gen-sdk /,
        reason: "needs a newer language host; tests/native/languages.test.ts has SDKs by the same generators",
    },
    { line: /^pulumi package add /, reason: "needs a published release" },
    {
        page: /^docs\/guides\/moving-stacks\.md$/,
        line: /^pulumi (stack export|stack import|stack init production|login)|^pulumi preview --expect-no-changes$/,
        reason: "moves to another backend",
    },
];

/** The pages that users read, without those about the inside of the package. */
const documentation =
    /^(README\.md|docs\/(?!internals\/).*|examples\/.*|(provider|emulator)\/README\.md|provider\/SKILL\.md)$/;

/** Every line that has to be typed, as `page:line`, with its text. */
export function linesToType(): ReadonlyMap<string, string> {
    const lines = new Map<string, string>();
    for (const { path, blocks } of pages().filter(({ path }) => documentation.test(path))) {
        for (const { line, text } of blocks.filter(({ language }) => language === "sh")) {
            for (const [at, written] of linesOf(text)) {
                if (written.trim() !== "" && !isException(path, written))
                    lines.set(`${path}:${line + 1 + at}`, written);
            }
        }
    }
    return lines;
}

/** The shell lines of a page that are typed, one block each. */
export function typable({ path, blocks }: Page): CodeBlock[] {
    return blocks
        .filter(({ language }) => language === "sh")
        .flatMap((block) =>
            linesOf(block.text)
                .filter(([, text]) => text.trim() !== "" && !isException(path, text))
                .map(([at, text]) => ({ ...block, line: block.line + at, text })),
        );
}

function isException(path: string, written: string): boolean {
    return notTyped.some(({ page, line }) => (page?.test(path) ?? true) && (line?.test(written) ?? true));
}
