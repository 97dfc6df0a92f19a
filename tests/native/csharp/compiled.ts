/**
 * The sources of a C# SDK and of programs, for Mono's compiler: it knows C# 7, and so no annotation of a type that may be null, and no program
 * without a class around it.
 */

/** Without `?` at types that are no values, and without `null!`. */
function withoutNullable(code: string): string {
    return code
        .replace(/\bnull!/g, "null")
        .replace(/\bdefault!/g, "default(T)")
        .replace(/(?<!\b(?:int|bool|double))\?(?=[>,)]| \w+(?:[;,)=]| =| \{|$))/gm, "");
}

/** The sources by file name. */
export function compiled(sdk: readonly string[], programs: readonly string[]): Record<string, string> {
    const files = sdk.map((text, index) => [`sdk${index}.cs`, withoutNullable(text)] as const);
    const runs = programs.map((text, index) => {
        const uses = text.match(/^using .*;$/gm) ?? [];
        const body = text.replace(/^using .*;$/gm, "");
        const code = `${uses.join("\n")}\nclass Program${index}\n{\n    async System.Threading.Tasks.Task<int> Main()\n    {\n${body}\n    }\n}\n`;
        return [`program${index}.cs`, withoutNullable(code)] as const;
    });
    return Object.fromEntries([...files, ...runs]);
}
