/** The repository's Markdown files, taken apart: code blocks, links, and the anchors that headings make. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import MarkdownIt, { type Token } from "markdown-it";

export const repository = join(import.meta.dirname, "..", "..");

export interface CodeBlock {
    /** The page's path from the repository's root. */
    readonly page: string;
    /** Where it begins, counted from 1. */
    readonly line: number;
    /** The info string of the fence, such as `ts`; empty when there is none. */
    readonly language: string;
    /** The file that the block is, where the paragraph before it ends with its name: "`index.ts`:". */
    readonly file?: string | undefined;
    /** The nearest heading before the block. */
    readonly section?: string;
    readonly text: string;
}

export interface Page {
    /** The path from the repository's root. */
    readonly path: string;
    readonly text: string;
    readonly blocks: readonly CodeBlock[];
    /** What stands in backticks inside a sentence. */
    readonly inlineCode: readonly string[];
    /** The targets of links and images, as written. */
    readonly links: readonly string[];
    readonly anchors: ReadonlySet<string>;
}

/** Every Markdown file that is in the repository or about to be. */
export function pages(): Page[] {
    const paths = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], {
        cwd: repository,
        encoding: "utf8",
    });
    return [...new Set(paths.split("\0"))].filter((path) => path !== "").map(readPage);
}

export function readPage(path: string): Page {
    return parsePage(path, readFileSync(join(repository, path), "utf8"));
}

export function parsePage(path: string, text: string): Page {
    const tokens = new MarkdownIt({ html: true }).parse(text, {});
    const blocks = tokens.flatMap((token, at) =>
        token.type === "fence" ? [blockOf(path, token, tokens.slice(0, at))] : [],
    );
    const inline = tokens.flatMap(({ children }) => children ?? []);
    const links = inline.flatMap((token) => {
        const target = token.attrGet("href") ?? token.attrGet("src");
        return target === null ? [] : [target];
    });
    const inlineCode = inline.filter(({ type }) => type === "code_inline").map(({ content }) => content);
    const headings = tokens.flatMap((token, at) =>
        token.type === "heading_open" ? [tokens[at + 1]?.children ?? []] : [],
    );
    // As GitHub makes them.
    const slugger = new GithubSlugger();
    const anchors = new Set(headings.map((heading) => slugger.slug(heading.map(({ content }) => content).join(""))));
    return { path, text, blocks, inlineCode, links, anchors };
}

function blockOf(page: string, { info, content, map }: Token, before: readonly Token[]): CodeBlock {
    const previous = before.at(-1)?.type === "paragraph_close" ? (before.at(-2)?.content ?? "") : "";
    const heading = before.findLastIndex(({ type }) => type === "heading_open");
    return {
        page,
        line: (map?.[0] ?? 0) + 1,
        language: info.trim(),
        file: /`([\w.-]+\.(?:ts|json|yaml))`:$/.exec(previous.trim())?.[1],
        section: before[heading + 1]?.content ?? "",
        text: content,
    };
}
