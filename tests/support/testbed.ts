/** What a file of end-to-end tests needs: the CLI, an emulator, videos, and stacks that are gone after their test. */
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { obtainPulumiCli, type PulumiCli } from "../../tools/pulumiCli/index.ts";
import { type MediaServer, startMediaServer } from "./media.ts";
import type { Face } from "./projectFolder.ts";
import { TestStack } from "./testStack.ts";

export interface Testbed {
    readonly emulator: Emulator;
    readonly media: MediaServer;
    readonly cli: PulumiCli;
    /** A new stack that points at the emulator, with a program of that face; by default, of the testbed's. */
    stack(program: string, face?: Face): Promise<TestStack>;
}

interface TestbedOptions extends EmulatorOptions {
    /**
     * How many times faster the provider's clock goes, and the emulator's: for waits of a minute that are nothing but waits. Runs of
     * the CLI, requests and `ms` of faults take as long as ever.
     */
    readonly speed?: number;
    /** Elsewhere nobody tells which processes a run has: the tests are skipped. */
    readonly onLinux?: boolean;
}

/** The secret of the emulator's token: odd enough to be found wherever it leaks, in any encoding. */
const secretKey = "e2e secret/key+%=9f3b";

let cliOfProcess: Promise<PulumiCli> | undefined;

/** The CLI of the tests. To look for it is to run it: one look serves all files of a process. */
export function testedCli(): Promise<PulumiCli> {
    cliOfProcess ??= obtainPulumiCli();
    return cliOfProcess;
}

/** Registers the hooks; what it returns can be used in tests and hooks. */
export function useTestbed(
    { speed = 1, onLinux = false, ...options }: TestbedOptions = {},
    ownFace: Face = "dynamic",
): Testbed {
    const start = Date.now();
    let cli: PulumiCli;
    let emulator: Emulator;
    let media: MediaServer;
    const stacks: TestStack[] = [];

    before("the Pulumi CLI, an emulator and videos", async function () {
        if (onLinux && process.platform !== "linux") return this.skip();
        cli = await testedCli();
        media = await startMediaServer();
        emulator = await startEmulator({
            tokens: [{ id: "e2e-token", secret: secretKey, environmentId: 1 }],
            processingTimeMs: 200,
            deletingTimeMs: 200,
            now: () => start + (Date.now() - start) * speed,
            ...options,
        });
    });
    after(async () => {
        await emulator?.close();
        await media?.[Symbol.asyncDispose]();
    });
    beforeEach(() => {
        // Set by `heldCreates`.
        Reflect.deleteProperty(emulator, "begin");
        emulator.reset();
    });
    afterEach(async () => {
        await Promise.all(stacks.splice(0).map((stack) => stack.dispose()));
    });

    return {
        get emulator() {
            return emulator;
        },
        get media() {
            return media;
        },
        get cli() {
            return cli;
        },
        async stack(program, face = ownFace) {
            const secrets = () => [secretKey, ...emulator.livestreams().map(({ streamKey }) => streamKey)];
            const stack = await TestStack.create({
                cli,
                face,
                env: { ...emulator.env, ...(speed !== 1 && { TEST_CLOCK: `${speed}@${start}` }) },
                secrets,
            });
            stacks.push(stack);
            await stack.program(program);
            return stack;
        },
    };
}
