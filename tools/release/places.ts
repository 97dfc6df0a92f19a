/** Every place that names the version and the home of this repository. Code reads both from provider/package.json. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Identity {
    readonly version: string;
    /** Owner and name on GitHub. */
    readonly home: string;
}

/** Texts by path. */
export type Places = Readonly<Record<string, string>>;

const root = join(import.meta.dirname, "..", "..");
const number = String.raw`(\d+\.\d+\.\d+(?:-[\w.-]+)?)`;
/** What is in front of a version: manifests and the lock file, commands, the output of `doctor`, the schema, a Go module, Maven's project. */
const versions = [
    String.raw`"name": "(?:pulumi-videograph|pulumi-videograph-cli|videograph-emulator)",\s+"version": "`,
    String.raw`"(?:pulumi-videograph|videograph-emulator)": "\^?`,
    String.raw`"displayName": "Videograph",\s+"version": "`,
    String.raw`\b(?:videograph|plugin)@`,
    String.raw`\bpulumi-videograph {2,}`,
    "/pulumi-videograph/sdk/go v",
    String.raw`<artifactId>pulumi-videograph</artifactId>\s+<version>`,
].map((before) => new RegExp(`(?<=${before})${number}`, "g"));
const homes = /(?<=github\.com\/)([\w-]+\/pulumi-videograph)\b/g;
const groups = /(?<=\bio\.github\.)([\w-]+)(?=(?:[:/]|<\/groupId>\s+<artifactId>)pulumi-videograph)/g;

/** The files in which something may be named. Tests have names of their own, and the changelog and recorded states have history. */
export function readPlaces(): Places {
    const texts = ["md", "json", "yml", "yaml", "go", "mod", "ts", "xml"].map((ending) => `*.${ending}`);
    const listed = execFileSync("git", ["ls-files", ...texts], { cwd: root, encoding: "utf8" });
    const files = listed
        .split("\n")
        .filter((path) => !/^$|^CHANGELOG\.md$|^tests\/(?!native\/go\/)|^tools\/go\//.test(path));
    return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** What provider/package.json says. */
export function identityOf(places: Places): Identity {
    const { version, repository } = JSON.parse(places["provider/package.json"] ?? "") as {
        version: string;
        repository: { url: string };
    };
    const [home] = repository.url.match(homes) ?? [];
    if (home === undefined) throw new Error(`provider/package.json: ${repository.url} is not on GitHub`);
    return { version, home };
}

/** The text with that version and home wherever it names one. */
export function renamed(text: string, { version, home }: Identity): string {
    const [owner = ""] = home.toLowerCase().split("/");
    const named = text.replace(homes, home).replace(groups, owner);
    return versions.reduce((result, pattern) => result.replace(pattern, version), named);
}

/** One sentence for each file that names another version or home. */
export function differing(places: Places, identity: Identity): string[] {
    return Object.entries(places)
        .filter(([, text]) => renamed(text, identity) !== text)
        .map(([path]) => `${path} does not name ${identity.version} of ${identity.home} everywhere`);
}
