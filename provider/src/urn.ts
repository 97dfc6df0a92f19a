/** URNs of resources: `urn:pulumi:<stack>::<project>::<types>::<name>`. A name may contain `::`. */

export interface Urn {
    stack: string;
    project: string;
    /** The types of the parents and of the resource itself, outermost first, joined by `$`. */
    types: string;
    name: string;
}

const pattern = /^urn:pulumi:(.*?)::(.*?)::(.*?)::(.*)$/s;

/** The parts of a URN; `undefined` for any other text. */
export function parseUrn(text: string | undefined): Urn | undefined {
    const [, stack, project, types, name] = pattern.exec(text ?? "") ?? [];
    if (stack === undefined || project === undefined || types === undefined || name === undefined) return undefined;
    return { stack, project, types, name };
}

/** The kind of the resource, such as `Content`: the last word of its type. The dynamic and the native type of a kind end alike. */
export function kindIn(urn: string | undefined): string {
    return parseUrn(urn)?.types.split(/[:$]/).at(-1) ?? "";
}

/** Whether both URNs are of resources of one stack. */
export function isSameStack(a: string, b: string): boolean {
    const [one, other] = [parseUrn(a), parseUrn(b)];
    return one?.stack === other?.stack && one?.project === other?.project;
}

/** Whether both resources have one type, under parents of the same types. This is never true for a dynamic and a native resource. */
export function isSameType(a: string, b: string): boolean {
    return parseUrn(a)?.types === parseUrn(b)?.types;
}

/**
 * Whether the URN comes from `pulumi do --stateless`. That command gives this one URN to all objects of a kind, so a marker with it does not say
 * whose the object is. It has no state that could be read.
 */
export function isStateless(urn: string): boolean {
    const { stack, project, name } = parseUrn(urn) ?? {};
    return stack === "dev" && project === "default" && name === kindIn(urn);
}
