/** Runs a command in this process: the service in memory, in virtual time, and a Pulumi CLI that a test plays. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { CoreOptions, EmulatorCore } from "videograph-emulator/core";
import { CommandError } from "../../../provider/dist/cli/commandLine.js";
import { run } from "../../../provider/dist/cli/commands.js";
import { Terminal } from "../../../provider/dist/cli/terminal.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { parseExport } from "../../../provider/dist/session/stackExport.js";
import { Machine, tokens } from "../../support/machine.ts";

const [token] = tokens;

/** A folder, an account, and what lies around a command. */
export class World {
    readonly folder = mkdtempSync(join(tmpdir(), "videograph-cli-"));
    readonly machine: Machine;
    readonly core: EmulatorCore;
    readonly variables: NodeJS.ProcessEnv = {
        PATH: process.env.PATH,
        VIDEOGRAPH_ACCESS_TOKEN_ID: token?.id,
        VIDEOGRAPH_SECRET_KEY: token?.secret,
        VIDEOGRAPH_JOURNAL_DIR: join(this.folder, "journal"),
    };
    /** Whether a command makes its own transport, as outside of tests. */
    hasNetwork = false;
    /** What `pulumi <args>` prints, or what it fails with. It fails where nothing is here, too. */
    readonly printed: Record<string, string | Error> = {};

    constructor(options: CoreOptions = {}) {
        this.machine = new Machine(options);
        this.core = this.machine.core;
    }

    [Symbol.dispose](): void {
        rmSync(this.folder, { recursive: true });
    }

    write(name: string, text: string): void {
        writeFileSync(join(this.folder, name), text);
    }

    read(name: string): string {
        return readFileSync(join(this.folder, name), "utf8");
    }

    /** The folder is a project. */
    writeProject(more = "runtime: nodejs"): void {
        this.write("Pulumi.yaml", `name: shop\n${more}\n`);
    }

    run(...args: string[]) {
        return this.runWith("", ...args);
    }

    /** The same, with a text on the standard input. */
    async runWith(input: string, ...args: string[]) {
        const [stdin, stdout, stderr] = [stream(), stream(), stream()];
        if (input !== "") stdin.end(input);
        const { clock } = this.machine;
        const pulumi = async (...command: string[]) => {
            const failure = new CommandError(`pulumi ${command.join(" ")} failed` as Message);
            const printed = this.printed[command.join(" ")] ?? failure;
            if (printed instanceof Error) throw printed;
            return printed;
        };
        const exported = async (stack?: string) => {
            const text = await pulumi("stack", "export", ...(stack === undefined ? [] : ["--stack", stack]));
            return parseExport(text) ?? assert.fail();
        };
        const code = await this.machine.run(
            run(args, {
                ...{ cwd: this.folder, variables: this.variables, clock, stdin, pulumi, exported },
                pulumiEvenFailing: pulumi,
                terminal: new Terminal({ stdin, stdout, stderr, clock }),
                ...(!this.hasNetwork && { transport: this.machine.transport() }),
            }),
        );
        const said = { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
        for (const secret of tokens.map((one) => one.secret))
            if (JSON.stringify(said).includes(secret)) throw new Error(`The command shows a secret: ${secret}`);
        return said;
    }
}

const stream = () => new PassThrough({ encoding: "utf8", highWaterMark: 2 ** 24 });
