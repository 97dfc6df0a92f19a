/** The commands of `pulumi-videograph`: finds one, runs it, and turns errors into one paragraph and an exit code. */
import { correction } from "#provider/inputs/validate";
import { messageFrom } from "#provider/messages/index";
import { version } from "#provider/session/pluginSource";
import { adopt } from "./adopt/command";
import { type Command, exitCodes, UsageError } from "./commandLine";
import { doctor } from "./doctor/command";
import { forget } from "./forget";
import { list } from "./list";
import { orphans } from "./orphans/command";
import { probe } from "./probe/command";
import { review } from "./review/command";
import type { Shell } from "./shell";

const commands: Readonly<Record<string, Command>> = { review, list, adopt, orphans, forget, doctor, probe };

const help = `Commands for a Videograph account managed with Pulumi.

Usage: npx pulumi-videograph <command> [options]

${Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
    .join("\n")}

  --help      show this text; after a command, the help of that command
  --version   show the version

The credentials come from the environment (VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY, VIDEOGRAPH_BASE_URL), or
else from the configuration of the selected stack (videograph:accessTokenId, videograph:secretKey, videograph:baseUrl).`;

/** Returns the exit code. */
export async function run([name = "--help", ...args]: string[], shell: Shell): Promise<number> {
    const { terminal } = shell;
    const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
    try {
        if (["--help", "-h", "help"].includes(name)) terminal.print(help);
        else if (name === "--version") terminal.print(version);
        else if (known === undefined) {
            const [what, names] = name.startsWith("-")
                ? [`option ${name} before a command`, ["--help", "--version"]]
                : [`command ${name}`, Object.keys(commands)];
            throw new UsageError(`There is no ${what}: correct it${correction(name, names)}.`);
        } else {
            if (!args.includes("--help") && !args.includes("-h")) return await known.run(args, shell);
            terminal.print(known.help);
        }
        return exitCodes.done;
    } catch (error) {
        const isUsage = error instanceof UsageError;
        terminal.error(isUsage ? error.message : messageFrom(error));
        if (!isUsage) return exitCodes.failed;
        terminal.note(`See npx pulumi-videograph ${known === undefined ? "" : `${name} `}--help.`);
        return exitCodes.usage;
    }
}
