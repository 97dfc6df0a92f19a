/** The values of a resource's properties that must not be repeated when the service's own words are quoted. */
import querystring from "node:querystring";
import { Redactor, type Secret } from "../api/redact";
import { factsOf, partOf, type Schema, type Shape } from "../definitions/definition";
import { isSecretUrl } from "./secretUrls";
import { type Properties, pathText, visitTexts } from "./values";

/** Whether a text may be a secret: only some engines tell which values are secrets. Shorter texts are parts of any message. */
export function mayBeSecret(text: string): boolean {
    return text.length > 3;
}

/** The redactor of the properties' secret texts. Messages show the path of each in its place. `bags`: the properties now, and as they were. */
export function redactorFor(
    { inputs, outputs }: { inputs: Schema; outputs?: { shape: Shape } },
    bags: readonly Properties[],
    isSecret = mayBeSecret,
): Redactor {
    return new Redactor(() => {
        const secrets: Secret[] = [];
        for (const bag of bags)
            visitTexts(bag, (text, path, isKey) => {
                const output = outputs?.shape[String(path[0])];
                // Computed values are not secret, and the service's words (`Failed`) belong in messages.
                const isShown = isKey || String(path[0]).startsWith("__") || (output && !factsOf(output).secret);
                if (isShown || isQuotable(inputs, path)) return;
                if (!output && !isSecret(text) && !isSecretUrl(text)) return;
                for (const value of [text, ...partsOf(text)]) secrets.push({ name: pathText(path), value });
            });
        return secrets;
    });
}

function isQuotable(inputs: Schema, path: readonly PropertyKey[]): boolean {
    let part: Schema | undefined = inputs;
    return path.some((key) => {
        part = partOf(part, key);
        return part !== undefined && factsOf(part).quotable;
    });
}

/** A parameter this short is not a signature, and may be a word of any message. */
const shortestParameter = 8;

/** The parts of a URL that may be quoted alone: a storage's error repeats the signature, or names the file without its bucket. */
function partsOf(value: string): string[] {
    const url = URL.parse(value);
    if (url === null) return [];
    const { username, password, pathname, search, searchParams } = url;
    const steps = pathname.split("/").slice(1);
    // Without a slash a short path may be a word.
    const paths = [pathname, ...steps.map((_, index) => steps.slice(index).join("/"))].filter((path) =>
        path.includes("/"),
    );
    const user = [querystring.unescape(username), querystring.unescape(password)];
    const credentials = [...user, search.slice(1), ...searchParams.values()];
    return [
        ...paths.filter((text) => text.length > 1),
        ...credentials.filter((text) => text.length >= shortestParameter),
    ];
}
