/**
 * Does what a page says, as a reader would: writes the files that its blocks are, and types the lines of its shell blocks into
 * one shell, one after the other. A line that fails ends it, with the page and the line.
 */
import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { hasEnded } from "../support/processes.ts";
import { linesOf } from "./checkShell.ts";
import type { CodeBlock } from "./markdown.ts";

export interface TypistOptions {
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    /** What a reader would put in place of `<access token id>` and the like. */
    readonly values?: Readonly<Record<string, string>>;
    /** What differs from a reader's machine: changes a line before it is typed, or a file before it is written. */
    readonly edit?: (text: string) => string;
    /** Lines that run in a terminal of their own, such as a server's. Resolves when the next line can be typed. */
    readonly ownTerminal?: (line: string) => Promise<void> | undefined;
}

const endOfLine = "typed-line-ended-with";

export class Typist {
    readonly #options: TypistOptions;
    readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
    readonly #lines: AsyncIterator<string>;

    constructor(options: TypistOptions) {
        this.#options = options;
        this.#shell = spawn("bash", ["--noprofile", "--norc"], {
            cwd: options.folder,
            env: { ...options.env },
            stdio: ["pipe", "pipe", "inherit"],
        });
        // Both streams in one, in the order that a reader would see.
        this.#shell.stdin.write("exec 2>&1\n");
        this.#lines = createInterface(this.#shell.stdout)[Symbol.asyncIterator]();
    }

    /** Does what these blocks say, in their order. Resolves with everything that was printed. */
    async follow(blocks: readonly CodeBlock[]): Promise<string> {
        let output = "";
        for (const block of blocks) {
            if (block.file !== undefined)
                await writeFile(join(this.#options.folder, block.file), this.#edit(block.text));
            else if (block.language === "sh") output += await this.#type(block);
        }
        return output;
    }

    /** Types one line that no page has. */
    async line(line: string): Promise<string> {
        const { code, output } = await this.#run(line);
        assert.equal(code, 0, `\`${line}\` failed and printed:\n${output}`);
        return output;
    }

    /** Types a line that has to fail. */
    async fails(line: string): Promise<string> {
        const { code, output } = await this.#run(line);
        assert.notEqual(code, 0, `\`${line}\` should have failed, and printed:\n${output}`);
        return output;
    }

    async close(): Promise<void> {
        this.#shell.stdin.end();
        if (!hasEnded(this.#shell)) await once(this.#shell, "exit");
    }

    async #type({ page, line, text }: CodeBlock): Promise<string> {
        let output = "";
        for (const [at, written] of linesOf(text)) {
            if (written.trim() === "") continue;
            const place = `${page}:${line + 1 + at}`;
            const typed = this.#edit(this.#filledIn(written, place));
            const terminal = this.#options.ownTerminal?.(typed);
            if (terminal !== undefined) {
                await terminal;
                continue;
            }
            const result = await this.#run(typed);
            assert.equal(result.code, 0, `${place}: \`${typed}\` failed and printed:\n${result.output}`);
            output += result.output;
        }
        return output;
    }

    async #run(line: string): Promise<{ code: number; output: string }> {
        // In this shell, so that variables and folders stay; without its input, which is what is still to be typed.
        this.#shell.stdin.write(`{ ${line}\n} < /dev/null\n__code=$?; echo; echo ${endOfLine} $__code\n`);
        let output = "";
        for (;;) {
            const { value, done } = await this.#lines.next();
            if (done) throw new Error(`The shell ended after \`${line}\`, which printed:\n${output}`);
            const [, code] = value.startsWith(endOfLine) ? value.split(" ") : [];
            if (code !== undefined) return { code: Number(code), output };
            output += `${value}\n`;
        }
    }

    #filledIn(line: string, place: string): string {
        return line.replaceAll(/<([^<>&|$"']+)>/g, (placeholder, name: string) => {
            const value = this.#options.values?.[name];
            assert.ok(value !== undefined, `${place}: nobody knows what to type for ${placeholder}`);
            return value;
        });
    }

    #edit(text: string): string {
        return this.#options.edit?.(text) ?? text;
    }
}
