/** Texts that a language makes of an Output in a string, such as `"Teaser of " + stage.streamUUID`: never meant as a title or an address. */
import { type Message, messages } from "../messages";
import { pathText, unknownValue, visitTexts } from "./values";

/** The forms of such a text in each language, and the function that its programs should use instead. */
const forms: readonly [form: RegExp, fix: string][] = [
    [/Calling \[toJSON\] on an \[Output/, "`pulumi.jsonStringify`"],
    // .NET
    [/Calling \[ToString\] on an \[Output|Pulumi\.Output`1\[/, "`Output.Format`"],
    // TypeScript, and Java, which says the same.
    [
        /Calling \[toString\] on an \[Output|\[object (?:Object|Promise|Function)\]/,
        "`pulumi.interpolate` (in Java `Output.format`)",
    ],
    [/com\.pulumi\.core\.(?:internal\.)?Output\w*@[\da-f]/, "`Output.format`"],
    [/Calling __str__ on an Output|<pulumi\.output\.Output object at /, "`pulumi.Output.format`"],
    // Go: a structure with nothing but a pointer in the heap, whatever the verb was.
    [/\{0x[\da-f]{9,16}\}|\{%!\w\(\*(?:internal|pulumi)\./, "`pulumi.Sprintf`"],
];

/** The problems of all texts in the value, each with its path. */
export function outputTexts(value: unknown): { path: PropertyKey[]; problem: Message }[] {
    const found: { path: PropertyKey[]; problem: Message }[] = [];
    visitTexts(value, (text, path, isKey) => {
        const fix = text === unknownValue ? undefined : fixFor(text);
        if (fix === undefined) return;
        const place = path.length === 0 ? "the inputs" : pathText(path);
        const problem = messages.outputAsText({ property: isKey ? `a key of ${place}` : place, fix });
        found.push({ path: [...path], problem });
    });
    return found;
}

/** The function that the program should have used; `undefined` for any other text. */
export function fixFor(text: string): string | undefined {
    // A library has a hundred thousand texts.
    if (!/Output|object|0x|%/.test(text)) return undefined;
    // The parser of URLs encodes spaces and brackets.
    const plain = text.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
    );
    return forms.find(([form]) => form.test(plain))?.[1];
}
