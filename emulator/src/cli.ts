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
    emulator.onRefusedOrigin = (origin) =>
        console.error(
            `videograph-emulator: refused a web page of ${origin}, which its browser calls a CORS error. To allow it: --allow-origin ${origin}`,
        );
    addSeed?.(emulator);
    const variables = Object.entries(emulator.env).map(([name, value]) => `export ${name}='${value}'`);
    const keeping =
        options.stateFile === undefined
            ? "Nothing is kept when it ends. To keep objects and sources: --state <file>"
            : `Objects are kept in ${options.stateFile}`;
    process.stdout.write(
        `${emulator.url}\n\n${keeping}\n\nPoint the Videograph provider at it:\n${variables.join("\n")}\n\n` +
            `A video to try: ${emulator.sampleUrl()}\n`,
    );
    const stop = () => {
        emulator.close().then(
            () => process.exit(0),
            () => process.exit(1),
        );
    };
    // Nobody has stopped the emulator: it ends because its state file is gone.
    process.exitCode = 1;
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
}

main().catch((error: unknown) => {
    process.stderr.write(`videograph-emulator: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
});
