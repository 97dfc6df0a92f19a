/** Which provider resources and functions of both faces use, however a program passes it. */
import assert from "node:assert/strict";
import { type Emulator, startEmulator } from "videograph-emulator";
import { useTestbed } from "../support/testbed.ts";

/** Each of them means the provider `eu`. */
const ways = {
    provider: "{ provider: eu }",
    "a component's list": 'child("list", { providers: [eu] })',
    "a component's map": 'child("map", { providers: { videograph: eu } })',
    "a component's map under its own key": 'child("key", { providers: { europe: eu } })',
    "a component's provider": 'child("one", { provider: eu })',
    "the component above": 'child("below", child("above", { providers: { videograph: eu } }))',
    "the nearest component":
        'child("inner", { ...child("outer", { providers: [us] }), providers: { videograph: eu } })',
    "the nearest component, by its own key":
        'child("near", { ...child("far", { providers: { videograph: us } }), providers: { europe: eu } })',
    "a resource as parent":
        '{ parent: new videograph.Livestream(face + " parent", { title: "of eu" }, { provider: eu }) }',
};

describe("Provider eu, found by", () => {
    const testbed = useTestbed({ processingTimeMs: 0 });
    const tokens = [{ id: "token-of-eu", secret: "secret-key-of-eu-31" }];
    let eu: Emulator;
    before(async () => {
        eu = await startEmulator({ tokens });
    });
    after(() => eu?.close());

    it("every way, is that of resources, of functions in both forms, and of .get, in both faces (D4)", async () => {
        const { streamUUID } = eu.addLivestream({ title: "Existing", record: true });
        const settings = {
            accessTokenId: tokens[0]?.id,
            secretKey: tokens[0]?.secret,
            baseUrl: eu.url,
            region: "eu-1",
        };
        const stack = await testbed.stack(`
            const of = (face, videograph) => {
                const eu = new videograph.Provider(face + " eu", ${JSON.stringify(settings)});
                const us = new videograph.Provider(face + " us", { region: "us-1" });
                const child = (name, opts) => ({ parent: new pulumi.ComponentResource(face + ":index:Group", name, {}, opts) });
                const ways = { ${Object.entries(ways)
                    .map(([name, options]) => `"${name}": ${options}`)
                    .join(", ")} };
                const count = ({ livestreams }) => livestreams.length;
                for (const [way, options] of Object.entries(ways)) {
                    const title = face + " " + way;
                    new videograph.Livestream("stream " + title, { title }, options);
                    const got = videograph.Livestream.get("got " + title, "${streamUUID}", options);
                    exports[title] = [
                        got.title,
                        videograph.getLivestreams({ record: true }, options).then(count),
                        videograph.getLivestreamsOutput({ record: true }, options).apply(count),
                    ];
                }
            };
            of("dynamic", videograph);
            of("native", native);`);
        stack.secrets.push(tokens[0]?.secret ?? "");
        await stack.up();
        const titles = ["dynamic", "native"].flatMap((face) => Object.keys(ways).map((way) => `${face} ${way}`));
        assert.deepEqual(await stack.outputs(), Object.fromEntries(titles.map((title) => [title, ["Existing", 1, 1]])));
        assert.deepEqual(
            eu
                .livestreams()
                .map(({ title }) => title)
                .sort(),
            [...titles, "Existing", "of eu", "of eu"].sort(),
        );
        assert.deepEqual(testbed.emulator.livestreams(), []);
    });
});
