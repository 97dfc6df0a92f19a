/** What the lookups return of an object: all that the service shows of it. */
import type { Definition, Field } from "../../provider/dist/inputs/definition.js";

/** The fields by name, each with what its result says of it. */
export function lookedUp({ inputs, outputs }: Definition): [string, Field & { secret?: boolean }][] {
    const shown = Object.entries(inputs).filter(([, { change, writeOnly }]) => change !== "local" && !writeOnly);
    return [
        ...shown.map(([name, input]): [string, Field] => [
            name,
            { ...input, doc: input.lookupDoc ?? firstSentence(input.doc) },
        ]),
        ...Object.entries(outputs).map(([name, output]): [string, Field] => [
            name,
            { ...output, doc: output.lookupDoc ?? output.doc },
        ]),
    ];
}

function firstSentence(doc: string): string {
    const [sentence = doc] = /^.*?\.(?= |$)/.exec(doc) ?? [];
    return sentence.replace(/;.*/, ".");
}
