/**
 * Finds texts into which a language has turned an Output. `"Teaser of " + stage.streamUUID` gives a warning of the SDK in place of a title. Without
 * this check, the warning would be sent to the service as the title.
 */
import { type Message, messages } from "../messages";
import { pathText, unknownValue, visitTexts } from "./values";

/** For each language: the pattern of a text that was made of an Output, and the function that a program should use instead. */
const forms: readonly [form: RegExp, fix: string][] = [
    [/Calling \[toJSON\] on an \[Output/, "`pulumi.jsonStringify`"],
    // .NET
    [/Calling \[ToString\] on an \[Output|Pulumi\.Output`1\[/, "`Output.Format`"],
    // TypeScript and Java: both SDKs say the same.
    [
        /Calling \[toString\] on an \[Output|\[object (?:Object|Promise|Function)\]/,
        "`pulumi.interpolate` (in Java `Output.format`)",
    ],
    [/com\.pulumi\.core\.(?:internal\.)?Output\w*@[\da-f]/, "`Output.format`"],
    [/Calling __str__ on an Output|<pulumi\.output\.Output object at /, "`pulumi.Output.format`"],
    // Go prints an Output as a structure that holds a pointer, whatever the verb of `Sprintf` is.
    [/\{0x[\da-f]{9,16}\}|\{%!\w\(\*(?:internal|pulumi)\./, "`pulumi.Sprintf`"],
];

/** Finds each text in the value that a language has made of an Output, and returns a problem with the path of the text. */
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

/** The function that the program should have used; `undefined` where the text was not made of an Output. */
export function fixFor(text: string): string | undefined {
    // A library has a hundred thousand texts. This quick test spares nearly all of them the patterns.
    if (!/Output|object|0x|%/.test(text)) return undefined;
    // If the text was parsed as a URL, its spaces and brackets are encoded.
    const plain = text.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
    return forms.find(([form]) => form.test(plain))?.[1];
}
