/**
 * Manifests of `Stack` objects held against the fields of the Pulumi Kubernetes Operator's resource definition. The names and
 * types are noted in operatorStack.json, with their source; "!" behind a name says that it is required, "*" is any name.
 * Of a pod's own fields only those are noted that a manifest of these examples may use.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Field = string | readonly [Field] | { readonly [name: string]: Field };

interface Facts {
    readonly apiVersion: string;
    readonly kind: string;
    readonly spec: Field;
}

const facts = JSON.parse(readFileSync(join(import.meta.dirname, "operatorStack.json"), "utf8")) as Facts;

/** What the operator's API would refuse or ignore in a manifest, one line each. */
export function problemsOfStack(manifest: { apiVersion?: unknown; kind?: unknown; spec?: unknown }): string[] {
    const problems = (["apiVersion", "kind"] as const)
        .filter((name) => manifest[name] !== facts[name])
        .map((name) => `${name} must be ${facts[name]}`);
    return [...problems, ...problemsOf("spec", manifest.spec, facts.spec)];
}

function problemsOf(path: string, value: unknown, field: Field): string[] {
    if (typeof field === "string") return isOf(value, field) ? [] : [`${path} must be ${field}`];
    if (isList(field)) {
        if (!Array.isArray(value)) return [`${path} must be a list`];
        return value.flatMap((item, index) => problemsOf(`${path}[${index}]`, item, field[0]));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${path} must be an object`];
    const missing = Object.keys(field)
        .filter((name) => name.endsWith("!") && !(name.slice(0, -1) in value))
        .map((name) => `${path} needs ${name.slice(0, -1)}`);
    const wrong = Object.entries(value).flatMap(([name, inner]) => {
        const known = field[name] ?? field[`${name}!`] ?? field["*"];
        return known === undefined ? [`${path} has no field ${name}`] : problemsOf(`${path}.${name}`, inner, known);
    });
    return [...missing, ...wrong];
}

function isOf(value: unknown, type: string): boolean {
    switch (type) {
        case "any":
            return true;
        case "string":
        case "boolean":
            return typeof value === type;
        case "integer":
            return Number.isInteger(value);
        case "object":
            return typeof value === "object" && value !== null;
        case "integer or string":
            return Number.isInteger(value) || typeof value === "string";
        default:
            // An enumeration.
            return typeof value === "string" && type.split("|").includes(value);
    }
}

function isList(field: Field): field is readonly [Field] {
    return Array.isArray(field);
}
