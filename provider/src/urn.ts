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

/** Whether both are of resources of one stack. */
export function isSameStack(a: string, b: string): boolean {
    const [one, other] = [parseUrn(a), parseUrn(b)];
    return one?.stack === other?.stack && one?.project === other?.project;
}

/**
 * The short form that the hidden input `__urn` has: `<stack>::<project>::<types of the parents>::<name>`. The engine rewrites
 * the whole state at every step, so what all URNs of a kind share is left out.
 */
export function shortUrn(urn: string, type: string): string {
    const { stack, project, types, name } = parseUrn(urn) ?? { stack: "", project: "", types: type, name: urn };
    return [stack, project, types.slice(0, -type.length), name].join("::");
}

/** The URN of a short form; any other text as it is. */
export function wholeUrn(text: string, type: string): string {
    const [stack, project, parents, ...name] = text.split("::");
    if (name.length === 0) return text;
    return `urn:pulumi:${stack}::${project}::${parents}${type}::${name.join("::")}`;
}
