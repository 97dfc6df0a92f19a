/**
 * The life of a stack on one machine or several, without the CLI: the program, what the state records, and runs that call the hosts as the engine
 * does. For the ways out of messages, which are tried with thousands of objects.
 */
import assert from "node:assert/strict";
import { Journal } from "../../provider/dist/evidence/journal.js";
import { metaOf } from "../../provider/dist/inputs/recordedMeta.js";
import { messageOf } from "../../provider/dist/messages/index.js";
import { advised } from "./advised.ts";
import { Machine, type Made, type Properties, type Said, stateOf, urnOf } from "./machine.ts";
import { memoryFiles } from "./memoryFiles.ts";

type Kind = "Content" | "Livestream" | "Clip" | "ContentLibrary";
type Variables = Record<string, string>;

interface Run {
    /** All that people see. */
    text: string;
    /** Why it failed. */
    errors: string[];
}

export class Life {
    readonly machine: Machine;
    /** The state, by URN. */
    readonly rows = new Map<string, Made>();
    program: Record<string, [Kind, Properties]> = {};
    token = "first";
    timeouts: Record<string, number> = {};
    /** What the state says besides its records. */
    said: Said = {};

    constructor(machine = new Machine()) {
        this.machine = machine;
        machine.state = (urn, kind) => {
            const own = this.rows.get(urn);
            const rows = own !== undefined && metaOf(own.outputs).unconfirmed ? [own] : [];
            const has = [...this.rows.values()].map(({ id }) => id);
            return stateOf({ rows, has, urns: [urn], ...this.said })(urn, kind);
        };
    }

    urn(name: string): string {
        const [kind = "Content"] = this.program[name] ?? [];
        return urnOf(name, kind);
    }

    id(name: string): string {
        return this.rows.get(this.urn(name))?.id ?? assert.fail(`The state has no ${name}`);
    }

    /** All objects of the service. */
    get objects(): string[] {
        const { core } = this.machine;
        return [...this.machine.ids, ...core.livestreams().map(({ streamUUID }) => streamUUID)];
    }

    /** `pulumi up`; `replace`: of this resource in any case. */
    async up(variables: Variables = {}, { refresh = false, replace = "" } = {}): Promise<Run> {
        const process = this.machine.start(this.token, variables);
        const errors = refresh ? await this.#refresh(process) : [];
        const leaving: [string, Made][] = [];
        for (const [name, [kind, inputs]] of Object.entries(this.program)) {
            const [urn, host] = [this.urn(name), process.host(kind)];
            const [call, row] = [{ urn, timeouts: this.timeouts }, this.rows.get(urn)];
            try {
                const { problems } = await host.check({ urn, news: inputs, ...(row && { olds: row.outputs }) });
                if (problems.length > 0) throw new Error(problems.join("\n"));
                const planned = row === undefined ? "create" : (await process.diff(row, inputs, call, host)).kind;
                const step = replace === urn ? "replace" : planned;
                if (step === "none") continue;
                const made =
                    step === "update" && row !== undefined
                        ? await process.update(row, inputs, call, host)
                        : await process.create(inputs, call, host);
                if (step === "replace" && row !== undefined) leaving.push([urn, row]);
                this.rows.set(urn, made);
                if (made.failed !== undefined) errors.push(made.failed);
            } catch (error) {
                errors.push(messageOf(error));
            }
        }
        const declared = Object.keys(this.program).map((name) => this.urn(name));
        const removed = [...this.rows].filter(([urn]) => !declared.includes(urn));
        if (errors.length === 0)
            for (const [urn, row] of [...leaving, ...removed]) {
                await process.delete(row, { urn }, process.host(urn.split(":").at(-3)?.split("/").at(-1) as Kind));
                if (this.rows.get(urn) === row) this.rows.delete(urn);
            }
        return this.#ended(process, errors);
    }

    async refresh(variables: Variables = {}): Promise<Run> {
        const process = this.machine.start(this.token, variables);
        return this.#ended(process, await this.#refresh(process));
    }

    /** A run whose process does what the engine does not do by itself. */
    async calling(body: (process: ReturnType<Machine["start"]>) => Promise<Made | unknown>): Promise<Run> {
        const process = this.machine.start(this.token);
        const errors: string[] = [];
        const made = await body(process).catch((error) => void errors.push(messageOf(error)));
        if (made !== null && typeof made === "object" && "failed" in made) errors.push(String(made.failed));
        return this.#ended(process, errors);
    }

    /** Another machine has the same state, and another journal. */
    onOtherMachine(): void {
        this.machine.lose();
    }

    async forget(nonces: readonly string[]): Promise<void> {
        const processes = { self: { pid: -1, host: "" }, isAlive: () => false };
        await new Journal({ folder: "/journal", files: memoryFiles(this.machine.files), processes }).forget(nonces);
    }

    /** Runs a command, as it was printed. A variable alone is set for a run of `again`, the command that failed. */
    async obey(command: string, again = "pulumi up"): Promise<Run> {
        const isVariable = /^[A-Z_]+=\S+$/.test(command);
        const words = (isVariable ? `${command} ${again}` : command).split(" ");
        const set = words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("="));
        const [program, ...args] = words.slice(set.length);
        const variables = Object.fromEntries(set) as Variables;
        if (program === "npx" && args[1] === "forget") {
            await this.forget(args.slice(2));
            return this.up(variables);
        }
        assert.equal(program, "pulumi", command);
        const [name, option, value = ""] = args;
        if (name === "refresh") return this.refresh(variables);
        assert.equal(name, "up", command);
        const replace = option === "--replace" ? value.replaceAll("'", "") : "";
        return this.up(variables, { refresh: option === "--refresh", replace });
    }

    /** Runs each of these ways out of the message, one after the other; the last one has to end well. */
    async follow({ text }: Run, code: string, which?: readonly number[], again?: string): Promise<Run> {
        const commands = advised(text, code);
        let run: Run | undefined;
        for (const index of which ?? commands.keys())
            run = await this.obey(commands[index] ?? assert.fail(`${code} does not advise so much`), again);
        assert.deepEqual(run?.errors, []);
        return run as Run;
    }

    async #refresh(process: ReturnType<Machine["start"]>): Promise<string[]> {
        const errors: string[] = [];
        for (const [urn, row] of this.rows) {
            const kind = urn.split(":").at(-3)?.split("/").at(-1) as Kind;
            try {
                const found = await process.read(row, { urn }, process.host(kind));
                if (found === undefined) this.rows.delete(urn);
                else this.rows.set(urn, { id: found.id ?? row.id, outputs: found.outputs });
            } catch (error) {
                errors.push(messageOf(error));
            }
        }
        return errors;
    }

    #ended(process: ReturnType<Machine["start"]>, errors: string[]): Run {
        process.kill();
        return { text: [...errors, ...process.said].join("\n"), errors };
    }
}
