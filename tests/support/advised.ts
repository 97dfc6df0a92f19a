/** The ways out that a message names, run as a person runs them: the text is taken from what was printed. */
import assert from "node:assert/strict";
import { runIn } from "../cli/support.ts";
import type { TestStack } from "./testStack.ts";

/** A shell's line: variables, then a program and its arguments. */
const pattern = /^((?:[A-Z_]+=\S+ )*)(pulumi|npx pulumi-videograph) (.+)$/;

/** The commands that the printed message with this code advises, and the variables that it says to set, in their order. */
export function advised(printed: string, code: string): string[] {
    const end = printed.indexOf(`[${code}]`);
    assert.ok(end >= 0, `${code} is not printed in\n${printed}`);
    const before = printed.slice(0, end);
    // Of the same line; a message inside it ends with a code of its own.
    const [text = ""] = before.split(/\n|\[VG\d{4}\]/).slice(-1);
    const commands = text.match(/`(?:[A-Z_]+=\S+ )*(?:pulumi|npx) [^`]+`|\b[A-Z]+_[A-Z_]+=[^\s`.,]+(?![^`]*`)/g) ?? [];
    assert.ok(commands.length > 0, `${code} advises nothing in\n${text}`);
    for (const command of commands) assert.ok(command.length <= 202, `${command} is too long for a line`);
    return commands.map((command) => command.replaceAll("`", ""));
}

/** Runs a command in the stack's folder, with the answers that a terminal would ask for; it has to end well. Returns what it prints. */
export async function obey(stack: TestStack, command: string): Promise<string> {
    const [, variables = "", program, line = ""] = pattern.exec(command) ?? assert.fail(`No command: ${command}`);
    const words = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [];
    const set = variables
        .trim()
        .split(" ")
        .filter(Boolean)
        .map((one) => one.split("=") as [string, string]);
    return await withVariables(stack, Object.fromEntries(set), async () => {
        if (program !== "pulumi") {
            const { code, stdout, stderr } = await runIn(stack, ...words);
            assert.equal(code, 0, stdout + stderr);
            return stdout + stderr;
        }
        const answers = /^(up|refresh|destroy)$/.test(words[0] ?? "") ? ["--yes", "--skip-preview"] : [];
        return (await stack.run(...words, ...answers)).output;
    });
}

/** What runs while the user has set these variables. */
export async function withVariables<T>(
    stack: TestStack,
    variables: Readonly<Record<string, string>>,
    body: () => Promise<T>,
): Promise<T> {
    const before = { ...stack.env };
    Object.assign(stack.env, variables);
    try {
        return await body();
    } finally {
        for (const name of Object.keys(variables)) stack.env[name] = before[name];
    }
}
