/** The ways out that a message names, run as a person runs them: the text is taken from what was printed. */
import assert from "node:assert/strict";
import { runIn } from "../cli/support.ts";
import type { TestStack } from "./testStack.ts";

/** A shell's line: variables, then a program and its arguments. */
const pattern = /^((?:[A-Z_]+=\S+ )*)(pulumi|npx pulumi-videograph) (.+)$/;

/**
 * The commands that the printed message with this code advises, and the variables that it says to set, in their order; first those of a message
 * inside it.
 */
export function advised(printed: string, code: string): string[] {
    const line = printed.split("\n").find((one) => one.includes(`[${code}]`));
    assert.ok(line !== undefined, `${code} is not printed in\n${printed}`);
    const [text = "", more = ""] = line.split(`[${code}]`);
    // Some messages have a sentence after their code.
    const commands = [text, more].map(commandsIn).find((found) => found.length > 0) ?? [];
    assert.ok(commands.length > 0, `${code} advises nothing in\n${line}`);
    for (const command of commands) assert.ok(command.length <= 200, `${command} is too long for a line`);
    return commands;
}

/** The texts in backticks that a shell runs, and outside of them the variables with their values. */
export function commandsIn(text: string): string[] {
    return text.split("`").flatMap((part, index) => {
        if (index % 2 === 0) return part.match(/\b[A-Z]+_[A-Z_]+=[^\s.,]+/g) ?? [];
        return /^([A-Z_]+=\S+ )*(pulumi|npx) /.test(part) ? [part] : [];
    });
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
            // 3: it has found something.
            assert.ok(code === 0 || code === 3, stdout + stderr);
            return stdout + stderr;
        }
        const isRun = /^(up|refresh|destroy)$/.test(words[0] ?? "");
        const answers = isRun ? ["--yes", "--skip-preview"] : words[0] === "cancel" ? ["--yes"] : [];
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
