/** The Pulumi CLI as a source of facts. Changes nothing. */
import { execFile } from "node:child_process";
import { parseJson } from "#provider/api/json";
import { cliVariables, maxOutputBytes } from "#provider/session/pulumiCommand";
import { CommandError } from "./commandLine";
import { messages } from "./messages";
import type { Shell } from "./shell";

/** `evenFailing`: the output of a run that fails counts too, if it has one. */
export function runPulumi(
    { cwd, variables }: Pick<Shell, "cwd" | "variables">,
    args: string[],
    { evenFailing = false } = {},
): Promise<string> {
    const command = `pulumi ${args.join(" ")}`;
    // Which stack is meant, and where it is, is the same for all of the user's commands.
    const { PULUMI_OPTION_STACK, PULUMI_OPTION_CWD } = variables;
    const env = { ...cliVariables(variables), PULUMI_OPTION_STACK, PULUMI_OPTION_CWD };
    const options = { cwd, env, maxBuffer: maxOutputBytes, windowsHide: true };
    return new Promise((done, failed) => {
        execFile("pulumi", [...args, "--non-interactive", "--color", "never"], options, (error, stdout, stderr) => {
            if (error === null || (evenFailing && stdout.trim() !== "")) done(stdout);
            else if (error.code === "ENOENT") failed(new CommandError(messages.noPulumi({ command })));
            else failed(new CommandError(messages.pulumiFailed({ command, said: errorText(stderr || error.message) })));
        });
    });
}

/** The output as `parse` reads it, which gives `undefined` for a form that it does not know. `what`: the output's name in messages. */
export async function pulumiOutput<T>(
    shell: Shell,
    parse: (text: string) => T | undefined,
    what: string,
    ...args: string[]
): Promise<T> {
    const output = parse(await shell.pulumi(...args));
    if (output !== undefined) return output;
    throw new CommandError(messages.unknownOutput({ command: `pulumi ${args.join(" ")}`, what }));
}

/** The function that reads JSON of a form. */
export function parseJsonAs<T>(isOfForm: (value: unknown) => boolean): (text: string) => T | undefined {
    return (text) => {
        const value = parseJson(text);
        return isOfForm(value) ? (value as T) : undefined;
    };
}

/** The CLI's own words on one line. They contain no secret: the CLI prints secrets only to stdout. */
function errorText(text: string): string {
    const line = text
        .replace(/^\s*error:\s*/gm, "")
        .trim()
        .replace(/\s+/g, " ");
    return `${line.slice(0, 500).replace(/\.$/, "")}.`;
}
