/**
 * Validation of a program's inputs: everything wrong at once, each problem with the property's path and what is allowed
 * (S5). A problem never quotes a value: the engine would print it, secret or not.
 */
import * as z from "zod";
import type { Properties } from "../resource";
import { nearest } from "./nearest";
import { isUnknownAt } from "./unknown";

/** The problems of `news`; values that a preview does not know yet pass. */
export function problemsOf(schema: z.ZodObject, news: Properties): string[] {
    const result = schema.safeParse(news, { error: explain });
    if (result.success) return [];
    return result.error.issues
        .filter((issue) => !isUnknownAt(news, issue.path))
        .flatMap((issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys.map((key) => unrecognized(schema, issue.path, key))
                : [`${pathText(issue.path)} ${issue.message}`],
        );
}

/** Text that is neither empty nor blank. */
export function someText(): z.ZodString {
    return z.string().regex(/\S/, "must not be empty");
}

/** An address that the service can fetch. */
export function webAddress(): z.ZodType<string> {
    return z.string().refine(isWebAddress, "must be an absolute http: or https: URL");
}

function isWebAddress(text: string): boolean {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.protocol === "https:" || url?.protocol === "http:";
}

function explain(issue: z.core.$ZodRawIssue): string {
    switch (issue.code) {
        case "invalid_type":
            if (issue.input === undefined) return "is required";
            return `must be ${typeNames[issue.expected] ?? issue.expected}`;
        case "too_small":
            return `must have at least ${issue.minimum} ${issue.origin === "string" ? "characters" : "items"}`;
        case "invalid_value":
            return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
        default:
            return "is not valid";
    }
}

const typeNames: Record<string, string> = {
    string: "text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "a map of text to text",
};

function unrecognized(schema: z.ZodObject, path: readonly PropertyKey[], key: string): string {
    const near = nearest(key, keysAt(schema, path));
    const hint = near === undefined ? "remove it" : `did you mean \`${near}\`?`;
    return `${pathText([...path, key])} is not a property of this resource: ${hint}`;
}

function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
    let here: unknown = schema;
    for (const key of path) {
        here = unwrap(here);
        here =
            here instanceof z.ZodArray
                ? here.element
                : here instanceof z.ZodObject
                  ? here.shape[String(key)]
                  : undefined;
    }
    here = unwrap(here);
    return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
}

function unwrap(schema: unknown): unknown {
    return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** `content[0].url`, as a program writes it. */
export function pathText(path: readonly PropertyKey[]): string {
    return path
        .map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
        .join("");
}
