/**
 * Inputs as programs write them, through the real CLI: Outputs, secrets and promises at any place (six programs of the generator), Outputs
 * that turn out to be undefined, and values that a preview does not know yet. Outputs in plain strings: tests/unit/inputs/anyInputs.test.ts.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import { type Definition, isOptional } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { settingNames } from "../../provider/dist/session/settings.js";
import { type Kind, placesIn, validInputs } from "../support/anyInputs.ts";
import type { Properties } from "../support/machine.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

/** How programs write a value. */
const forms = `[
    (value) => pulumi.output(value),
    (value) => pulumi.secret(value),
    (value) => Promise.resolve(value),
    (value) => pulumi.output(Promise.resolve(pulumi.output(value))),
    (value) => first.id.apply(() => pulumi.secret(value)),
]`;

/** The inputs that are neither required nor needed here. */
const optional = ({ inputs }: Definition, ...set: string[]) =>
    Object.entries(inputs.shape).flatMap(([input, schema]) =>
        isOptional(schema) && !set.includes(input) ? [input] : [],
    );

describe("Inputs of programs", () => {
    const testbed = useTestbed({ fetchSources: false, processingTimeMs: 0 });
    const generated: Kind[] = ["Content", "Livestream", "ContentLibrary"];
    const seed = 47;

    /** Without what only some accounts and videos have. */
    const known = (inputs: Properties): Properties => {
        const { thumbnail: _, watermark: __, waitForReady: ___, region, contents, ...rest } = inputs;
        return {
            ...rest,
            ...(region !== undefined && { region: "us-east-1" }),
            ...(contents !== undefined && {
                contents: Object.fromEntries(
                    Object.entries(contents as Properties).map(([key, entry]) => [key, known(entry as Properties)]),
                ),
            }),
        };
    };
    /** Inputs of each kind, and a place in them whose value is written in one of the forms. */
    const programs = () => {
        const one = (kind: Kind) =>
            validInputs(kind)
                .map(known)
                .chain((inputs) =>
                    fc
                        .tuple(fc.constantFrom(...placesIn(inputs)), fc.nat(4))
                        .map(([{ path }, form]) => ({ kind, inputs, path, form })),
                );
        return fc.sample(fc.tuple(...generated.map(one)), { numRuns: 6, seed });
    };
    /** Half of them with the types of each face. */
    const programOf = (all: ReturnType<typeof programs>) => `
        const first = new videograph.Content("first", { title: "First", content: [{ url: "https://media.example.com/a.mp4" }] });
        const forms = ${forms};
        for (const [index, resources] of Object.entries(${JSON.stringify(all)}))
            for (const { kind, inputs, path, form } of resources) {
                const last = path.pop();
                const parent = path.reduce((value, key) => value[key], inputs);
                parent[last] = forms[form](parent[last]);
                new [dynamic, native][index % 2][kind](index + " " + kind, inputs);
            }`;

    it("of any form at any place are created, left alone and refreshed without a change (L2, S3)", async () => {
        const stack = await testbed.stack(programOf(programs()));
        await stack.up();
        const size = testbed.emulator.contents().length + testbed.emulator.livestreams().length;
        assert.ok(size > 18);
        await stack.up("--refresh", "--expect-no-changes");
        assert.deepEqual(sentBy(testbed.emulator, "POST", "PUT", "DELETE").length, size);
    });

    it("that are undefined Outputs are not set: in resources, nested, in libraries, providers and functions of both faces (D5)", async () => {
        testbed.emulator.addContent({ title: "Existing" });
        const stack = await testbed.stack(`
            const nothing = (name) => [undefined, Promise.resolve(undefined), pulumi.output(undefined), pulumi.secret(undefined)][name.length % 4];
            const given = (names, more) => ({ ...Object.fromEntries(names.map((name) => [name, nothing(name)])), ...more });
            const content = [{ url: "https://media.example.com/a.mp4" }];
            for (const [face, { Content, Clip, Livestream, ContentLibrary, Provider, getContentsOutput, getLivestreamsOutput, getSigningKeysOutput }] of Object.entries({ dynamic, native })) {
                const unset = new Provider(face + "-unset", given(${JSON.stringify(settingNames)}));
                const provider = new Provider(face, given(["accessTokenId", "secretKey", "baseUrl"], { region: "us-west-1" }));
                const of = (name) => face + "-" + name;
                const watermark = [given(["xPos", "yPos", "opacity"], { url: "https://media.example.com/logo.png" })];
                const subtitle = [given(["name", "supportClosedCaptions"], { url: "https://media.example.com/en.vtt", languageCode: "en" })];
                const film = new Content(of("film"), given(${JSON.stringify(optional(contentDefinition, "content"))}, { title: "Film", content }), { provider: unset });
                new Content(of("nested"), { title: "Nested", content, watermark, subtitle }, { provider });
                new Clip(of("clip"), given(${JSON.stringify(optional(clipDefinition, "contentId", "startTime", "endTime"))}, { contentId: film.id, startTime: 0, endTime: 1 }), { provider });
                new Livestream(of("stage"), given(${JSON.stringify(optional(livestreamDefinition))}, { title: "Stage" }), { provider });
                const entry = given(${JSON.stringify(optional(contentDefinition, "content", "waitForReady"))}, { title: "Entry", content });
                new ContentLibrary(of("library"), given(["defaults", "release", "maxDeletes"], { contents: { entry } }), { provider });
                const catalogue = '{"key":"line","title":"Line","content":[{"url":"https://media.example.com/a.mp4"}]}';
                new ContentLibrary(of("catalogue"), given(["contents", "defaults"], { catalogue }), { provider });
                const count = (list) => list.apply((known) => known.length);
                exports[face] = [
                    count(getContentsOutput(given(["title", "status", "tags"]), { provider }).contents),
                    count(getLivestreamsOutput(given(["record"]), { provider }).livestreams),
                    count(getSigningKeysOutput(given(["productTypeId", "environmentId", "signingKeyId"]), { provider }).keys),
                ];
            }`);
        await stack.up();
        assert.ok(testbed.emulator.livestreams().every(({ region }) => region === "us-west-1"));
    });

    it("that a preview does not know yet are planned as a replacement with a line that says why, are none in the update, and none with a version (D8, L9, S5)", async () => {
        const program = (title: string) => `
            const source = [{ url: "https://media.example.com/a.mp4" }];
            const film = new videograph.Content("film", { title: "${title}", content: source });
            const url = film.status.apply(() => "https://media.example.com/b.mp4");
            new videograph.Content("copy", { title: "Copy", content: [{ url }] }, { protect: true });
            new videograph.Content("versioned", { title: "Versioned", content: [{ url }], sourceVersion: "1" }, { protect: true });
            const entry = { title: "Entry", content: [{ url }] };
            new videograph.ContentLibrary("films", { contents: { entry, other: { title: "Other", content: source } } });`;
        const stack = await testbed.stack(program("One"));
        await stack.up();
        const ids = [await stack.resourceId("copy"), await stack.resourceId("versioned")];

        await stack.program(program("Two"));
        const { output } = await stack.previewFails(
            /content: not known in this preview.*Content copy .*is only replaced if.*VG4029/s,
            /protect/,
        );
        assert.doesNotMatch(output, /Content versioned .*replace/);
        const requests = await requestsOf(testbed.emulator, () => stack.up());
        assert.match(requests.join(), /^GET [^,]+,PUT [^,]+$/);
        assert.deepEqual([await stack.resourceId("copy"), await stack.resourceId("versioned")], ids);
    });
});
