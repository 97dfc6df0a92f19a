/** The Pulumi CLI as a source of facts. Changes nothing. */
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { parseJson } from "#provider/api/json";
import { asClause } from "#provider/messages/index";
import { CliFailure, cliVariables, runCli } from "#provider/session/pulumiCommand";
import { CommandError } from "./commandLine";
import { messages } from "./messages";
import type { Shell } from "./shell";

/** `evenFailing`: a run that fails after it has printed something counts as well. A preview with an error prints a plan. */
export async function runPulumi(
    { cwd, variables }: Pick<Shell, "cwd" | "variables">,
    args: string[],
    { evenFailing = false } = {},
): Promise<string> {
    const command = `pulumi ${args.join(" ")}`;
    try {
        return await runCli({ executable: "pulumi", cwd }, args, { env: commandVariables(variables) }, text);
    } catch (error) {
        if (!(error instanceof CliFailure)) throw error;
        const { output } = error;
        if (evenFailing && typeof output === "string" && output.trim() !== "") return output;
        if (error.why === "missing") throw new CommandError(messages.noPulumi({ command }));
        throw new CommandError(messages.pulumiFailed({ command, said: `${asClause(error.message)}.` }));
    }
}

/** The variables for a CLI that this command starts. They name the same stack and backend as the user's own commands. */
export function commandVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const { PULUMI_OPTION_STACK, PULUMI_OPTION_CWD } = variables;
    return { ...cliVariables(variables), PULUMI_OPTION_STACK, PULUMI_OPTION_CWD };
}

/** The parsed output. `parse` returns `undefined` for a form that it does not know. `what`: what messages call the output. */
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

/** A parser for JSON that the schema takes. It gives `undefined` for any other text. */
export function parseJsonAs<T>(schema: z.ZodMiniType<T>): (text: string) => T | undefined {
    return (text) => z.safeParse(schema, parseJson(text)).data;
}
