/** Names of properties in messages, as the language of the program spells them. */
import { advice } from "../messages";
import { findProject } from "../session/project";

interface Schema {
    provider: { inputProperties: object };
    types: Record<string, { properties?: object }>;
    resources: Record<string, { inputProperties: object; properties: object }>;
}

/** The resource options that messages name. */
const options = ["customTimeouts", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges", "retainOnDelete"];

/** Code in messages, where a language writes it otherwise than TypeScript. */
const code: Readonly<Record<string, readonly (readonly [written: string | RegExp, as: string])[]>> = {
    yaml: [["trailer.id", "$${trailer.id}"]],
    python: [
        [advice.moreTime, 'custom_timeouts=pulumi.CustomTimeouts(create="2h", update="2h")'],
        [/replaceOnChanges: (\[.*?\])/, "replace_on_changes=$1"],
        [/aliases: \[\{ name: (".*?") \}\]/, "aliases=[pulumi.Alias(name=$1)]"],
        ["aliases: [", "aliases=["],
        [/Object\.fromEntries\(.*?\) in TypeScript/, '{video["slug"]: video for video in videos}'],
        ["true or false", "True or False"],
    ],
    go: [
        [advice.moreTime, 'pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h", Update: "2h"})'],
        [/replaceOnChanges: \[(.*?)\]/, "pulumi.ReplaceOnChanges([]string{$1})"],
        [/aliases: \[\{ name: (".*?") \}\]/, "pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String($1)}})"],
        [/aliases: \[(".*?")\]/, "pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN($1)}})"],
        ["trailer.id", "trailer.ID()"],
        [".apply()", ".ApplyT()"],
    ],
    dotnet: [
        [advice.moreTime, "CustomTimeouts = new() { Create = TimeSpan.FromHours(2), Update = TimeSpan.FromHours(2) }"],
        [/replaceOnChanges: \[(.*?)\]/, "ReplaceOnChanges = { $1 }"],
        [/aliases: \[\{ name: (".*?") \}\]/, "Aliases = { new Alias { Name = $1 } }"],
        [/aliases: \[(".*?")\]/, "Aliases = { new Alias { Urn = $1 } }"],
        ["trailer.id", "trailer.Id"],
        [".apply()", ".Apply()"],
    ],
    java: [
        [
            advice.moreTime,
            "customTimeouts(CustomTimeouts.builder().create(Duration.ofHours(2)).update(Duration.ofHours(2)).build())",
        ],
        [/replaceOnChanges: \[(.*?)\]/, "replaceOnChanges($1)"],
        [/aliases: \[\{ name: (".*?") \}\]/, "aliases(Alias.builder().name($1).build())"],
        [/aliases: \[(".*?")\]/, "aliases(Alias.withUrn($1))"],
        ["trailer.id", "trailer.id()"],
        [".apply()", ".applyValue()"],
    ],
};

/**
 * The function that spells messages as the program does: code in them, and in Python names such as `playback_policy`; names of one word and of the
 * stack's configuration stay as they are. The engine does not say which language it runs, but it starts the plugin in the program's folder.
 */
export function programSpelling(schema: string, folder: string): (text: string) => string {
    // Most runs have no message.
    let names: RegExp | undefined;
    let forms: (typeof code)[string] = [];
    const snakeCase = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
    return (text) => {
        if (names === undefined) {
            const runtime = findProject(folder)?.runtime ?? "";
            names = runtime === "python" ? namesIn(schema) : /(?!)/g;
            forms = code[runtime] ?? [];
        }
        const own = forms.reduce((found, [written, as]) => found.replace(written, as), text);
        return own.replace(names, (found) => (found.startsWith("`") ? found : snakeCase(found)));
    };
}

/** The pattern that finds the names of properties, and quoted code, which stays as it is. A quoted name alone is a suggestion. */
function namesIn(schema: string): RegExp {
    const { types, resources, provider } = JSON.parse(schema) as Schema;
    const properties = [
        provider.inputProperties,
        ...Object.values(types).map(({ properties = {} }) => properties),
        ...Object.values(resources).flatMap(({ inputProperties, properties }) => [inputProperties, properties]),
    ];
    const names = [...properties.flatMap(Object.keys), ...options].filter((name) => /[a-z\d][A-Z]/.test(name));
    const anyName = `(?:${[...new Set(names)].join("|")})`;
    return new RegExp(`\`(?!${anyName}\`)[^\`]*\`|(?<!videograph:)\\b${anyName}\\b`, "g");
}
