/** The command line of the benchmark. */
import { parseArgs } from "node:util";
import { type Variant, type VariantName, variants } from "./variants.ts";

export interface Options {
    /** How many contents: one table each. */
    readonly counts: readonly number[];
    /** How long a content takes to become Ready, in ms: between these two, evenly spread. */
    readonly processing: readonly [from: number, to: number];
    /** How much later every answer of the service comes, in ms. */
    readonly latency: number;
    readonly runs: number;
    readonly variants: readonly Variant[];
    /** Leaves out what would take many minutes. */
    readonly skipSlow: boolean;
    readonly json: boolean;
    /** More variables for the CLI and all that it starts. */
    readonly env: Readonly<Record<string, string>>;
    /** A folder for CPU profiles of the program and the provider process in the first `up`. */
    readonly profile: string | undefined;
}

export const help = `Measures pulumi-videograph through the real Pulumi CLI, against an emulator of the service on this machine.

Usage: npm run bench -- [options]

  --n <numbers>         how many contents, a table for each (default 1,10,100)
  --processing <time>   how long each content takes to become Ready (default 10s)
  --spread <from-to>    instead: from so long to so long, evenly spread, e.g. 2s-5s
  --latency <time>      how much later every answer comes (default 30ms)
  --runs <number>       how often everything is measured; the tables show medians (default 1)
  --variants <names>    of ${Object.keys(variants).join(", ")}
                        (default: all)
  --skip-slow           leave out a variant where it would take more than five minutes: its place is marked "skipped"
  --env <NAME=value>    a variable for the CLI, e.g. PULUMI_SKIP_CHECKPOINTS=true; repeatable
  --profile <folder>    write CPU profiles of the processes of the first \`up\` into this folder
  --json                print all that was measured as JSON instead of tables
  --help                show this text

What the rows of the tables mean: bench/README.md.
`;

/** Reads the command line; `undefined` when only help is asked for. Throws an Error that says what is wrong with it. */
export function parseOptions(args: string[]): Options | undefined {
    const { values } = parseArgs({
        args,
        options: {
            n: { type: "string", default: "1,10,100" },
            processing: { type: "string" },
            spread: { type: "string" },
            latency: { type: "string", default: "30ms" },
            runs: { type: "string", default: "1" },
            variants: { type: "string" },
            "skip-slow": { type: "boolean", default: false },
            env: { type: "string", multiple: true, default: [] },
            profile: { type: "string" },
            json: { type: "boolean", default: false },
            help: { type: "boolean", short: "h" },
        },
    });
    if (values.help) return undefined;
    return {
        counts: values.n.split(",").map((text) => parseCount("--n", text)),
        processing: parseProcessing(values.processing, values.spread),
        latency: parseTime("--latency", values.latency),
        runs: parseCount("--runs", values.runs),
        variants: parseVariants(values.variants),
        skipSlow: values["skip-slow"],
        json: values.json,
        env: Object.fromEntries(values.env.map(parseVariable)),
        profile: values.profile,
    };
}

function parseCount(option: string, text: string): number {
    // Thousands may be set off, as in tables.
    const count = Number(text.replaceAll("_", ""));
    if (!Number.isInteger(count) || count < 1) throw new Error(`${option} must hold numbers from 1, not "${text}"`);
    return count;
}

function parseProcessing(processing: string | undefined, spread: string | undefined): readonly [number, number] {
    if (processing !== undefined && spread !== undefined) throw new Error("Give --processing or --spread, not both");
    if (spread === undefined) {
        const time = parseTime("--processing", processing ?? "10s");
        return [time, time];
    }
    const [from, to, ...more] = spread.split("-").map((text) => parseTime("--spread", text));
    if (from === undefined || to === undefined || more.length > 0 || from > to) {
        throw new Error(`--spread must be two times such as 2s-5s, the shorter first, not "${spread}"`);
    }
    return [from, to];
}

/** Milliseconds. */
function parseTime(option: string, text: string): number {
    const [, amount, unit = "ms"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
    if (amount === undefined) throw new Error(`${option} must be a time such as 500ms, 2s or 1m, not "${text}"`);
    return Number(amount) * (unit === "m" ? 60_000 : unit === "s" ? 1000 : 1);
}

function parseVariants(text: string | undefined): readonly Variant[] {
    if (text === undefined) return Object.values(variants);
    return text.split(",").map((name) => {
        if (!(name in variants)) {
            throw new Error(`--variants knows ${Object.keys(variants).join(", ")}, but no "${name}"`);
        }
        return variants[name as VariantName];
    });
}

function parseVariable(text: string): [string, string] {
    const equals = text.indexOf("=");
    if (equals < 1) throw new Error(`--env must be NAME=value, not "${text}"`);
    return [text.slice(0, equals), text.slice(equals + 1)];
}
