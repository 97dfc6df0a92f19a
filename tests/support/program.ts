/** Program text from data: resources of this package with literal arguments. */

export type Args = Readonly<Record<string, unknown>>;

/** Declares one resource and exports its id under its name. `options` is program text, e.g. "{ protect: true }". */
export function declare(className: string, name: string, args: Args, options = "undefined"): string {
    const text = JSON.stringify(name);
    return `exports[${text}] = new videograph.${className}(${text}, ${JSON.stringify(args)}, ${options}).id;\n`;
}
