/** URNs of resources: `urn:pulumi:<stack>::<project>::<types>::<name>`. A name may contain the separator. */

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

/** The last word of the resource's own type, which both faces share: `Content`. */
export function kindIn(urn: string | undefined): string {
    return parseUrn(urn)?.types.split(/[:$]/).at(-1) ?? "";
}

/** Whether both URNs are of resources of one stack. */
export function isSameStack(a: string, b: string): boolean {
    const [one, other] = [parseUrn(a), parseUrn(b)];
    return one?.stack === other?.stack && one?.project === other?.project;
}

/** Whether both URNs are of resources of one type under parents of the same types. Each face has types of its own. */
export function isSameType(a: string, b: string): boolean {
    return parseUrn(a)?.types === parseUrn(b)?.types;
}

/** Whether it is a URN of `pulumi do --stateless`, which all objects of a kind have: there is no state, and their markers say nothing. */
export function isStateless(urn: string): boolean {
    const { stack, project, name } = parseUrn(urn) ?? {};
    return stack === "dev" && project === "default" && name === kindIn(urn);
}
