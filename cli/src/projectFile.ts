/** The file of a Pulumi project: where it may be, and what it says. */
import { dirname, join, resolve } from "node:path";

const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Where the project file of `from` may be, in the order in which the CLI looks: there, then in the folders above it. */
export function* projectFiles(from: string): Generator<{ folder: string; file: string }> {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
        for (const name of names) yield { folder, file: join(folder, name) };
        if (dirname(folder) === folder) return;
    }
}

/** What a project file says; `undefined` when it is malformed. JSON is YAML too. */
export function parseProject(text: string): unknown {
    // Few provider processes need the parser.
    const { parse } = require("yaml") as typeof import("yaml");
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}
