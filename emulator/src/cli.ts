/** `videograph-emulator`: the emulator as a program. */
import { parseCommandLine } from "./commandLine";
import { startEmulator } from "./index";

async function main(): Promise<void> {
    const { print, addSeed, options } = parseCommandLine(process.argv.slice(2));
    if (print !== undefined) {
        process.stdout.write(print);
        return;
    }
    const emulator = await startEmulator(options);
    addSeed?.(emulator);
    const variables = Object.entries(emulator.env).map(([name, value]) => `export ${name}='${value}'`);
    process.stdout.write(
        `${emulator.url}\n\nPoint the Videograph provider at it:\n${variables.join("\n")}\n\n` +
            `A video to try: ${emulator.sampleUrl()}\n`,
    );
    const stop = () => {
        emulator.close().then(
            () => process.exit(0),
            () => process.exit(1),
        );
    };
    // Unless the emulator is stopped, it ends only where it has lost its state file.
    process.exitCode = 1;
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
}

main().catch((error: unknown) => {
    process.stderr.write(`videograph-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
});
