/** How definitions are written as TypeScript. */
import type { Type } from "../../provider/dist/inputs/definition.js";

export const width = 120;

/** The type of an argument. */
export function inputText(type: Type): string {
    switch (type.kind) {
        case "list":
            return `pulumi.Input<${inputText(type.of)}[]>`;
        case "map":
            return "pulumi.Input<Record<string, pulumi.Input<string>>>";
        case "object":
            return `pulumi.Input<${type.name}>`;
        default:
            return `pulumi.Input<${valueText(type)}>`;
    }
}

/** The type of a plain value. */
export function valueText(type: Type): string {
    switch (type.kind) {
        case "string":
            return type.oneOf === undefined ? "string" : type.oneOf.map((text) => JSON.stringify(text)).join(" | ");
        case "boolean":
            return "boolean";
        case "number":
        case "integer":
            return "number";
        case "numberOrString":
            return "string | number";
        case "map":
            return "Record<string, string>";
        case "object":
            return `pulumi.Unwrap<${type.name}>`;
        case "list": {
            const item = valueText(type.of);
            return item.includes("|") ? `(${item})[]` : `${item}[]`;
        }
    }
}

/** A docstring; `outer` is what the whole part is indented by. The lines of a block of code stay as they are. */
export function comment(text: string, indent: number, outer = 0): string[] {
    const spaces = " ".repeat(indent);
    const room = width - indent - outer;
    if (text.length + 7 <= room && !text.includes("\n")) return [`${spaces}/** ${text} */`];
    let isCode = false;
    const lines = text.split("\n").flatMap((line) => {
        const isFence = line.startsWith("```");
        if (isFence) isCode = !isCode;
        return isFence || isCode ? [line] : wrap(line, room);
    });
    return [`${spaces}/**`, ...lines.map((line) => `${spaces} * ${line}`.trimEnd()), `${spaces} */`];
}

function wrap(text: string, room: number): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of text.split(" ")) {
        if (line !== "" && line.length + word.length + 4 > room) {
            lines.push(line);
            line = word;
        } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line];
}
