/** Values that must not be repeated when the service's own words are quoted: those of a resource's properties. */
import { Redactor, type Secret } from "../api/redact";
import type { Definition, Field, Type } from "../definitions/definition";
import { pathText } from "./path";
import { isPresignedUrl } from "./presigned";
import type { Properties } from "./values";

/** Whether a text may be a secret: only some engines tell which of the values are. Shorter ones are parts of any message. */
export function mayBeSecret(text: string): boolean {
    return text.length > 3;
}

/**
 * Every text of the properties that is a secret, by its path, which is more useful to a person than a value. `bags`: the properties as
 * they are, and as they were.
 */
export function redactorFor(
    { inputs, outputs }: Pick<Definition, "inputs" | "outputs">,
    bags: readonly Properties[],
    isSecret = mayBeSecret,
): Redactor {
    // What the service computes is not secret, and its words (`Failed`) belong in messages.
    const isOpen = (name: string) => outputs[name] !== undefined && !outputs[name].secret;
    const hides = (name: string, text: string) => outputs[name]?.secret || isSecret(text) || isPresignedUrl(text);
    return new Redactor(() =>
        bags.flatMap((bag) =>
            Object.entries(bag)
                .filter(([name]) => !name.startsWith("__") && !isOpen(name))
                .flatMap(([name, value]) => texts(value, [name], inputs[name], (text) => hides(name, text))),
        ),
    );
}

/** Every text of a lookup's arguments: no engine tells which of them are secrets. */
export function redactorOf(args: Properties): Redactor {
    return redactorFor({ inputs: {}, outputs: {} }, [args]);
}

/** `field` describes the value, where anything does. */
function texts(
    value: unknown,
    path: PropertyKey[],
    field: Pick<Field, "type" | "quotable"> | undefined,
    hides: (text: string) => boolean,
): Secret[] {
    if (field?.quotable) return [];
    if (typeof value === "string") {
        if (!hides(value)) return [];
        const name = pathText(path);
        return [value, ...partsOf(value)].map((secret) => ({ name, value: secret }));
    }
    const type = field?.type;
    if (Array.isArray(value)) {
        const item = type?.kind === "list" ? { type: type.of } : undefined;
        return value.flatMap((one, index) => texts(one, [...path, index], item, hides));
    }
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, one]) => texts(one, [...path, key], fieldOf(type, key), hides));
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
    const credentials = [decoded(username), decoded(password), search.slice(1), ...searchParams.values()];
    return [
        ...paths.filter((text) => text.length > 1),
        ...credentials.filter((text) => text.length >= shortestParameter),
    ];
}

function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function fieldOf(type: Type | undefined, key: string): Field | undefined {
    return type?.kind === "object" ? type.fields[key] : undefined;
}
