/** Values that must not be repeated when the service's own words are quoted: those of a resource's properties. */
import { Redactor, type Secret } from "../api";
import type { Definition, Field, Type } from "../definitions/definition";
import { pathText } from "./path";
import type { Properties } from "./values";

/**
 * Every text among the properties, by its path: only the engine knows which of them are secret, and a path is
 * more useful to a person than a value.
 */
export function redactorFor({ inputs, outputs }: Pick<Definition, "inputs" | "outputs">, bag: Properties): Redactor {
    // What the service computes is not secret, and its words (`Failed`) belong in messages.
    const isOpen = (name: string) => outputs[name] !== undefined && !outputs[name].secret;
    return new Redactor(
        Object.entries(bag)
            .filter(([name]) => !name.startsWith("__") && !isOpen(name))
            .flatMap(([name, value]) => texts(value, [name], inputs[name])),
    );
}

/** `field` describes the value, where anything does. */
function texts(value: unknown, path: PropertyKey[], field: Pick<Field, "type" | "quotable"> | undefined): Secret[] {
    if (field?.quotable) return [];
    if (typeof value === "string") {
        const name = pathText(path);
        return [value, ...partsOf(value)].map((secret) => ({ name, value: secret }));
    }
    const type = field?.type;
    if (Array.isArray(value)) {
        const item = type?.kind === "list" ? { type: type.of } : undefined;
        return value.flatMap((one, index) => texts(one, [...path, index], item));
    }
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, one]) => texts(one, [...path, key], fieldOf(type, key)));
}

/** A parameter this short is not a signature, and may be a word of any message. */
const shortestParameter = 8;

/** The parts of a URL that may be quoted alone: a storage's error repeats the signature, or names the path. */
function partsOf(value: string): string[] {
    const url = URL.parse(value);
    if (url === null) return [];
    const { username, password, pathname, searchParams } = url;
    // Without its slash a short path may be a word.
    const paths = [pathname, decoded(pathname)].flatMap((path) => [
        path,
        path.slice(1).includes("/") ? path.slice(1) : "",
    ]);
    const credentials = [decoded(username), decoded(password), ...searchParams.values()];
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
