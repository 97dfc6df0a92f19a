/**
 * URNs as the hidden input `__urn` holds them: `<stack>::<project>::<types of the parents>::<name>`, without what every
 * URN of its kind has, for the engine writes all state anew at every step. Older versions wrote whole ones.
 */
import { markedOwner } from "./lifecycle/create/marker";

const whole = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s;

/** The short form of a URN whose type ends in `type`; any other text as it is. */
export function shortUrn(urn: string, type: string): string {
    const [, stack, project, types, name] = whole.exec(urn) ?? [];
    if (types === undefined || !types.endsWith(type)) return urn;
    return [stack, project, types.slice(0, -type.length), name].join("::");
}

/** The URN of either form; any other text as it is. */
export function wholeUrn(text: string, type: string): string {
    const [stack, project, parents, ...name] = text.split("::");
    if (text.startsWith("urn:") || name.length === 0) return text;
    return `urn:pulumi:${stack}::${project}::${parents}${type}::${name.join("::")}`;
}

/** The short form that a resource without a parent has by its mark. */
export function markedUrn(mark: string | undefined): string | undefined {
    const [, project, stack, name] = /^([^/]*)\/([^/]*)\/(.*)$/s.exec(markedOwner(mark) ?? "") ?? [];
    return name === undefined ? undefined : `${stack}::${project}::::${name}`;
}
