/** The plugin's schema for C# and Java, whose generators copy descriptions as they are. The generators of other languages adapt them by themselves. */

interface Language {
    /** The language's name at the beginning of a code block in Markdown. */
    readonly code: string;
    nameOf(name: string, node: Node, isProperty: boolean): string;
}

interface Node {
    readonly language?: { readonly csharp?: { readonly name?: string } };
}

const languages: Readonly<Record<string, Language>> = {
    dotnet: { code: "csharp", nameOf: (name, { language }) => language?.csharp?.name ?? capital(name) },
    java: {
        code: "java",
        nameOf: (name, _, isProperty) => (isProperty || /^get[A-Z]/.test(name) ? name : capital(name)),
    },
};

/** Returns the schema for this language: in descriptions, names in place of references (`{{% ref … %}}`), and no examples in other languages. */
export function schemaFor(schema: string, runtime = ""): string {
    const language = languages[runtime];
    if (language === undefined) return schema;
    const root: unknown = JSON.parse(schema);
    const described = (text: string) =>
        text
            .replace(/\{\{% ref #\/(\S+) %\}\}/g, (_, path: string) => nameAt(root, path.split("/"), language))
            .replace(/^```(\w+)\n.*?^```\n\n?/gms, (block, code) => (["sh", language.code].includes(code) ? block : ""))
            .replace(/^\{\{% .* %\}\}\n?\n?/gm, "")
            .trimEnd();
    return JSON.stringify(root, (key, value) =>
        key === "description" && typeof value === "string" ? described(value) : value,
    );
}

function nameAt(root: unknown, path: readonly string[], language: Language): string {
    const node = path.reduce((parent, key) => (parent as Record<string, unknown>)[key], root) as Node;
    const isProperty = /^(?:inputP|p)roperties$/.test(path.at(-2) ?? "");
    return language.nameOf(path.at(-1)?.split(":").at(-1) ?? "", node, isProperty);
}

function capital(name: string): string {
    return name.charAt(0).toUpperCase() + name.slice(1);
}
