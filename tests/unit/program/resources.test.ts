/** Resources and lookups in a program's own unit tests, where nothing but mocks answers. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "videograph-emulator";
import * as videograph from "../../../provider/dist/index.js";
import type { lookups } from "../../../provider/dist/lookups/definitions.js";
import * as native from "../../../provider/dist/native/index.js";
import { lifecycles } from "../../../provider/dist/resources/index.js";
import type { ResourceKind } from "../../../provider/dist/typeTokens.js";

const args = { title: "Trailer", content: [{ url: "https://media.example.com/a.mp4" }] };
const imported = { import: "id-1" };
const faces = [videograph, native];
type Face = (typeof faces)[number];
const promised = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

describe("a program under mocks", () => {
    const folder = process.cwd();
    let registered: pulumi.runtime.MockResourceArgs[];

    const mocks: pulumi.runtime.Mocks = {
        newResource: (resource) => {
            registered.push(resource);
            return { id: `${resource.name}-id`, state: { ...resource.inputs, status: "Ready" } };
        },
        call: () => ({}),
    };

    beforeEach(async () => {
        registered = [];
        await pulumi.runtime.setMocks(mocks);
        // Nx and the like run tests from the root of a monorepo, where the package is not installed.
        process.chdir(tmpdir());
    });
    afterEach(() => {
        process.chdir(folder);
        delete process.env.VIDEOGRAPH_SECRET_KEY;
        mock.restoreAll();
        pulumi.runtime.setAllConfig({});
    });

    it("needs no working folder that the package can be loaded from", async () => {
        const trailer = new videograph.Content("trailer", args);
        assert.equal(await promised(trailer.contentId), "trailer-id");
        assert.equal(await promised(trailer.status), "Ready");
        // Nothing that is random: a test may compare all inputs.
        const names = registered.map(({ inputs }) => Object.keys(inputs).sort());
        assert.deepEqual(names, [["__attempt", "__provider", "__urn", "content", "title"]]);
        assert.equal(registered[0]?.inputs.__attempt, "new");
    });

    const declared = (kind: ResourceKind, given: object, opts?: object) => (face: Face) =>
        new (face[kind] as new (name: string, args: object, opts?: object) => unknown)("films", given, opts);
    const provider = (given: object) => (face: Face) => new face.Provider("eu", given);
    const metadata = JSON.parse('{ "season": "2", "__proto__": "x" }');
    const list = Array.from({ length: 2_000 }, () => args);
    // The other forms are refused by the check.
    const rows = Object.fromEntries(list.slice(0, 201).map((one, index) => [`row-${index}`, { ...one, key: "K-17" }]));
    const both = { contents: { a: args }, catalogue: '{"key":"b"}' };
    const lost = /^Error: metadata has the key __proto__/;
    const noKeys = /^Error: ContentLibrary "films": contents must be an object whose keys .*position.*VG2001/;
    const ownKey = /^Error: ContentLibrary "films": contents\["row-0"\]\.key is not a known property.*VG2006/;
    const mistyped = /"eu": acessTokenId is not a known property: .* to `accessTokenId` \[VG2006\]/;
    const refused: [what: string, call: (face: Face) => unknown, said: RegExp, only?: Face][] = [
        ["metadata with a key that the SDK drops", declared("Content", { ...args, metadata }), lost],
        ["a Livestream's metadata with such a key", declared("Livestream", { title: "Stage", metadata }), lost],
        ["a library that is a list", declared("ContentLibrary", { contents: list }), noKeys],
        ["a library in two forms", declared("ContentLibrary", both), /"films": declare either .* catalogue.*VG2030/],
        ["a library whose entries have keys inside", declared("ContentLibrary", { contents: rows }), ownKey],
        ["a dynamic Content's import", declared("Content", args, imported), /"films".*input importId/, videograph],
        ["a dynamic Livestream's import", declared("Livestream", {}, imported), /stream "films".*importId/, videograph],
        ["a mistyped setting of a provider", provider({ acessTokenId: "x" }), mistyped, videograph],
        ["a number as a setting", provider({ accessTokenId: 1 }), /"eu": access.* string: put .* quotes/, videograph],
        ["two lines as a setting", provider({ secretKey: "one\ntwo" }), /"eu": secretKey must be one line/, videograph],
    ];
    for (const [what, call, said, only] of refused)
        it(`L8, S5: ${what} is an error at once, and nothing is registered`, () => {
            for (const face of only ? [only] : faces) assert.throws(() => call(face), said);
            assert.deepEqual(registered, []);
        });

    it("S5: timeouts at which the engine would end the program are an error at once", () => {
        const notAnObject =
            /^Error: \w+ "films": customTimeouts must be an object such as \{ create: "5m" \} \[VG2001\]/;
        const unknown =
            /^Error: \w+ "films": customTimeouts\.ready .* correct it to create, update or delete \[VG2006\]/;
        const duration = /^Error: \w+ "films": customTimeouts\.delete must be a duration such as "5m" .*VG2001/;
        for (const face of faces)
            for (const kind of Object.keys(lifecycles) as ResourceKind[]) {
                const make = (customTimeouts: unknown) => () => declared(kind, {}, { customTimeouts })(face);
                for (const odd of ["5m", 5, ["5m"], pulumi.output({ create: "5m" })])
                    assert.throws(make(odd), notAnObject, kind);
                assert.throws(make({ create: "5m", ready: "5m" }), unknown, kind);
                for (const odd of ["5 minutes", "soon", "", 5])
                    assert.throws(make({ create: "5m", delete: odd }), duration, kind);
            }
        assert.deepEqual(registered, []);
    });

    it("warns of an option ignoreChanges that guards nothing: the SDK tells a dynamic provider nothing of it", async () => {
        const warn = mock.method(pulumi.log, "warn", async () => {});
        const said = (kind: ResourceKind, given: object, ignoreChanges: string[]) => {
            declared(kind, given, { ignoreChanges })(videograph);
            const texts = warn.mock.calls.map(({ arguments: [text] }) => text as string);
            warn.mock.resetCalls();
            return texts.map((text) => /names (\w+),.*`(\w+)`.*VG2060/.exec(text)?.slice(1));
        };
        assert.deepEqual(
            said("Content", args, ["title", "metadata.season", "content[0].url", '["tags"]', "*", "region"]),
            [],
        );
        assert.deepEqual(said("Content", args, ["PlaybackPolicy[0]", "titel", '["mp4support"]']), [
            ["PlaybackPolicy", "playbackPolicy"],
            ["titel", "title"],
            ["mp4support", "mp4Support"],
        ]);
        assert.deepEqual(said("ContentLibrary", { contents: { a: args } }, ["contents", "Defaults"]), [
            ["Defaults", "defaults"],
        ]);
        assert.deepEqual(said("ContentReadiness", { contentIds: ["a"] }, ["contentIDs"]), [
            ["contentIDs", "contentIds"],
        ]);
    });

    it("S5: refuses half of a character at the call, by its place: the engine would name no input", () => {
        const half = "a cut emoji \ud83d";
        for (const { Content, Livestream } of faces) {
            assert.throws(() => new Content("a", { ...args, title: half }), /^Error: title has half .*\[VG2055\]$/);
            const metadata = { season: "2", note: half };
            assert.throws(
                () => new Livestream("b", { title: "b", region: "us-east-1", metadata }),
                /metadata\.note has half/,
            );
            assert.throws(() => new Content("c", { ...args, tags: ["a", half] }), /tags\[1\] has half/);
            assert.doesNotThrow(() => new Content("d", { ...args, title: "a whole emoji 😀" }));
        }
    });

    it("S5: a mistyped key of the configuration is an error at every use", async () => {
        // The plugin refuses it for resources without a provider of their own.
        const uses = [
            () => new videograph.Content("trailer", args),
            () => new videograph.Provider("eu", {}),
            () => new native.Provider("eu", {}),
            () => videograph.getContentsOutput(),
        ];
        const mistyped = /The videograph configuration: acessTokenId is not .* `accessTokenId` \[VG2006\]/;
        // Which keys are meant as settings: tests/unit/native/configuration.test.ts.
        await pulumi.runtime.setMocks(mocks, "videograph");
        pulumi.runtime.setAllConfig({ "videograph:config:acessTokenId": "x" });
        for (const use of uses) assert.throws(use, mistyped);
        // Keys of a project of the package's name are its own, and some are the engine's (D3).
        pulumi.runtime.setAllConfig({ "videograph:sourceUrl": "x", "videograph:pluginDownloadURL": "x" });
        for (const use of uses.slice(0, 3)) use();
        await pulumi.runtime.setMocks(mocks, "shop");
        for (const use of uses) assert.throws(use, /sourceUrl is not .* one of `accessTokenId`/);
    });

    // A promise or an Output that fails is reported again by Node when the SDK comes to it.
    const wrong: [name: keyof typeof lookups, given: unknown, options: unknown, said: RegExp][] = [
        ["getContent", { id: "x" }, {}, /^The arguments of \w+: id is not .* correct it to `contentId` \[VG2006\]$/],
        ["getContent", { contentId: undefined }, {}, /^The arguments of \w+: contentId must be set \[VG2001\]$/],
        ["getLivestream", {}, {}, /^The arguments of \w+: streamUUID must be set \[VG2001\]$/],
        ["getLivestreams", { record: "true" }, {}, /^The arguments of \w+: record must be true or false, without /],
        ["getContents", { titel: "T" }, {}, /^The arguments of \w+: titel is not .* correct it to `title` \[VG2006\]$/],
        ["getContents", "one", {}, /^The arguments of \w+ must be an object, such as \{ title: … \} \[VG2001\]$/],
        ["getContents", {}, { providr: 1 }, /^The options of \w+: providr is .* correct it to `provider` \[VG2006\]$/],
        ["getContents", {}, "a provider", /^The options of \w+ must be an object, such as \{ provider: … \} /],
    ];
    for (const [name, given, options, message] of wrong)
        it(`S5: ${name} refuses at the call, with ${JSON.stringify([given, options])}`, () => {
            const own = options === "a provider" ? new videograph.Provider("own", {}) : options;
            for (const face of faces)
                for (const form of [name, `${name}Output`] as const) {
                    const lookup = face[form] as (args: unknown, opts: unknown) => unknown;
                    assert.throws(() => lookup(given, own), { message });
                }
        });

    it("S5: a lookup takes values that are not known yet", () => {
        for (const face of faces)
            face.getContentsOutput({ title: pulumi.output(pulumi.unknown) as never, tags: [pulumi.output("a")] });
    });

    it("S5: null is no form of a library, and a library without a form is left to the check", async () => {
        for (const face of faces)
            for (const nothing of [null, pulumi.output(null)] as never[]) {
                await promised(new face.ContentLibrary("none", { contents: nothing }).id);
                await promised(new face.ContentLibrary("one", { contents: { a: args }, catalogue: nothing }).id);
            }
        const isGiven = registered.map(({ name, inputs }) => `${name} ${Boolean(inputs.contents ?? inputs.catalogue)}`);
        assert.deepEqual([...new Set(isGiven)], ["none false", "one true"]);
    });

    it("two runs of one process are as two processes: a token that was refused is used again (E2)", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        const { id: accessTokenId, secret: secretKey } = emulator.token;
        const lookUp = () => {
            const provider = new videograph.Provider("eu", { accessTokenId, secretKey, baseUrl: emulator.url });
            return videograph.getContents({}, { provider });
        };
        emulator.inject({ kind: "status", status: 401, times: 1 });
        await assert.rejects(lookUp, /HTTP 401.*VG1010/);
        // Within the run it is not sent again.
        await assert.rejects(lookUp, /VG1012/);
        assert.equal(emulator.requests.length, 1);
        await pulumi.runtime.setMocks(mocks);
        assert.deepEqual(await lookUp(), { contents: [] });
        // One client for all lookups of a run.
        emulator.inject({ kind: "status", status: 401, times: 1 });
        await assert.rejects(lookUp, /HTTP 401.*VG1010/);
        await assert.rejects(lookUp, /VG1012/);
    });

    it("a library has the contents that it declares, or those of the mock, in each form and face (P4)", async () => {
        const one = { a: { title: "A" }, b: { title: "B" } };
        const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`row-${at}`, { title: `${at}` }]));
        const text = Object.entries(one)
            .map(([key, entry]) => JSON.stringify({ key, ...entry }))
            .join("\n");
        const shown = (face: Face, given: object) =>
            promised(new face.ContentLibrary("films", given as never).contents) as Promise<Record<string, object>>;
        for (const face of faces) {
            assert.deepEqual(await shown(face, { contents: one }), one);
            assert.deepEqual(await shown(face, { contents: pulumi.output(one) }), one);
            assert.deepEqual(await shown(face, { catalogue: text }), one);
            assert.deepEqual(Object.keys(await shown(face, { contents: many })).length, 201);
        }
        const contents = { a: { contentId: "id-1", status: "Ready" } };
        const made = { ...mocks, newResource: () => ({ id: "films", state: { contents } }) };
        await pulumi.runtime.setMocks(made);
        for (const face of faces) assert.deepEqual(await shown(face, { contents: one }), contents);
        await pulumi.runtime.setMocks({
            ...mocks,
            newResource: () => ({ id: "films", state: { results: JSON.stringify(contents) } }),
        });
        assert.deepEqual(await shown(videograph, { contents: one }), contents);
    });

    it("lookups use the provider of their parent, and wait for what they depend on", async () => {
        await using emulator = await startEmulator({ fetchSources: false });
        emulator.addContent({ title: "Found" });
        const { id: accessTokenId, secret: secretKey } = emulator.token;
        const provider = new videograph.Provider("eu", { accessTokenId, secretKey, baseUrl: emulator.url });
        const parent = new pulumi.ComponentResource("shop:Library", "library", {}, { providers: [provider] });
        const { contents } = await videograph.getContents({}, { parent });
        assert.equal(contents[0]?.title, "Found");
        const trailer = new videograph.Content("trailer", args, { parent });
        for (const options of [
            { parent, dependsOn: [trailer, parent] },
            { provider, dependsOn: trailer },
        ]) {
            const found = videograph.getContentsOutput({ title: "Found" }, options);
            assert.equal((await promised(found.contents)).length, 1);
            assert.ok(registered.some(({ name }) => name === "trailer"));
        }
        process.env.VIDEOGRAPH_SECRET_KEY = secretKey;
        const info = mock.method(pulumi.log, "info", async () => undefined);
        const elsewhere = new videograph.Provider("elsewhere", { accessTokenId, baseUrl: `${emulator.url}/` });
        for (let times = 0; times < 2; times++) await videograph.getContents({}, { provider: elsewhere });
        const said = info.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
        assert.match(said.join("\n"), /^Requests go to http:.*, from the videograph\.Provider, but .*\[VG1015\]$/);
        // A component stands for what is in it, at any depth.
        const shelf = new pulumi.ComponentResource("shop:Shelf", "shelf", {}, { parent });
        const lookUp = () => videograph.getContents({}, { parent });
        const title = lookUp()
            .then(lookUp)
            .then(() => "Late");
        const lookup = videograph.getContentsOutput({}, { provider, dependsOn: parent });
        new videograph.Content("late", { ...args, title }, { parent: shelf });
        await promised(lookup.contents);
        assert.ok(registered.some(({ name }) => name === "late"));
    });
});
