/**
 * The pages of docs/reference/, one for each resource and each lookup, in the order of a reader's questions: what is it,
 * what do I write, what do I get.
 */
import {
    type Comment,
    type CommentDisplayPart,
    type DeclarationReflection,
    ReflectionType,
    type SignatureReflection,
} from "typedoc";
import type { Lookup, Resource, Surface } from "./sources.ts";
import { interfacesIn, pageOf, typeText } from "./types.ts";

/** Text by file name. */
export type Pages = ReadonlyMap<string, string>;

export function pagesOf({ resources, lookups }: Surface): Pages {
    const places = new Map<string, string>();
    for (const { declaration } of resources) places.set(declaration.name, pageOf(declaration.name));
    for (const { declaration, outputForm } of lookups) {
        places.set(declaration.name, pageOf(declaration.name));
        places.set(outputForm.name, pageOf(declaration.name));
    }
    const writer = new Writer(places);
    const pages = new Map<string, string>();
    for (const resource of resources) pages.set(pageOf(resource.declaration.name), writer.resource(resource));
    for (const lookup of lookups) pages.set(pageOf(lookup.declaration.name), writer.lookup(lookup));
    pages.set("README.md", writer.index(resources, lookups));
    return pages;
}

const generated = "<!-- Written by `npm run docs` from the docstrings in provider/src. -->";

class Writer {
    /** The page of each name that has one. */
    readonly #places: ReadonlyMap<string, string>;

    constructor(places: ReadonlyMap<string, string>) {
        this.#places = places;
    }

    resource({ declaration, args }: Resource): string {
        const { name } = declaration;
        const inputs = args.children ?? [];
        const inputNames = new Set(inputs.map((input) => input.name));
        const outputs = (declaration.children ?? []).filter(
            (child) =>
                (child.type !== undefined || child.getSignature !== undefined) &&
                // An output with the name of an input says what it is.
                (!inputNames.has(child.name) || child.comment !== undefined),
        );
        const get = declaration.children?.find((child) => child.name === "get")?.signatures?.[0];
        const isProvider = outputs.length === 0;
        const options = isProvider ? "pulumi.ResourceOptions" : "pulumi.CustomResourceOptions";
        const optional = isProvider ? "?" : "";
        return page([
            `# ${name}`,
            this.#prose(declaration.comment),
            ...this.#examples(declaration.comment),
            "## Constructor",
            `\`new videograph.${name}(name: string, args${optional}: ${args.name}, opts?: ${options})\``,
            "## Inputs",
            "Each may be given as a plain value or as an Output.",
            this.#table("Input", inputs),
            ...(isProvider
                ? []
                : [
                      "## Outputs",
                      "All inputs are outputs too, and so is `id`. Besides them:",
                      this.#table("Output", outputs),
                  ]),
            ...(get === undefined
                ? []
                : [
                      `## ${name}.get`,
                      `\`videograph.${name}.get(name: string, id: string, opts?: ${options}): ${name}\``,
                      this.#prose(get.comment),
                  ]),
            ...(isProvider ? [] : engineSections(name, inputNames.has("importId"))),
            ...this.#supportingTypes([...inputs, ...outputs]),
        ]);
    }

    /** The examples that follow the first one, each with its title. */
    #examples(comment: Comment | undefined): string[] {
        const blocks = comment?.getTags("@example") ?? [];
        return blocks.length === 0 ? [] : ["## Examples", ...blocks.map(({ content }) => this.#parts(content).trim())];
    }

    lookup({ declaration, outputForm, args }: Lookup): string {
        const { name } = declaration;
        const call = signatureOf(declaration);
        const inputs = args.children ?? [];
        const optional = call.parameters?.[0]?.flags.isOptional || call.parameters?.[0]?.defaultValue ? "?" : "";
        const options = call.parameters?.[1];
        const result = interfacesIn(call.type);
        return page([
            `# ${name}`,
            this.#prose(declaration.comment),
            "## Two forms",
            `\`videograph.${name}(args${optional}, opts?)\` accepts plain values and returns a Promise.`,
            `\`videograph.${outputForm.name}(args${optional}, opts?)\` is the Output form. ${this.#prose(outputForm.comment)}`,
            "## Arguments",
            this.#table("Argument", inputs),
            "As the second argument, options:",
            this.#table("Option", interfacesIn(options?.type)[0]?.children ?? []),
            "## Result",
            `${typeText(call.type)}: ${lowerFirst(this.#block(call.comment, "@returns"))}`,
            ...this.#supportingTypesOf(result),
            "## Errors",
            this.#block(declaration.comment, "@throws"),
        ]);
    }

    index(resources: readonly Resource[], lookups: readonly Lookup[]): string {
        const row = (name: string, comment: Comment | undefined) =>
            `| [${name}](${pageOf(name)}) | ${cell(firstSentence(this.#prose(comment)))} |`;
        return page([
            "# Reference",
            'Everything that `import * as videograph from "pulumi-videograph"` gives. Start with the [overview](../README.md).',
            "## Resources",
            [
                "| | |",
                "| --- | --- |",
                ...resources.map(({ declaration }) => row(declaration.name, declaration.comment)),
            ].join("\n"),
            "## Functions",
            "They read from the service whenever the program runs, also in a preview. Each also has an Output form, which accepts and " +
                "returns Outputs.",
            [
                "| | |",
                "| --- | --- |",
                ...lookups.map(({ declaration }) => row(declaration.name, declaration.comment)),
            ].join("\n"),
        ]);
    }

    #supportingTypes(properties: readonly DeclarationReflection[]): string[] {
        const types = this.#supportingTypesOf(properties.flatMap((property) => interfacesIn(property.type)));
        return types.length === 0 ? [] : ["## Supporting types", ...types];
    }

