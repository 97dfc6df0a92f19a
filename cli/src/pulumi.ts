/** The Pulumi CLI and the project's file as sources of facts. Changes nothing. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { parseJson } from "#provider/api/json";
import { messages } from "#provider/messages/index";
import { CommandError } from "./commandLine";
import type { Shell } from "./shell";

/** A state of a thousand resources has a few megabytes. */
const mostOutput = 2 ** 30;

/** The CLI failed. */
export class PulumiError extends CommandError {}

/** Runs the CLI and gives its output. */
export function pulumi(shell: Shell, ...args: string[]): Promise<string> {
    const command = `pulumi ${args.join(" ")}`;
    const options = {
        cwd: shell.cwd,
        env: { ...shell.variables, PULUMI_SKIP_UPDATE_CHECK: "true" },
        maxBuffer: mostOutput,
        windowsHide: true,
    };
    return new Promise((done, failed) => {
        execFile("pulumi", [...args, "--non-interactive", "--color", "never"], options, (error, stdout, stderr) => {
            if (error === null) done(stdout);
            else if ("code" in error && error.code === "ENOENT")
                failed(new PulumiError(messages.noPulumi({ command })));
            else failed(new PulumiError(messages.pulumiFailed({ command, said: said(stderr, error) })));
        });
    });
}

/** As `pulumi`, for JSON of this form. `what`: its name in messages. */
export async function pulumiJson<T>(shell: Shell, form: z.ZodType<T>, what: string, ...args: string[]): Promise<T> {
    const { data } = form.safeParse(parseJson(await pulumi(shell, ...args)));
    if (data !== undefined) return data;
    throw new CommandError(messages.unknownOutput({ command: `pulumi ${args.join(" ")}`, what }));
}

/** The CLI's own words on one line. Only to stdout does it print a secret. */
function said(stderr: string, error: Error): string {
    const text = stderr
        .replace(/^\s*error:\s*/gm, "")
        .replace(/\s+/g, " ")
        .trim();
    if (text === "") return `it ended with ${"code" in error ? `code ${error.code}` : "a signal"}.`;
    return `${text.slice(0, 500).replace(/\.$/, "")}.`;
}

export interface Project {
    readonly name: string;
    /** `nodejs`, `python`, … */
    readonly runtime: string;
    /** Where the project file is. */
    readonly folder: string;
    /** Where the program is, and so where packages are loaded from. */
    readonly programFolder: string;
}

const runtimeSchema = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const projectSchema = z.object({ name: z.string(), runtime: runtimeSchema.catch(""), main: z.string().catch(".") });

const projectFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The project of the folder or of the nearest one above it, in the CLI's order. */
export function findProject(from: string): Project | undefined {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
        const file = projectFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
        if (file !== undefined) return projectIn(folder, readFileSync(file, "utf8"));
        if (dirname(folder) === folder) return undefined;
    }
}

function projectIn(folder: string, text: string): Project | undefined {
    const settings = projectSchema.safeParse(parseYaml(text)).data;
    if (settings === undefined) return undefined;
    // `main` may name the program's file.
    const program = resolve(folder, settings.main);
    const programFolder = /\.[cm]?[jt]s$/.test(settings.main) ? dirname(program) : program;
    return { name: settings.name, runtime: settings.runtime, folder, programFolder };
}

/** `undefined` when it is malformed. JSON is YAML too. */
function parseYaml(text: string): unknown {
    // Few commands need the parser.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
