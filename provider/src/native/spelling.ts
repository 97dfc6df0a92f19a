/** Spells the names and the code in messages as the program's language does: `playback_policy` in Python. */
import { advice } from "../messages";
import { findProject } from "../session/project";

/** The resource options that occur in messages. The schema has only the names of properties. */
const options = ["customTimeouts", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges", "retainOnDelete"];

type Runtime = "python" | "go" | "dotnet" | "java" | "yaml";

/** Code that occurs in messages: as `written` in TypeScript, and in the languages that write it differently. */
const code: readonly ({ readonly written: string | RegExp } & { readonly [runtime in Runtime]?: string })[] = [
    {
        written: advice.moreTime,
        python: 'custom_timeouts=pulumi.CustomTimeouts(create="2h", update="2h")',
        go: 'pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h", Update: "2h"})',
        dotnet: "CustomTimeouts = new() { Create = TimeSpan.FromHours(2), Update = TimeSpan.FromHours(2) }",
        java: "customTimeouts(CustomTimeouts.builder().create(Duration.ofHours(2)).update(Duration.ofHours(2)).build())",
    },
    {
        written: advice.moreTimeToDelete,
        python: 'custom_timeouts=pulumi.CustomTimeouts(delete="30m")',
        go: 'pulumi.Timeouts(&pulumi.CustomTimeouts{Delete: "30m"})',
        dotnet: "CustomTimeouts = new() { Delete = TimeSpan.FromMinutes(30) }",
        java: "customTimeouts(CustomTimeouts.builder().delete(Duration.ofMinutes(30)).build())",
    },
    {
        written: /replaceOnChanges: \[(.*?)\]/,
        python: "replace_on_changes=[$1]",
        go: "pulumi.ReplaceOnChanges([]string{$1})",
        dotnet: "ReplaceOnChanges = { $1 }",
        java: "replaceOnChanges($1)",
    },
    {
        written: /aliases: \[\{ name: (".*?") \}\]/,
        python: "aliases=[pulumi.Alias(name=$1)]",
        go: "pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String($1)}})",
        dotnet: "Aliases = { new Alias { Name = $1 } }",
        java: "aliases(Alias.builder().name($1).build())",
    },
    {
        written: /aliases: \[(".*?")\]/,
        python: "aliases=[$1]",
        go: "pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN($1)}})",
        dotnet: "Aliases = { new Alias { Urn = $1 } }",
        java: "aliases(Alias.withUrn($1))",
    },
    { written: "trailer.id", yaml: "$${trailer.id}", go: "trailer.ID()", dotnet: "trailer.Id", java: "trailer.id()" },
    { written: ".apply()", go: ".ApplyT()", dotnet: ".Apply()", java: ".applyValue()" },
    { written: "true or false", python: "True or False" },
    {
        written: /Object\.fromEntries\(.*?\) in TypeScript/,
        python: '{video["slug"]: video for video in videos}',
    },
];

/** Returns the function that spells a message. The engine does not say which language the program has: the project file in `folder` does. */
export function programSpelling(schema: string, folder: string): (text: string) => string {
    // Both are set by the first message. Most runs show no message, and need not read the project file.
    let names: RegExp | undefined;
    let runtime = "";
    const snakeCase = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
    return (text) => {
        if (names === undefined) {
            runtime = findProject(folder)?.runtime ?? "";
            names = runtime === "python" ? patternOfNames(schema) : /(?!)/g;
        }
        const own = code.reduce(
            (found, { written, [runtime as Runtime]: as = "$&" }) => found.replace(written, as),
            text,
        );
        return own.replace(names, (found) => (found.startsWith("`") ? found : snakeCase(found)));
    };
}

/**
 * Returns the pattern of the names that Python writes differently: the keys of the schema with a capital inside, and the options. It also matches
 * other code in backquotes, which stays as it is, because it may be of any language. Names of settings (`videograph:baseUrl`) do not match: they are
 * the same in all languages.
 */
function patternOfNames(schema: string): RegExp {
    const keys = [...schema.matchAll(/"([a-z]\w*[A-Z]\w*)":/g)].map(([, name = ""]) => name);
    const anyName = `(?:${[...new Set([...keys, ...options])].join("|")})`;
    return new RegExp(`\`(?!${anyName}\`)[^\`]*\`|(?<!videograph:)\\b${anyName}\\b`, "g");
}
