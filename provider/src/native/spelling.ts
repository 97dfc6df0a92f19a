/** Names of properties in messages, as the language of the program spells them. */
import { advice } from "../messages";
import { findProject } from "../session/project";

/** The resource options that messages name. */
const options = ["customTimeouts", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges", "retainOnDelete"];

type Runtime = "python" | "go" | "dotnet" | "java" | "yaml";

/** Code in messages, as TypeScript writes it, and as the languages do that write it otherwise. */
const code: readonly ({ readonly written: string | RegExp } & { readonly [runtime in Runtime]?: string })[] = [
    {
        written: advice.moreTime,
        python: 'custom_timeouts=pulumi.CustomTimeouts(create="2h", update="2h")',
        go: 'pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h", Update: "2h"})',
        dotnet: "CustomTimeouts = new() { Create = TimeSpan.FromHours(2), Update = TimeSpan.FromHours(2) }",
        java: "customTimeouts(CustomTimeouts.builder().create(Duration.ofHours(2)).update(Duration.ofHours(2)).build())",
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

/**
 * The function that spells messages as the program does: code in them, and in Python names such as `playback_policy`; names of one word and of the
 * stack's configuration stay as they are. The engine does not say which language it runs, but it starts the plugin in the program's folder.
 */
export function programSpelling(schema: string, folder: string): (text: string) => string {
    // Most runs have no message.
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
 * The pattern that finds the names of properties: of the keys in the schema, its own words, such as `oneOf`, are in no message. Quoted code stays
 * as it is; a quoted name alone is a suggestion.
 */
function patternOfNames(schema: string): RegExp {
    const keys = [...schema.matchAll(/"([a-z]\w*[A-Z]\w*)":/g)].map(([, name = ""]) => name);
    const anyName = `(?:${[...new Set([...keys, ...options])].join("|")})`;
    return new RegExp(`\`(?!${anyName}\`)[^\`]*\`|(?<!videograph:)\\b${anyName}\\b`, "g");
}
