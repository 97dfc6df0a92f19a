/** One definition for each resource: what has to follow it, does. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ContentResult, LivestreamResult } from "pulumi-videograph";
import { EmulatorCore } from "videograph-emulator/core";
import type { ContentObject, LivestreamObject } from "../../../provider/dist/api/index.js";
import { contentSchema, livestreamSchema } from "../../../provider/dist/api/schema.js";
import { type Definition, type Type, wireBody } from "../../../provider/dist/inputs/definition.js";
import { sentInputs } from "../../../provider/dist/inputs/properties.js";
import { clipDefinition } from "../../../provider/dist/resources/clip/definition.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { livestreamDefinition } from "../../../provider/dist/resources/livestream/definition.js";
import { generated, program } from "../../../tools/generate/classes.ts";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

/** The names of what the service returns: all but what is never sent, and what is sent and never returned. */
type Returned<D extends Definition> =
    | keyof D["outputs"]
    | {
          [K in keyof D["inputs"]]: D["inputs"][K] extends { change: "local" } | { writeOnly: true } ? never : K;
      }[keyof D["inputs"]];

const definitions: [Definition, typeof contentSchema | typeof livestreamSchema][] = [
    [contentDefinition, contentSchema],
    [clipDefinition, contentSchema],
    [livestreamDefinition, livestreamSchema],
];

function sample(type: Type): unknown {
    switch (type.kind) {
        case "string":
            return type.oneOf?.[0] ?? (type.rule === "url" ? "https://media.example.com/a" : "70%");
        case "boolean":
            return true;
        case "list":
            return [sample(type.of)];
        case "map":
            return { key: "value" };
        case "object":
            return Object.fromEntries(Object.entries(type.fields).map(([name, field]) => [name, sample(field.type)]));
        case "integer":
            return 30;
        default:
            return 1_700_000_000_000;
    }
}

/** What the contract has in no answer. */
const notShown: Record<Definition["name"], string[]> = {
    Content: ["testVideo"],
    Clip: [],
    Livestream: ["region", "record", "dvrDurationInMins", "playbackPolicy", "recordingsPlaybackPolicy"],
};

interface Envelope {
    code: number;
    message: string;
    data: Record<string, unknown>;
}

function callOf(core: EmulatorCore) {
    const authorization = `Basic ${Buffer.from(`${core.token.id}:${core.token.secret}`).toString("base64")}`;
    return async (method: string, path: string, body?: object): Promise<Envelope> => {
        const answer = await core.handle({
            ...{ method, url: `https://api.test/video/services/api/v1${path}` },
            headers: { authorization, ...(body && { "content-type": "application/json" }) },
            body: body && JSON.stringify(body),
        });
        return JSON.parse(answer.body);
    };
}

describe("the definition of a resource", () => {
    it("says what the types of answers and lookups have", () => {
        same<Exclude<keyof ContentObject, "contentId" | "reason">, Returned<typeof contentDefinition>>(true);
        same<Exclude<keyof LivestreamObject, "streamUUID" | "reason">, Returned<typeof livestreamDefinition>>(true);
        same<Exclude<keyof ContentResult, "contentId">, Returned<typeof contentDefinition>>(true);
        same<Exclude<keyof LivestreamResult, "streamUUID">, Returned<typeof livestreamDefinition>>(true);
    });

    for (const [{ name, idName, inputs, outputs }, schema] of definitions) {
        it(`${name}: whatever the service returns of it is read`, () => {
            const returned = Object.entries({ ...inputs, ...outputs }).filter(
                ([, property]) => !("change" in property) || (property.change !== "local" && !property.writeOnly),
            );
            const fields = Object.fromEntries(returned);
            const values = Object.fromEntries(returned.map(([property, { type }]) => [property, sample(type)]));
            assert.deepEqual(schema.parse({ [idName]: "id", ...wireBody(fields, values) }), {
                [idName]: "id",
                ...values,
            });
        });

        it(`${name}: the emulator takes every input that is sent, and shows those that the contract shows`, async () => {
            const core = new EmulatorCore({ clock: new FakeClock(), random: seededRandom(1) });
            const call = callOf(core);
            const path = name === "Livestream" ? "/livestreams" : "/contents";
            const source = core.addContent({ title: "What a clip is cut from" }).contentId;
            const sent = Object.entries(sentInputs(inputs));
            const isClip = name === "Clip";
            const samples = Object.fromEntries(sent.map(([input, { type }]) => [input, sample(type)]));
            const values: Record<string, unknown> = {
                ...samples,
                ...(isClip && { contentId: undefined, startTime: 1, endTime: 2 }),
            };
            const place = isClip ? `${path}/${source}/clips` : path;
            const created = await call("POST", place, wireBody(Object.fromEntries(sent), values));
            assert.equal(created.code, 201, created.message);
            const inPlace = Object.fromEntries(sent.filter(([, { change }]) => change === "inPlace"));
            const url = `${path}/${created.data[idName]}`;
            const updated = await call("PUT", url, wireBody(inPlace, values));
            assert.equal(updated.code, 200, updated.message);
            const shown = schema.parse((await call("GET", url)).data) as unknown as Record<string, unknown>;
            const expected = sent.filter(([input, { writeOnly }]) => !writeOnly && !notShown[name].includes(input));
            for (const [input] of expected) assert.deepEqual(shown[input], values[input], input);
        });

        it(`${name}: an input that a PUT changes has a value for "not set", and says so`, () => {
            for (const [input, { change, empty, required, doc }] of Object.entries(inputs)) {
                assert.equal(change === "inPlace" && !required, empty !== undefined, input);
                if (empty !== undefined)
                    assert.ok(
                        doc.includes(`reset to ${typeof empty === "number" ? empty : `\`${JSON.stringify(empty)}\``}`),
                        input,
                    );
                if (change === "inPlace") assert.match(doc, /Changed in place\.$/, input);
                if (change === "perItem") assert.match(doc, /is done in place\. Removing one replaces/, input);
                if (change === "createOnly") assert.match(doc, /Another .* replaces the |laces/, input);
            }
        });
    }

    for (const [{ name, inputs }] of definitions) {
        it(`${name}: the class says which inputs are changed in place`, () => {
            const text = readFileSync(join(program, `${name.toLowerCase()}.ts`), "utf8").replace(/\n \* /g, " ");
            const [, list = ""] = /Changes to ([^.]*?) are made in place/.exec(text) ?? [];
            const inPlace = Object.keys(inputs).filter((input) => inputs[input]?.change === "inPlace");
            assert.deepEqual(list.match(/(?<=`)\w+(?=`)/g)?.sort(), inPlace.sort());
        });
    }

    it("generates the classes: they are what `npm run generate` makes of it", () => {
        for (const { path, update } of generated) {
            const text = readFileSync(path, "utf8");
            assert.equal(update(text), text, `${path}: run \`npm run generate\``);
        }
    });
});

describe("the body of a request", () => {
    it("has what has a value, by the service's names", () => {
        const values = { title: "One", description: undefined, mp4Support: false, metadata: { a: "1" }, other: 1 };
        const body = wireBody(contentDefinition.inputs, values);
        assert.deepEqual(body, { title: "One", mp4_support: false, metadata: [{ key: "a", value: "1" }] });
    });
});
