/** The plugin's schema as a language's generator needs it. */

interface Language {
    /** The language of its code blocks. */
    readonly code: string;
    nameOf(name: string, node: Node, isProperty: boolean): string;
}

interface Node {
    readonly language?: { readonly csharp?: { readonly name?: string } };
}

/** The languages whose generators take a description as it is. The others resolve references in it, and choose the examples of their language. */
const languages: Readonly<Record<string, Language>> = {
    dotnet: { code: "csharp", nameOf: (name, { language }) => language?.csharp?.name ?? capital(name) },
    java: {
        code: "java",
        nameOf: (name, _, isProperty) => (isProperty || /^get[A-Z]/.test(name) ? name : capital(name)),
    },
};

/** The schema, its descriptions with this language's names in place of references (`{{% ref … %}}`), and with its examples alone. */
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
