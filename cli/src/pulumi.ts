/** The Pulumi CLI as a source of facts. Changes nothing. */
import { execFile } from "node:child_process";
import type * as z from "zod";
import { parseJson } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { CommandError } from "./commandLine";
import type { Shell } from "./shell";

/** A state of a thousand resources has a few megabytes. */
const mostOutput = 2 ** 30;

export function runPulumi({ cwd, variables }: Pick<Shell, "cwd" | "variables">, args: string[]): Promise<string> {
    const command = `pulumi ${args.join(" ")}`;
    const env = { ...variables, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env, maxBuffer: mostOutput, windowsHide: true };
    return new Promise((done, failed) => {
        execFile("pulumi", [...args, "--non-interactive", "--color", "never"], options, (error, stdout, stderr) => {
            if (error === null) done(stdout);
            else if (error.code === "ENOENT") failed(new CommandError(messages.noPulumi({ command })));
            else failed(new CommandError(messages.pulumiFailed({ command, said: said(stderr, error) })));
        });
    });
}

/** The output as JSON of this form. `what`: its name in messages. */
export async function pulumiJson<T>(shell: Shell, form: z.ZodType<T>, what: string, ...args: string[]): Promise<T> {
    const { data } = form.safeParse(parseJson(await shell.pulumi(...args)));
    if (data !== undefined) return data;
    throw new CommandError(messages.unknownOutput({ command: `pulumi ${args.join(" ")}`, what }));
}

/** The CLI's own words on one line. Only to stdout does it print a secret. */
function said(stderr: string, error: { code?: unknown }): string {
    const text = stderr
        .replace(/^\s*error:\s*/gm, "")
        .replace(/\s+/g, " ")
        .trim();
    if (text === "") return `it ended with ${"code" in error ? `code ${error.code}` : "a signal"}.`;
    return `${text.slice(0, 500).replace(/\.$/, "")}.`;
}
