/** The body and the create-only inputs of a create, from the declared inputs. Both follow from the definition. */
import { type Definition, inputsOf, wireBody } from "../definitions/definition";
import { markerKey } from "../evidence/marker";
import { identityOfSubtitles } from "./ownRequests";
import { canonical } from "./properties";
import type { Properties } from "./values";

type Inputs = Definition["inputs"];

export function createBody({ inputs: fields }: Definition, inputs: Properties, markerText: string): object {
    // The replacement of an imported object may lack inputs that the check adds for a new one.
    const defaults = Object.fromEntries(Object.entries(fields).map(([name, input]) => [name, input.default]));
    return wireBody(inputsOf(fields, "inPlace", "createOnly", "subtitles"), {
        ...defaults,
        ...inputs,
        metadata: { ...(inputs.metadata as Properties | undefined), [markerKey]: markerText },
    });
}

/**
 * The inputs that no PUT can change, as [name, value]. Subtitles belong to them: no answer shows which ones an object has. Inputs that are not
 * set are left out, so that a new input of a later version leaves the digest of an unfinished create as it is.
 */
export function createOnlyInputs(fields: Inputs, inputs: Properties): [string, unknown][] {
    const all = Object.entries(inputsOf(fields, "createOnly", "subtitles")).map(
        ([name, { change, versionedBy = name }]): [string, unknown] => {
            if (change === "subtitles") return [name, identityOfSubtitles(inputs)];
            const deciding = inputs[versionedBy] === undefined ? name : versionedBy;
            const input = fields[deciding];
            return [deciding, input && canonical(input, inputs[deciding])];
        },
    );
    return all.filter(([, value]) => value !== undefined && value !== null);
}
