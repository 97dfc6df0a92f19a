/** The Pulumi CLI as a source of facts: which stack is selected, its configuration, its state. Changes nothing. */
import { execFile } from "node:child_process";
import type * as z from "zod";
import { messages } from "../messages";
import { CommandError } from "./commandLine";
import { parseJson } from "./json";
import type { Shell } from "./shell";

/** A state of a thousand resources has a few megabytes. */
const mostOutput = 2 ** 30;

/** The CLI did not do what it was asked for. */
export class PulumiError extends CommandError {}

/** Runs the CLI and gives what it prints. */
export function pulumi(shell: Shell, ...args: string[]): Promise<string> {
    const command = `pulumi ${args.join(" ")}`;
    return new Promise((resolve, reject) => {
        execFile(
            "pulumi",
            [...args, "--non-interactive", "--color", "never"],
            {
                cwd: shell.cwd,
                env: { ...shell.variables, PULUMI_SKIP_UPDATE_CHECK: "true" },
                maxBuffer: mostOutput,
                windowsHide: true,
            },
            (error, stdout, stderr) => {
                if (error === null) resolve(stdout);
                else if ("code" in error && error.code === "ENOENT")
                    reject(new PulumiError(messages.noPulumi({ command })));
                else reject(new PulumiError(messages.pulumiFailed({ command, said: said(stderr, error) })));
            },
        );
    });
}

/** As `pulumi`, for what it prints as JSON: `what` of this form. */
export async function pulumiJson<T>(shell: Shell, form: z.ZodType<T>, what: string, ...args: string[]): Promise<T> {
    const { data } = form.safeParse(parseJson(await pulumi(shell, ...args)));
    if (data !== undefined) return data;
    throw new CommandError(messages.unknownOutput({ command: `pulumi ${args.join(" ")}`, what }));
}

/** The CLI's own words on one line. It prints no secret with any command that is run here, but to stdout. */
function said(stderr: string, error: Error): string {
    const text = stderr
        .replace(/^\s*error:\s*/gm, "")
        .replace(/\s+/g, " ")
        .trim();
    if (text === "") return `it ended with ${"code" in error ? `code ${error.code}` : "a signal"}.`;
    return `${text.slice(0, 500).replace(/\.$/, "")}.`;
}
