/** `pulumi-videograph`: finds the command, runs it, and turns errors into one paragraph and an exit code. */
import { messageFrom } from "#provider/messages/index";
import { type Command, exitCodes, packageVersion, UsageError } from "./commandLine";
import { adoptHelp, doctorHelp, forgetHelp, help, orphansHelp, probeHelp } from "./help";
import { realShell, type Shell } from "./shell";

/** Each is loaded when it runs: help should not wait for the client of the service. */
const commands: Readonly<Record<string, { help: string; load(): Promise<Command> }>> = {
    adopt: { help: adoptHelp, load: async () => (await import("./adopt/command.js")).adopt },
    orphans: { help: orphansHelp, load: async () => (await import("./orphans/command.js")).orphans },
    forget: { help: forgetHelp, load: async () => (await import("./forget.js")).forget },
    doctor: { help: doctorHelp, load: async () => (await import("./doctor/command.js")).doctor },
    probe: { help: probeHelp, load: async () => (await import("./probe/command.js")).probe },
};

export async function main(args: string[] = process.argv.slice(2), shell: Shell = realShell()): Promise<void> {
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
        // A reader that stops early, such as `head`, is not a failure.
        if (error.code === "EPIPE") process.exit(exitCodes.done);
        shell.terminal.error(`The output could not be written: ${error.message}.`);
        process.exit(exitCodes.failed);
    });
    process.exitCode = await run(args, shell);
}

async function run([name = "--help", ...args]: string[], shell: Shell): Promise<number> {
    const { terminal } = shell;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const isAskedForHelp = ["--help", "-h", "help"].includes(name) || args.includes("--help") || args.includes("-h");
    try {
        if (name === "--version") terminal.print(packageVersion());
        else if (isAskedForHelp && (command !== undefined || !/^\w/.test(name) || name === "help")) {
            terminal.print((command?.help ?? help).trimEnd());
        } else if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
        else return await (await command.load())(args, shell);
        return exitCodes.done;
    } catch (error) {
        const isUsage = error instanceof UsageError;
        terminal.error(isUsage ? error.message : messageFrom(error));
        if (!isUsage) return exitCodes.failed;
        terminal.note(`See npx pulumi-videograph ${command === undefined ? "" : `${name} `}--help.`);
        return exitCodes.usage;
    }
}
