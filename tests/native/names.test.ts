/**
 * Names as other people choose them: Pulumi's own words, separators, quotes, other scripts, 300 letters. For every kind, as programs of both
 * faces through the real CLI.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Emulator, startEmulator } from "videograph-emulator";
import { isSameOwner, ownerOf, parseMarker } from "../../provider/dist/evidence/marker.js";
import manifest from "../../provider/package.json" with { type: "json" };
import { useTestbed } from "../support/testbed.ts";

/** The engine's name for the provider that a program does not declare. */
const defaultName = `default_${manifest.version.replace(/[.+-]/g, "_")}`;
const words = [
    ...["default", defaultName, "default_eu", "pulumi", "videograph", "index", "id", "urn", "provider"],
    ...[`${defaultName}_github_/api.github.com/not--published/pulumi-videograph`, "__proto__", "constructor"],
];
const odd = [
    ...["a::b", "$", "a$b", '"q"', "it's", "a/b", "../up", "a b", "%2F", "{x}", "[0].a"],
    ...["é".repeat(300), "x".repeat(300), "動画", "Видео", "😀", "\u202e"],
];
const any = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== "");
const isKey = (text: string) => !text.includes("/") && !text.includes("::") && text !== "__proto__";

describe("Names of programs", () => {
    const testbed = useTestbed({ processingTimeMs: 0 });
    const token = { id: "token-of-eu", secret: "secret-key-of-eu-31" };
    let eu: Emulator;
    beforeEach(async () => {
        eu = await startEmulator({ tokens: [token], processingTimeMs: 0, deletingTimeMs: 0 });
    });
    afterEach(() => eu?.close());

    // Native providers as the SDKs of other languages register them: without what the class of this package adds.
    const raw = (name: string) =>
        `pulumi.ProviderResource("videograph", ${name}, settings, { version: "${manifest.version}" })`;
    const own = (name: string) => `videograph.Provider(${name}, settings)`;
    for (const [face, project, stackName, declared, reserved, some] of [
        ["native", "videograph", "default", raw, ["default", defaultName], [...words, ...odd]],
        [
            "dynamic",
            "pulumi",
            "index",
            own,
            ["provider", defaultName],
            ["default", "__proto__", "a::b", "x".repeat(300)],
        ],
    ] as const)
        it(`live and go together, those of two providers, in project ${project} and stack ${stackName}, ${face}: each object has its resource's marker (D1, D3, S1, S9)`, async () => {
            const stack = await testbed.stack("", face);
            stack.secrets.push(token.secret);
            await stack.rename(project, stackName);
            const plain = {
                sourceUrl: "https://a.example/a.mp4",
                regions: "[eu, us]",
                ownSettings: "accessTokenId",
            };
            const secret = { databasePassword: "database-password-9", "videograph:secretKey": "wrong-secret-key" };
            const given = Object.entries(plain).flatMap((pair) => ["--plaintext", pair.join("=")]);
            const hidden = Object.entries(secret).flatMap((pair) => ["--secret", pair.join("=")]);
            await stack.run("config", "set-all", ...given, ...hidden);
            stack.secrets.push(...Object.values(secret));
            stack.env.VIDEOGRAPH_REGION = "of-the-environment";
            const others = [...some, ...fc.sample(any, 4)].filter((one) => !reserved.some((name) => name === one));
            const half = others.length / 2;
            // A provider has the first name of a program.
            const programs = [
                [reserved[0], ...others.slice(0, half)],
                [reserved[1], ...others.slice(half)],
            ];
            const all = programs.flat();
            const settings = {
                ...{ accessTokenId: token.id, secretKey: token.secret, baseUrl: eu.url },
                region: "of-the-provider",
            };
            eu.addLivestream({ title: "Recorded", record: true });
            await stack.program(`
                const url = "${testbed.media.video()}";
                const settings = ${JSON.stringify(settings)};
                new videograph.Livestream("without a provider", { title: "Without" });
                exports.found = ${JSON.stringify(programs)}.map((names) => {
                    const provider = new ${declared("names[0]")};
                    const parent = new pulumi.ComponentResource("shop:index:default", names[1], {}, { provider });
                    for (const [index, name] of names.entries()) {
                        const film = new videograph.Content(name, { title: name, content: [{ url }], tags: ["a"] }, { parent });
                        new videograph.Livestream(name, { title: name }, { provider });
                        if (index > 3) continue;
                        new videograph.Clip(name, { title: name, contentId: film.id, startTime: 0, endTime: 1 }, { provider });
                        new videograph.ContentReadiness(name, { contentIds: [film.id] }, { provider });
                    }
                    const keys = names.filter((name) => !/\\/|::|^__proto__$/.test(name)).concat("key");
                    const contents = Object.fromEntries(keys.map((key) => [key, { title: key, content: [{ url }] }]));
                    const library = new videograph.ContentLibrary(names[1], { contents }, { provider });
                    const recorded = videograph.getLivestreamsOutput({ record: true }, { provider });
                    return [library.contents.apply(Object.keys), recorded.apply(({ livestreams }) => livestreams.length)];
                });`);
            await stack.up("--parallel", "50");
            const found = (await stack.outputs()).found as [string[], number][];
            const keys = found.flatMap(([keys]) => keys).sort();
            assert.deepEqual(keys, [...all.filter(isKey), "key", "key"].sort());
            assert.deepEqual(
                found.map(([, recorded]) => recorded),
                [1, 1],
            );
            // The first four of each also have a clip, and a wait.
            assert.equal(eu.contents().length, all.length + 8 + keys.length);
            const regionsOf = (emulator: Emulator) =>
                emulator.livestreams().flatMap(({ region, record }) => (record ? [] : [region]));
            assert.deepEqual(regionsOf(eu), new Array(all.length).fill("of-the-provider"));
            assert.deepEqual(regionsOf(testbed.emulator), ["of-the-environment"]);
            let marked = 0;
            for (const { id = "", urn } of await stack.resources()) {
                const kind = /(Content|Clip|Livestream)::/.exec(urn)?.[1];
                const object = eu.content(id) ?? eu.livestream(id);
                if (kind === undefined || object === undefined) continue;
                const marker = parseMarker(object.metadata.find(({ key }) => key === "managed_by")?.value);
                assert.ok(marker && isSameOwner(marker, ownerOf(urn, kind)), urn);
                marked += 1;
            }
            assert.equal(marked, 2 * all.length + 8);
            await stack.up("--refresh", "--expect-no-changes", "--parallel", "50");
            await stack.destroy("--parallel", "50");
            assert.deepEqual(eu.contents(), []);
            assert.deepEqual([...regionsOf(eu), ...regionsOf(testbed.emulator)], []);
        });
});
