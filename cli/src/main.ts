/** `pulumi-videograph`: the process, which the build makes one file of. */
import { systemClock } from "#provider/api/clock";
import { stateExporter } from "#provider/session/stateExporter";
import { exitCodes } from "./commandLine";
import { run } from "./commands";
import { commandVariables, runPulumi } from "./pulumi";
import { Terminal } from "./terminal";

export async function main(): Promise<void> {
    const { argv, stdin, stdout, stderr, env: variables } = process;
    const place = { cwd: process.cwd(), variables };
    const terminal = new Terminal({ stdin, stdout, stderr, clock: systemClock });
    stdout.on("error", (error: NodeJS.ErrnoException) => {
        // A reader that stops early, such as `head`, is not a failure.
        if (error.code === "EPIPE") process.exit(exitCodes.done);
        terminal.error(`The output could not be written: ${error.message}.`);
        process.exit(exitCodes.failed);
    });
    const pulumi = (...args: string[]) => runPulumi(place, args);
    const pulumiEvenFailing = (...args: string[]) => runPulumi(place, args, { evenFailing: true });
    const findCli = async () => ({ executable: "pulumi", cwd: place.cwd });
    const exported = stateExporter({ findCli, env: commandVariables(variables), clock: systemClock });
    process.exitCode = await run(argv.slice(2), {
        ...{ ...place, clock: systemClock, terminal, stdin, pulumi, pulumiEvenFailing, exported },
    });
}
