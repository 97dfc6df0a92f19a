/** Names of properties in messages, as the language of the program spells them. */
import { findProject } from "../session/project";

interface Schema {
    provider: { inputProperties: object };
    types: Record<string, { properties?: object }>;
    resources: Record<string, { inputProperties: object; properties: object }>;
}

/** The resource options that messages name. */
const options = ["customTimeouts", "deleteBeforeReplace", "ignoreChanges", "replaceOnChanges", "retainOnDelete"];

/**
 * The function that spells names as the program does: `playback_policy` in Python; names of one word and of the stack's configuration stay as
 * they are. The engine does not say which language it runs, but it starts the plugin in the program's folder.
 */
export function programSpelling(schema: string, folder: string): (text: string) => string {
    // Most runs have no message.
    let names: RegExp | undefined;
    return (text) => {
        names ??= findProject(folder)?.runtime === "python" ? namesIn(schema) : /(?!)/g;
        const snakeCase = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
        return text.replace(names, (found) => (found.startsWith("`") ? found : snakeCase(found)));
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
