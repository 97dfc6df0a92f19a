/**
 * Names as other people choose them: Pulumi's own words, separators, quotes, other scripts, 300 letters. For every kind with the plugin's
 * real process, and as programs of both faces through the real CLI.
 */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Emulator, startEmulator } from "videograph-emulator";
import { isSameOwner, ownerOf, parseMarker } from "../../provider/dist/evidence/marker.js";
import manifest from "../../provider/package.json" with { type: "json" };
import { messages, PluginProcess, reasonsOf } from "../support/pluginProcess.ts";
import { useTestbed } from "../support/testbed.ts";

type Properties = Record<string, unknown>;

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
/** The CLI allows no others. */
const slug = fc.constantFrom(...words.filter((word) => !word.startsWith("__")), "a.b-c_d", "x".repeat(100));
const name = fc.oneof(
    fc.constantFrom(...words, ...odd),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ""),
);

const content = [{ url: "https://media.example.com/a.mp4" }];
const isKey = (text: string) => !text.includes("/") && !text.includes("::") && text !== "__proto__";

describe("Names", () => {
    describe("with the plugin's process", () => {
        let home: string;
        let emulator: Emulator;
        let plugin: PluginProcess;
        const rows = new Set<string>();
        const urns = new Set<string>();

        before(async () => {
            home = await mkdtemp(join(tmpdir(), "videograph-names-"));
            emulator = await startEmulator({ processingTimeMs: 0, deletingTimeMs: 0, fetchSources: false });
            // Without a CLI on the PATH there is no state to be read.
            plugin = await PluginProcess.start(home, { path: "", onLog: (urn) => rows.add(urn) });
            const args = { baseUrl: emulator.url, accessTokenId: emulator.token.id, secretKey: emulator.token.secret };
            await plugin.call("configure", { args });
        });
        after(async () => {
            await plugin?.stop();
            await emulator?.close();
            await rm(home, { recursive: true, force: true });
        });

        it("are those of its marker and its rows, and neither a key of a library nor a file is another one (S1, S9)", async () => {
            const kinds: Record<string, (title: string, id: string) => Properties> = {
                Content: (title) => ({ title, content }),
                Livestream: (title) => ({ title, region: "us-east-1" }),
                Clip: (title, contentId) => ({ title, contentId, startTime: 0, endTime: 1 }),
                ContentReadiness: (_, id) => ({ contentIds: [id] }),
                ContentLibrary: (title) => ({ contents: Object.fromEntries([[title, { title, content }]]) }),
            };
            const { contentId: existing } = emulator.addContent({ title: "Existing" });
            await fc.assert(
                fc.asyncProperty(
                    fc.record({
                        ...{ project: slug, stack: slug, parent: fc.option(slug) },
                        ...{ name, kind: fc.constantFrom(...Object.keys(kinds)) },
                    }),
                    async ({ project, stack, parent, name, kind }) => {
                        // This test's own encoder drops such a key.
                        fc.pre(kind !== "ContentLibrary" || name !== "__proto__");
                        const type = `${parent === null ? "" : `shop:index:${parent}$`}videograph:index:${kind}`;
                        const urn = `urn:pulumi:${stack}::${project}::${type}::${name}`;
                        urns.add(urn);
                        const before = new Set([...emulator.contents(), ...emulator.livestreams()]);
                        const seen = new Set(
                            [...before].map((one) => ("contentId" in one ? one.contentId : one.streamUUID)),
                        );
                        const news = kinds[kind]?.(name, existing);
                        const checked = await plugin.call("check", {
                            ...{ urn, news, randomseed: Buffer.from(name).subarray(0, 8) },
                        });
                        const reasons = reasonsOf(checked).join();
                        if (kind === "ContentLibrary" && !isKey(name)) return assert.match(reasons, /VG2032/);
                        assert.equal(reasons, "");
                        const inputs = checked.getInputs().toJavaScript();
                        const created = await plugin.call("create", { urn, properties: inputs });
                        const made = [...emulator.contents(), ...emulator.livestreams()].filter(
                            (one) => !seen.has("contentId" in one ? one.contentId : one.streamUUID),
                        );
                        assert.equal(made.length, kind === "ContentReadiness" ? 0 : 1);
                        const [object] = made;
                        if (object !== undefined) {
                            const pairs = object.metadata as { key: string; value: string }[];
                            const marker = parseMarker(pairs.find(({ key }) => key === "managed_by")?.value);
                            assert.ok(marker);
                            const owner = ownerOf(urn, kind);
                            if (kind !== "ContentLibrary") assert.ok(isSameOwner(marker, owner));
                            // For people, and cut.
                            assert.deepEqual([marker.project, marker.stack], [owner.project, owner.stack]);
                        }
                        const id = created.getId();
                        const properties = created.getProperties().toJavaScript();
                        const read = await plugin.call("read", { urn, id, properties, inputs });
                        assert.equal(read.getId(), id);
                        const olds = read.getProperties().toJavaScript();
                        const same = await plugin.call("diff", { urn, id, olds, news: inputs, oldInputs: inputs });
                        assert.equal(same.getChanges(), messages.DiffResponse.DiffChanges.DIFF_NONE);
                        await plugin.call("delete", { urn, id, properties: olds });
                        // The engine may get a line after the answer.
                        for (const row of rows) assert.ok(row === "" || urns.has(row), row);
                    },
                ),
                { numRuns: 40, endOnFailure: true },
            );
            const files = await readdir(home, { recursive: true });
            assert.ok(
                files.every((file) => /^(videograph|journal|[\w.-]+|[/\\])+$/.test(file)),
                files.join("\n"),
            );
        });
    });

    describe("of programs", () => {
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
        for (const [face, project, stackName, declared, ...reserved] of [
            ["native", "videograph", "default", raw, "default", defaultName],
            ["dynamic", "pulumi", "index", own, "provider", defaultName],
        ] as const)
            it(`two live and go together, in project ${project} and stack ${stackName}, ${face} (D1, D3)`, async () => {
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
                const names = fc.sample(fc.uniqueArray(name, { minLength: 4, maxLength: 4 }), 1).flat();
                const others = names.filter((one) => !(reserved as readonly string[]).includes(one));
                // A provider has the first name of a program.
                const programs = reserved.map((first) => [first, ...others.splice(0, 1)]);
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
                        for (const name of names) {
                            const film = new videograph.Content(name, { title: name, content: [{ url }], tags: ["a"] }, { parent });
                            new videograph.Livestream(name, { title: name }, { provider });
                            new videograph.Clip(name, { title: name, contentId: film.id, startTime: 0, endTime: 1 }, { provider });
                            new videograph.ContentReadiness(name, { contentIds: [film.id] }, { provider });
                        }
                        const keys = names.filter((name) => !/\\/|::|^__proto__$/.test(name)).concat("key");
                        const contents = Object.fromEntries(keys.map((key) => [key, { title: key, content: [{ url }] }]));
                        const library = new videograph.ContentLibrary(names[1], { contents }, { provider });
                        const recorded = videograph.getLivestreamsOutput({ record: true }, { provider });
                        return [library.contents.apply(Object.keys), recorded.apply(({ livestreams }) => livestreams.length)];
                    });`);
                await stack.up();
                const found = (await stack.outputs()).found as [string[], number][];
                const keys = found.flatMap(([keys]) => keys).sort();
                assert.deepEqual(keys, [...all.filter(isKey), "key", "key"].sort());
                assert.deepEqual(
                    found.map(([, recorded]) => recorded),
                    [1, 1],
                );
                assert.equal(eu.contents().length, 8 + keys.length);
                const regionsOf = (emulator: Emulator) =>
                    emulator.livestreams().flatMap(({ region, record }) => (record ? [] : [region]));
                assert.deepEqual(regionsOf(eu), new Array(4).fill("of-the-provider"));
                assert.deepEqual(regionsOf(testbed.emulator), ["of-the-environment"]);
                await stack.destroy();
                assert.deepEqual(eu.contents(), []);
                assert.deepEqual([...regionsOf(eu), ...regionsOf(testbed.emulator)], []);
                if (face !== "native") return;
                const file = `Pulumi.${stackName}.yaml`;
                const text = await readFile(join(stack.folder, file), "utf8");
                await stack.write(file, `${text.trimEnd()}\n  videograph:acessTokenID: mistyped\n`);
                await stack.previewFails(
                    /The videograph configuration: acessTokenID is not a known property.*`accessTokenId`/,
                );
            });
    });
});
