/** What must not be repeated when the service's own words are quoted: the values of a resource's properties. */
import { Redactor, type Secret } from "../../api";
import type { Definition } from "../definition";
import type { Properties } from "../resource";
import { pathText } from "./validate";

/**
 * Every text among the properties, by its path: which of them are secret is known to the engine alone, and a path tells a
 * person more than a value would.
 */
export function redactorFor({ inputs, outputs }: Pick<Definition, "inputs" | "outputs">, bag: Properties): Redactor {
    // What the service computes says nothing secret, and its words (`Failed`) belong into its messages.
    const isQuotable = (name: string) =>
        inputs[name]?.quotable || (outputs[name] !== undefined && !outputs[name].secret);
    return new Redactor(
        Object.entries(bag)
            .filter(([name]) => !name.startsWith("__") && !isQuotable(name))
            .flatMap(([name, value]) => texts(value, [name])),
    );
}

function texts(value: unknown, path: PropertyKey[]): Secret[] {
    if (typeof value === "string") return value === "" ? [] : [{ name: pathText(path), value }];
    if (Array.isArray(value)) return value.flatMap((item, index) => texts(item, [...path, index]));
    if (typeof value === "object" && value !== null) {
        return Object.entries(value).flatMap(([key, item]) => texts(item, [...path, key]));
    }
    return [];
}
