/** The command line of `videograph-emulator`. */
import { parseArgs } from "node:util";
import { readContractReport } from "./contractReport";
import { jsonOrText } from "./http";
import type { EmulatorOptions, Token } from "./index";
import { readSeed } from "./seed";
import { version } from "./version";

const help = `videograph-emulator: a local stand-in for the Videograph video service

Usage: npx videograph-emulator [options]

  --port <number>            port to listen on (default 4410; 0 takes any free one)
  --host <address>           interface to listen on (default 127.0.0.1)
  --public-url <url>         base URL of playback URLs, if clients reach the emulator under another URL
  --allow-origin <origin>    an origin whose web pages may call the API, such as http://localhost:3000; repeatable
  --allow-host <name>        another host name to answer to, such as the name of a container; repeatable
  --token <token>            access token: <id>:<secret>[:<environment>[:<access>]]; repeatable. The environment
                             is a number (default 1). Access is full (default), read or none
  --seed <file>              objects to begin with: JSON with "contents" and "livestreams". Only "title" is required
  --processing-time <time>   how long a content is Preparing, with its unit: 500ms, 2s, 1m (default 2s)
  --deleting-time <time>     how long a livestream is Deleting (default 2s)
  --no-fetch                 do not download sources; treat each as a video
  --state <file>             keep the objects in a file, and sources in a folder next to it
  --fault <fault>            make requests fail; repeatable. Either JSON or key=value pairs:
                               --fault kind=status,status=503,retryAfter=2,path=/contents,times=2
                               --fault '{"kind":"reset","when":"after","method":"POST","times":1}'
  --variant <name=value>     choose a behavior where the service's documentation leaves it open; repeatable:
                               --variant createCode=200 --variant listOrder=oldest
  --contract <file>          behave like an account: a report of "npx pulumi-videograph probe"; --variant wins
  --remote-control           let other machines use the control endpoint /_emulator/ (without authentication)
  --version                  print the version and exit
  --help                     print this text

All faults and variants: see the README of videograph-emulator.
`;

/** Reads the command line; throws an Error that says what is wrong with it. */
export function parseCommandLine(args: string[]) {
    const { values } = parseArgs({
        args,
        options: {
            port: { type: "string" },
            host: { type: "string" },
            "public-url": { type: "string" },
            "allow-host": { type: "string", multiple: true },
            "allow-origin": { type: "string", multiple: true },
            token: { type: "string", multiple: true },
            "processing-time": { type: "string" },
            "deleting-time": { type: "string" },
            "no-fetch": { type: "boolean" },
            state: { type: "string" },
            seed: { type: "string" },
            fault: { type: "string", multiple: true },
            variant: { type: "string", multiple: true },
            contract: { type: "string" },
            "remote-control": { type: "boolean" },
            version: { type: "boolean" },
            help: { type: "boolean", short: "h" },
        },
    });
    const options: EmulatorOptions = {
        port: parsePort(values.port ?? "4410"),
        processingTimeMs: parseTime("--processing-time", values["processing-time"] ?? "2s"),
        deletingTimeMs: parseTime("--deleting-time", values["deleting-time"] ?? "2s"),
        fetchSources: values["no-fetch"] !== true,
        remoteControl: values["remote-control"] === true,
        // The library checks these values, because its callers pass them too.
        faults: (values.fault ?? []).map(parseFault) as NonNullable<EmulatorOptions["faults"]>,
        variants: Object.assign(
            {},
            values.contract === undefined ? {} : readContractReport(values.contract),
            ...(values.variant ?? []).map(parsePairs),
        ),
    };
    if (values.host !== undefined) options.host = values.host;
    if (values["public-url"] !== undefined) options.publicUrl = values["public-url"];
    if (values["allow-host"] !== undefined) options.allowHosts = values["allow-host"];
    if (values["allow-origin"] !== undefined) options.allowOrigins = values["allow-origin"];
    if (values.token !== undefined) options.tokens = values.token.map(parseToken);
    if (values.state !== undefined) options.stateFile = values.state;
    const addSeed = values.seed === undefined ? undefined : readSeed(values.seed);
    /** `print` is text to print instead of starting. */
    const print = values.help ? help : values.version ? `${version}\n` : undefined;
    return { print, addSeed, options };
}

function parsePort(text: string): number {
    if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new Error(`--port must be a number up to 65535, not "${text}"`);
}

function parseTime(option: string, text: string): number {
    if (text === "0") return 0;
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
    if (amount !== undefined && unit === undefined)
        throw new Error(`${option} needs a unit: ${amount}ms, ${amount}s or ${amount}m, not "${text}"`);
    if (amount === undefined) throw new Error(`${option} must be a time such as 500ms, 2s or 1m, not "${text}"`);
    return Number(amount) * (unit === "m" ? 60_000 : unit === "s" ? 1000 : 1);
}

function parseToken(text: string): Token {
    const form = /^([^:]+):([^:]+)(?::(\d+)(?::(full|read|none))?)?$/;
    const [, id, secret, environment = "1", access = "full"] = form.exec(text) ?? [];
    // The message does not quote the text: it is a secret, even if mistyped.
    if (id === undefined || secret === undefined)
        throw new Error("--token must be <id>:<secret>[:<environment>[:<access>]]; access is full, read or none");
    return { id, secret, environmentId: Number(environment), access: access as NonNullable<Token["access"]> };
}

function parseFault(text: string): unknown {
    if (!text.startsWith("{")) return parsePairs(text);
    try {
        return JSON.parse(text);
    } catch {
        throw new Error(`--fault ${text} is not valid JSON`);
    }
}

/** Reads `a=1,b=text`: a value that is JSON (numbers, true, [..]) counts as such, any other value as text. */
function parsePairs(text: string): Record<string, unknown> {
    // Values may hold commas. So a comma ends a pair only before another `name=`.
    const pairs = text.split(/,(?=[A-Za-z]+=)/).map((pair): [string, unknown] => {
        const equals = pair.indexOf("=");
        if (equals < 1) throw new Error(`"${pair}" must have the form name=value`);
        return [pair.slice(0, equals), jsonOrText(pair.slice(equals + 1))];
    });
    return Object.fromEntries(pairs);
}