    /** A heading and a table for each, and for those that they name in turn. */
    #supportingTypesOf(interfaces: readonly DeclarationReflection[]): string[] {
        const found = new Set<DeclarationReflection>();
        const visit = (declaration: DeclarationReflection) => {
            if (found.has(declaration)) return;
            found.add(declaration);
            for (const child of declaration.children ?? []) interfacesIn(child.type).forEach(visit);
        };
        interfaces.forEach(visit);
        return [...found].flatMap((declaration) => [
            `### ${declaration.name}`,
            this.#prose(declaration.comment),
            this.#table("Property", declaration.children ?? []),
        ]);
    }

    #table(heading: string, properties: readonly DeclarationReflection[]): string {
        const rows = properties.map((property) => {
            const type = property.type ?? property.getSignature?.type;
            const comment = property.comment ?? property.getSignature?.comment;
            const isRequired = heading !== "Output" && heading !== "Property" && !property.flags.isOptional;
            const name = isRequired ? `\`${property.name}\` (required)` : `\`${property.name}\``;
            return `| ${name} | ${cell(typeText(type))} | ${cell(this.#prose(comment))} |`;
        });
        return [`| ${heading} | Type | |`, "| --- | --- | --- |", ...rows].join("\n");
    }

    #prose(comment: Comment | undefined): string {
        return this.#parts(comment?.summary ?? []).trim();
    }

    #block(comment: Comment | undefined, tag: `@${string}`): string {
        const block = comment?.getTag(tag);
        return this.#parts(block?.content ?? []).trim();
    }

    #parts(parts: readonly CommentDisplayPart[]): string {
        return parts.map((part) => (part.kind === "inline-tag" ? this.#link(part.text) : part.text)).join("");
    }

    /** `Content` leads to a page and `Content.get` to its heading; a name without a page is not linked. */
    #link(text: string): string {
        const [owner = "", member] = text.split(".");
        const place = this.#places.get(owner);
        if (place === undefined) return `\`${text}\``;
        return `[${text}](${place}${member === undefined ? "" : `#${owner}${member}`.toLowerCase()})`;
    }
}

/** What the engine and the CLI call a resource, and what of them works differently for a dynamic provider. */
function engineSections(name: string, isAdoptable: boolean): string[] {
    const token = `pulumi-nodejs:dynamic/videograph:${name}`;
    return [
        "## Type token and URN",
        `The type token is \`${token}\`, for policies, transforms and mocks. The URN of a resource without a parent is ` +
            `\`urn:pulumi:<stack>::<project>::${token}::<name>\`; \`pulumi stack --show-urns\` prints it. With the ` +
            `[native types](../guides/moving-from-dynamic.md) the type token is \`videograph:index:${name}\`.`,
        ...(isAdoptable
            ? [
                  "## Import",
                  "Set the input `importId` to the id of the existing object; see " +
                      "[adopting existing objects](../guides/taking-over.md). The `import` resource option and " +
                      "`pulumi import <type> <name> <id>` work only with the [native types](../guides/moving-from-dynamic.md#importing).",
              ]
            : ["## Import", "There is nothing to import: it has no object on the service."]),
        "## Timeouts",
        `The \`customTimeouts\` resource option. Set it on the resource itself: Pulumi does not pass on timeouts that a transform adds. Defaults: ${timeouts[name] ?? "60 minutes for create and update"}.`,
    ];
}

const timeouts: Readonly<Record<string, string>> = {
    Content: "60 minutes for create and update, 5 minutes for delete",
    Clip: "60 minutes for create, with the wait for its source, and update, 5 minutes for delete",
    Livestream: "60 minutes for create and update, 60 seconds for delete",
};

function page(blocks: readonly string[]): string {
    return `${[generated, ...blocks.filter((block) => block !== "")].join("\n\n")}\n`;
}

/** One line, with the bars that would end the cell escaped. */
function cell(text: string): string {
    return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

function firstSentence(text: string): string {
    return /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

function lowerFirst(text: string): string {
    return text === "" ? text : `${text[0]?.toLowerCase()}${text.slice(1)}`;
}

function signatureOf({ name, type }: DeclarationReflection): SignatureReflection {
    const [signature] = type instanceof ReflectionType ? (type.declaration.signatures ?? []) : [];
    if (signature === undefined) throw new Error(`${name} is no function.`);
    return signature;
}
