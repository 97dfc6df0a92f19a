/** docs/_index.md: the page that Pulumi's registry shows of the package. Its programs are those of examples/. */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

const languages: Readonly<Record<string, string>> = { ".py": "python", ".go": "go", ".cs": "csharp", ".yaml": "yaml" };

export function registryPage(repository: string): string {
    const read = (path: string) => readFileSync(join(repository, path), "utf8");
    return read("tools/reference/registryPage.txt").replace(/\{\{program (.+)\}\}/g, (_, path: string) => {
        return `\`\`\`${languages[extname(path)]}\n${read(path)}\`\`\``;
    });
}
