/** One definition for each resource: what has to follow it, does. That the service takes and shows its inputs: tests/e2e/standard.test.ts. */
import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import type * as videograph from "pulumi-videograph";
import type * as z from "zod/mini";
import { clipDefinition } from "../../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../../provider/dist/definitions/content.js";
import {
    type Definition,
    factsOf,
    isFixed,
    isOptional,
    partsOf,
    type ReturnedInputs,
} from "../../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../../provider/dist/definitions/livestream.js";
import type { lookups } from "../../../provider/dist/lookups/definitions.js";
import { docOf } from "../../../tools/reference/pages.ts";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

/** The values behind arguments, `undefined` where one may be left out. */
type Given<Args> = Whole<pulumi.Unwrap<Args>>;
type Whole<T> = T extends readonly (infer Item)[]
    ? Whole<Item>[]
    : T extends object
      ? string extends keyof T
          ? T
          : { [name in keyof Required<T>]: Whole<T[name]> }
      : T;

/** What a class adds to its inputs. */
type Computed<Class, Args> = Omit<Class, keyof pulumi.CustomResource | keyof Args>;
type OutputsOf<D extends Definition> = {
    readonly [name in keyof D["outputs"]["shape"]]: pulumi.Output<z.infer<D["outputs"]["shape"][name]>>;
};
/** The names of the properties that a function shows, by the definition. */
type Returned<D extends Definition> = ReturnedInputs<D> | keyof D["outputs"]["shape"] | D["idName"];

const definitions: Definition[] = [contentDefinition, clipDefinition, livestreamDefinition];

describe("the definition of a resource", () => {
    it("says what programs write, and what the classes have", () => {
        same<Given<videograph.ContentInputs>, Whole<z.infer<(typeof contentDefinition)["inputs"]>>>(true);
        same<Given<videograph.ClipInputs>, Whole<z.infer<(typeof clipDefinition)["inputs"]>>>(true);
        same<Given<videograph.LivestreamArgs>, Whole<z.infer<(typeof livestreamDefinition)["inputs"]>>>(true);
        same<Given<videograph.GetContentArgs>, Whole<z.infer<typeof lookups.getContent.args>>>(true);
        same<Given<videograph.GetContentsArgs>, Whole<z.infer<typeof lookups.getContents.args>>>(true);
        same<Given<videograph.GetLivestreamArgs>, Whole<z.infer<typeof lookups.getLivestream.args>>>(true);
        same<Given<videograph.GetLivestreamsArgs>, Whole<z.infer<typeof lookups.getLivestreams.args>>>(true);
        same<Given<videograph.GetSigningKeysArgs>, Whole<z.infer<typeof lookups.getSigningKeys.args>>>(true);
        type Content = Computed<videograph.Content, videograph.ContentArgs>;
        same<Omit<Content, "contentId">, OutputsOf<typeof contentDefinition>>(true);
        same<Computed<videograph.Clip, videograph.ClipArgs>, OutputsOf<typeof clipDefinition>>(true);
        type Livestream = Computed<videograph.Livestream, videograph.LivestreamArgs>;
        same<Omit<Livestream, "streamUUID">, OutputsOf<typeof livestreamDefinition>>(true);
        same<
            Exclude<keyof videograph.LibraryContent, "contentId">,
            keyof (typeof contentDefinition)["outputs"]["shape"]
        >(true);
        same<keyof videograph.ContentResult, Returned<typeof contentDefinition>>(true);
        same<keyof videograph.LivestreamItem, Exclude<Returned<typeof livestreamDefinition>, "streamKey">>(true);
    });

    for (const { name, inputs } of definitions) {
        it(`${name}: an input that a PUT changes has a value for "not set", and says so`, () => {
            for (const [input, schema] of Object.entries(inputs.shape)) {
                const { change, empty, known } = factsOf(schema);
                const doc = docOf(`${name}Args`, input);
                assert.equal(change === "inPlace" && isOptional(schema), empty !== undefined, input);
                const reset = typeof empty === "number" ? empty : `\`${JSON.stringify(empty)}\``;
                if (empty !== undefined) assert.ok(doc.includes(`reset to ${reset}`), input);
                const { entries } = partsOf(partsOf(schema).element ?? schema);
                const values = entries ? Object.values(entries) : (known?.values ?? []);
                for (const value of values) assert.ok(doc.includes(`"${value}"`), `${input}: ${value}`);
                if (change === "inPlace") assert.match(doc, /Changed in place\.$/, input);
                if (change === "subtitles") assert.match(doc, /is done in place\. Removing one replaces/, input);
                if (isFixed(factsOf(schema))) assert.match(doc, /A change replaces the /, input);
            }
        });

        it(`${name}: the class says which inputs are changed in place`, () => {
            const [, list = ""] = /Changes to ([^.]*?) are made in place/.exec(docOf(name)) ?? [];
            assert.deepEqual(
                list.match(/(?<=`)\w+(?=`)/g)?.sort(),
                Object.keys(inputs.shape)
                    .filter((input) => factsOf(inputs.shape[input]).change === "inPlace")
                    .sort(),
            );
        });
    }
});
