/** An input that turns out to be undefined, as one that is not set: every optional input of every class of both faces. */
import assert from "node:assert/strict";
import { clipDefinition } from "../../provider/dist/definitions/clip.js";
import { contentDefinition } from "../../provider/dist/definitions/content.js";
import type { Definition } from "../../provider/dist/definitions/definition.js";
import { livestreamDefinition } from "../../provider/dist/definitions/livestream.js";
import { settingNames } from "../../provider/dist/session/settings.js";
import { useTestbed } from "../support/testbed.ts";

/** The inputs that are neither required nor needed here. */
const optional = ({ inputs }: Definition, ...set: string[]) =>
    Object.keys(inputs).filter((input) => !inputs[input]?.required && !set.includes(input));

describe("An undefined Output", () => {
    const testbed = useTestbed({ processingTimeMs: 0 });

    it("is an input that is not set: in resources, nested, in libraries, providers and functions of both faces (D5)", async () => {
        testbed.emulator.addContent({ title: "Existing" });
        const stack = await testbed.stack(`
            const nothing = (name) => [undefined, Promise.resolve(undefined), pulumi.output(undefined), pulumi.secret(undefined)][name.length % 4];
            const given = (names, more) => ({ ...Object.fromEntries(names.map((name) => [name, nothing(name)])), ...more });
            const content = [{ url: "${testbed.media.video()}" }];
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
                const catalogue = '{"key":"line","title":"Line","content":[{"url":"${testbed.media.video()}"}]}';
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
});
