/** The plugin's schema for C# and Java, whose generators copy descriptions as they are. The generators of other languages adapt them by themselves. */

/** The language that Markdown names after the backquotes of a code block, by the runtime in Pulumi.yaml. */
const languages: Readonly<Record<string, string>> = { dotnet: "csharp", java: "java" };

/** Returns the schema for a language. Its descriptions have names in place of references (`{{% ref … %}}`), and no examples in other languages. */
export function schemaFor(schema: string, runtime = ""): string {
    const own = languages[runtime];
    if (own === undefined) return schema;
    const root: unknown = JSON.parse(schema);
    const described = (text: string) =>
        text
            .replace(/\{\{% ref #\/(\S+) %\}\}/g, (_, path: string) => nameAt(root, path.split("/"), runtime))
            .replace(/^```(\w+)\n.*?^```\n\n?/gms, (block, language) => (["sh", own].includes(language) ? block : ""))
            .replace(/^\{\{% .* %\}\}\n?\n?/gm, "")
            .trimEnd();
    return JSON.stringify(root, (key, value) =>
        key === "description" && typeof value === "string" ? described(value) : value,
    );
}

interface Named {
    readonly language?: { readonly csharp?: { readonly name?: string } };
}

/** The name of the resource, function or property at this place of the schema, as C# or Java writes it. */
function nameAt(root: unknown, path: readonly string[], runtime: string): string {
    const name = path.at(-1)?.split(":").at(-1) ?? "";
    const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
    const isProperty = /^(?:inputP|p)roperties$/.test(path.at(-2) ?? "");
    if (runtime === "java") return isProperty || /^get[A-Z]/.test(name) ? name : capitalized;
    const { language } = path.reduce((node, key) => (node as Record<string, unknown>)[key], root) as Named;
    return language?.csharp?.name ?? capitalized;
}
