/** Types as a reader wants them: what goes in and comes out, without Pulumi's wrapping of every value in Input and Output. */
import { type DeclarationReflection, ReflectionKind, type SomeType } from "typedoc";

/** Any value may be given as an Output, and `undefined` is the same as leaving it out: neither is said again everywhere. */
const wrappers = new Set(["Input", "Output", "OutputInstance", "Promise", "UnwrappedObject", "UnwrappedArray"]);

/** Inline Markdown; names of the package's own interfaces are links to headings of the same page, classes to their pages. */
export function typeText(type: SomeType | undefined): string {
    const pieces = piecesOf(type, false);
    const isCode = pieces.every(({ link }) => link === undefined);
    if (isCode) return `\`${pieces.map(({ text }) => text).join("")}\``;
    return pieces.map(({ text, link }) => (link === undefined ? text : `[${text}](${link})`)).join("");
}

/** The package's own interfaces that a type names. */
export function interfacesIn(type: SomeType | undefined): DeclarationReflection[] {
    if (type === undefined) return [];
    switch (type.type) {
        case "reference": {
            const own = ownInterface(type.reflection);
            return [...(own === undefined ? [] : [own]), ...(type.typeArguments ?? []).flatMap(interfacesIn)];
        }
        case "array":
            return interfacesIn(type.elementType);
        case "union":
            return type.types.flatMap(interfacesIn);
        case "reflection":
            return (type.declaration.children ?? []).flatMap((child) => interfacesIn(child.type));
        default:
            return [];
    }
}

interface Piece {
    text: string;
    link?: string;
}

function piecesOf(type: SomeType | undefined, grouped: boolean): Piece[] {
    if (type === undefined) return [{ text: "unknown" }];
    switch (type.type) {
        case "reference": {
            const [first] = type.typeArguments ?? [];
            if (wrappers.has(type.name) && first !== undefined) return piecesOf(first, grouped);
            const own = ownInterface(type.reflection);
            if (own !== undefined) return [{ text: own.name, link: `#${own.name.toLowerCase()}` }];
            if (isOwnClass(type.reflection)) return [{ text: type.name, link: pageOf(type.name) }];
            if (type.name === "Record")
                return [{ text: "Record<string, " }, ...piecesOf(type.typeArguments?.[1], false), { text: ">" }];
            return [{ text: type.name === "ID" ? "string" : type.name }];
        }
        case "array":
            return [...piecesOf(type.elementType, true), { text: "[]" }];
        case "union": {
            const shown = type.types.filter((one) => !(one.type === "intrinsic" && one.name === "undefined"));
            const pieces = shown.flatMap((one, at) => [...(at === 0 ? [] : [{ text: " | " }]), ...piecesOf(one, true)]);
            return grouped && shown.length > 1 ? [{ text: "(" }, ...pieces, { text: ")" }] : booleans(pieces);
        }
        case "literal":
            return [{ text: JSON.stringify(type.value) }];
        case "intrinsic":
            return [{ text: type.name }];
        case "reflection":
            return [
                { text: "{ " },
                ...(type.declaration.children ?? []).flatMap((child, at) => [
                    { text: `${at === 0 ? "" : ", "}${child.name}: ` },
                    ...piecesOf(child.type, false),
                ]),
                { text: " }" },
            ];
        default:
            return [{ text: type.toString() }];
    }
}

/** The compiler takes a boolean apart. */
function booleans(pieces: Piece[]): Piece[] {
    const text = pieces.map((piece) => piece.text).join("");
    return text === "false | true" || text === "true | false" ? [{ text: "boolean" }] : pieces;
}

/** The file name of the page of a class or lookup. */
export function pageOf(name: string): string {
    return `${name[0]?.toLowerCase()}${name.slice(1)}.md`;
}

function isOwnClass(reflection: unknown): boolean {
    return (reflection as DeclarationReflection | undefined)?.kind === ReflectionKind.Class;
}

function ownInterface(reflection: unknown): DeclarationReflection | undefined {
    const candidate = reflection as DeclarationReflection | undefined;
    return candidate?.kind === ReflectionKind.Interface ? candidate : undefined;
}
