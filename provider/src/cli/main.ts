/** `pulumi-videograph`: finds the command, runs it, and turns what it throws into one paragraph and an exit code. */
import { messageFrom } from "../messages";
import { type Command, exitCodes, UsageError } from "./commandLine";
import { adoptHelp, doctorHelp, help, orphansHelp, probeHelp } from "./help";
import { packageVersion } from "./packageVersion";
import { realShell, type Shell } from "./shell";

/** Each is loaded when it runs: help should not wait for the client of the service. */
const commands: Readonly<Record<string, { help: string; load(): Promise<Command> }>> = {
    adopt: { help: adoptHelp, load: async () => (await import("./adopt/command.js")).adoptCommand },
    probe: { help: probeHelp, load: async () => (await import("./probe/command.js")).probeCommand },
    orphans: { help: orphansHelp, load: async () => (await import("./orphans/command.js")).orphansCommand },
    doctor: { help: doctorHelp, load: async () => (await import("./doctor/command.js")).doctorCommand },
};

export async function main(args: string[] = process.argv.slice(2), shell: Shell = realShell()): Promise<void> {
    // A reader that has seen enough, such as `head`, is no failure.
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "EPIPE") process.exit(exitCodes.done);
        throw error;
    });
    process.exitCode = await run(args, shell);
}

/** Names that commands once had. `import` is too easily taken for `pulumi import`. */
const aliases: Readonly<Record<string, string>> = { import: "adopt" };

async function run([given = "--help", ...args]: string[], shell: Shell): Promise<number> {
    const name = Object.hasOwn(aliases, given) ? (aliases[given] ?? given) : given;
    const { talk } = shell;
    try {
        if (name === "--version") {
            talk.print(packageVersion());
            return exitCodes.done;
        }
        if (["--help", "-h", "help"].includes(name)) {
            talk.print(help.trimEnd());
            return exitCodes.done;
        }
        const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
        if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
        if (args.includes("--help") || args.includes("-h")) {
            talk.print(command.help.trimEnd());
            return exitCodes.done;
        }
        return await (await command.load()).run(args, shell);
    } catch (error) {
        const isUsage = error instanceof UsageError;
        talk.error(isUsage ? error.message : messageFrom(error));
        if (!isUsage) return exitCodes.failed;
        talk.say(`See npx pulumi-videograph ${Object.hasOwn(commands, name) ? `${name} ` : ""}--help.`);
        return exitCodes.usage;
    }
}
