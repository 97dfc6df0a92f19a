/** Every place that names the version of this repository's packages. Code reads it from provider/package.json. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Texts by path. */
export type Places = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, "..", "..");
const number = String.raw`(\d+\.\d+\.\d+(?:-[\w.-]+?(?=\.tgz|[^\w.-]|$))?)`;
/** What is in front of a version: manifests and the lock file, commands, the output of `doctor`, tarballs, the schema, an installed plugin, a Go module, Maven's project. */
const versions = [
    String.raw`"name": "(?:pulumi-videograph|pulumi-videograph-cli|videograph-emulator)",\s+"version": "`,
    String.raw`"(?:pulumi-videograph|videograph-emulator)": "\^?`,
    String.raw`"displayName": "Videograph",\s+"version": "`,
    String.raw`\b(?:videograph|plugin)@`,
    "plugin install resource videograph ",
    String.raw`\bpulumi-videograph {2,}`,
    "/pulumi-videograph/sdk/go v",
    "/(?:pulumi-videograph|videograph-emulator)-",
    String.raw`<artifactId>pulumi-videograph</artifactId>\s+<version>`,
].map((before) => new RegExp(`(?<=${before})${number}`, "g"));

/** The files that may name it. Tests have names of their own, and the changelog and recorded states have history. */
export function readPlaces(): Places {
    const texts = ["md", "json", "yml", "yaml", "go", "mod", "ts", "xml"].map((ending) => `*.${ending}`);
    const listed = execFileSync("git", ["ls-files", ...texts], { cwd: root, encoding: "utf8" });
    const files = listed
        .split("\n")
        .filter((path) => !/^$|^CHANGELOG\.md$|^tests\/(?!native\/go\/)|^tools\/go\//.test(path));
    return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** The text with that version wherever it names one. */
export function withVersion(text: string, version: string): string {
    return versions.reduce((result, pattern) => result.replace(pattern, version), text);
}

/** One sentence for each file that names another version. */
export function differing(places: Places, version: string): string[] {
    return Object.entries(places)
        .filter(([, text]) => withVersion(text, version) !== text)
        .map(([path]) => `${path} does not name ${version} everywhere`);
}
