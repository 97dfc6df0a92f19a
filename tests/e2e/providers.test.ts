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
    "a resource as parent": '{ parent: new videograph.Livestream("parent", { title: "of eu" }, { provider: eu }) }',
};

describe("Provider eu, found by", () => {
    const testbed = useTestbed({ processingTimeMs: 0 });
    const tokens = [{ id: "token-of-eu", secret: "secret-key-of-eu-31" }];
    let eu: Emulator;
    before(async () => {
        eu = await startEmulator({ tokens });
    });
    after(() => eu?.close());

    for (const face of ["dynamic", "native"] as const)
        it(`every way, is that of resources, of functions in both forms, and of .get (${face}, D4)`, async () => {
            eu.reset();
            const { streamUUID } = eu.addLivestream({ title: "Existing", record: true });
            const settings = {
                accessTokenId: tokens[0]?.id,
                secretKey: tokens[0]?.secret,
                baseUrl: eu.url,
                region: "eu-1",
            };
            const stack = await testbed.stack(
                `
                const eu = new videograph.Provider("eu", ${JSON.stringify(settings)});
                const us = new videograph.Provider("us", { region: "us-1" });
                const child = (name, opts) => ({ parent: new pulumi.ComponentResource("shop:index:Group", name, {}, opts) });
                const ways = { ${Object.entries(ways)
                    .map(([name, options]) => `"${name}": ${options}`)
                    .join(", ")} };
                const count = ({ livestreams }) => livestreams.length;
                for (const [way, options] of Object.entries(ways)) {
                    new videograph.Livestream("stream " + way, { title: way }, options);
                    const got = videograph.Livestream.get("got " + way, "${streamUUID}", options);
                    exports[way] = [
                        got.title,
                        videograph.getLivestreams({ record: true }, options).then(count),
                        videograph.getLivestreamsOutput({ record: true }, options).apply(count),
                    ];
                }`,
                face,
            );
            stack.secrets.push(tokens[0]?.secret ?? "");
            await stack.up();
            assert.deepEqual(
                await stack.outputs(),
                Object.fromEntries(Object.keys(ways).map((way) => [way, ["Existing", 1, 1]])),
            );
            const titles = eu.livestreams().map(({ title }) => title);
            assert.deepEqual(titles.sort(), [...Object.keys(ways), "Existing", "of eu"].sort());
            assert.deepEqual(testbed.emulator.livestreams(), []);
        });
});
