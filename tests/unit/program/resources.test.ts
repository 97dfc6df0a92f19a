/** Resources and lookups in a program's own unit tests, where nothing but mocks answers. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { startEmulator } from "videograph-emulator";
import * as videograph from "../../../provider/dist/index.js";
import type { lookups } from "../../../provider/dist/lookups/definitions.js";
import * as native from "../../../provider/dist/native/index.js";

const args = { title: "Trailer", content: [{ url: "https://media.example.com/a.mp4" }] };
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
    afterEach(() => process.chdir(folder));

    it("needs no working folder that the package can be loaded from", async () => {
        const trailer = new videograph.Content("trailer", args);
        assert.equal(await promised(trailer.contentId), "trailer-id");
        assert.equal(await promised(trailer.status), "Ready");
        // Nothing that is random: a test may compare all inputs.
        const names = registered.map(({ inputs }) => Object.keys(inputs).sort());
        assert.deepEqual(names, [["__attempt", "__provider", "__urn", "content", "title"]]);
        assert.equal(registered[0]?.inputs.__attempt, "new");
    });

    it("L8, S5: what the engine could not be told is an error at once, and nothing is registered", async () => {
        const imported = { import: "id-1" };
        assert.throws(() => new videograph.Content("trailer", args, imported), /"trailer".*Set the input importId/);
        const { Livestream } = videograph;
        assert.throws(() => new Livestream("stage", { title: "Stage" }, imported), /Livestream "stage".*importId/);
        const metadata = JSON.parse('{ "season": "2", "__proto__": "x" }') as Record<string, string>;
        const both = { contents: { a: args }, catalogue: '{"key":"b"}' };
        for (const face of [videograph, native]) {
            const lost = /^Error: metadata has the key __proto__/;
            assert.throws(() => new face.Content("trailer", { ...args, metadata }), lost);
            assert.throws(() => new face.Livestream("stage", { title: "Stage", metadata }), lost);
            for (const odd of ["5 minutes", "soon", "", 5 as unknown as string])
                assert.throws(
                    () => new face.Content("trailer", args, { customTimeouts: { create: "5m", delete: odd } }),
                    /^Error: Content "trailer": customTimeouts\.delete must be a duration such as "5m" .*VG2001/,
                );
            const timeouts =
                /^Error: \w+ "films": customTimeouts must be an object such as \{ create: "5m" \} \[VG2001\]/;
            const unknown =
                /^Error: \w+ "films": customTimeouts\.ready .* correct it to create, update or delete \[VG2006\]/;
            for (const kind of ["Content", "Clip", "Livestream", "ContentLibrary", "ContentReadiness"] as const) {
                const declared = face[kind] as new (name: string, args: object, opts: object) => unknown;
                const make = (customTimeouts: unknown) => () => new declared("films", {}, { customTimeouts });
                for (const odd of ["5m", 5, ["5m"], pulumi.output({ create: "5m" })])
                    assert.throws(make(odd), timeouts, kind);
                assert.throws(make({ create: "5m", ready: "5m" }), unknown, kind);
            }
            const list = Array.from({ length: 2_000 }, () => args) as unknown as Record<string, typeof args>;
            const library = (given: object) => () => new face.ContentLibrary("films", given);
            assert.throws(
                library({ contents: list }),
                /^Error: ContentLibrary "films": contents must be an object whose keys .*position.*VG2001/,
            );
            assert.throws(library(both), /"films": declare either contents or catalogue.*VG2030/);
            // The other forms are refused by the check.
            const rows = Array.from({ length: 201 }, (_, index) => [`row-${index}`, { ...args, key: "K-17" }]);
            assert.throws(
                library({ contents: Object.fromEntries(rows) }),
                /^Error: ContentLibrary "films": contents\["row-0"\]\.key is not a known property.*VG2006/,
            );
        }
        assert.deepEqual(registered, []);
        for (const [own, problem] of [
            [{ acessTokenId: "x" }, /"eu": acessTokenId is not a known property: .* to `accessTokenId` \[VG2006\]/],
            [{ accessTokenId: 4711 }, /"eu": accessTokenId must be a string: put the number in quotes/],
            [{ secretKey: "one\ntwo" }, /"eu": secretKey must be one line/],
        ] as [object, RegExp][])
            assert.throws(() => new videograph.Provider("eu", own), problem);
        // A promise or an Output that fails is reported again by Node when the SDK comes to it.
        const wrong: [keyof typeof lookups, object, string][] = [
            ["getContent", { id: "x" }, "id is not a known property: remove it, or correct it to `contentId` [VG2006]"],
            ["getContent", { contentId: undefined }, "contentId must be set [VG2001]"],
            ["getLivestream", {}, "streamUUID must be set [VG2001]"],
            ["getLivestreams", { record: "true" }, "record must be true or false, without quotes [VG2001]"],
            [
                "getContents",
                { titel: "T" },
                "titel is not a known property: remove it, or correct it to `title` [VG2006]",
            ],
        ];
        const mistyped = "acessTokenId is not a known property: remove it, or correct it to `accessTokenId` [VG2006]";
        const refused = { message: `The videograph configuration: ${mistyped}` };
        // The plugin refuses it for resources without a provider of their own.
        const uses = [
            () => new videograph.Content("trailer", args),
            () => new videograph.Provider("eu", {}),
            () => new native.Provider("eu", {}),
            () => videograph.getContentsOutput(),
        ];
        for (const project of ["shop", "videograph"]) {
            await pulumi.runtime.setMocks(mocks, project);
            pulumi.runtime.setAllConfig({ "videograph:config:acessTokenId": "x", "shop:sourceUrl": "x" });
            for (const use of uses) assert.throws(use, refused);
            // Keys of a project of the package's name are its own, and some are the engine's (D3).
            pulumi.runtime.setAllConfig({ "videograph:sourceUrl": "x", "videograph:pluginDownloadURL": "x" });
            if (project === "shop")
                for (const use of uses) assert.throws(use, /sourceUrl is not .* one of `accessTokenId`/);
            else for (const use of uses.slice(0, 3)) use();
        }
        pulumi.runtime.setAllConfig({});
        for (const face of [videograph, native])
            for (const [name, given, message] of wrong)
                for (const form of [name, `${name}Output`] as const)
                    assert.throws(() => (face[form] as (args: object) => unknown)(given), {
                        message: `The arguments of ${form}: ${message}`,
                    });
        const provider = new videograph.Provider("other", {});
        const calls: [unknown, unknown, RegExp][] = [
            ["one", {}, /^The arguments of getContents must be an object, such as \{ title: … \} \[VG2001\]$/],
            [
                {},
                { providr: provider },
                /^The options of getContents: providr is .* correct it to `provider` \[VG2006\]$/,
            ],
            [{}, provider, /^The options of getContents must be an object, such as \{ provider: … \} \[VG2001\]$/],
        ];
        for (const face of [videograph, native])
            for (const [given, options, message] of calls)
                assert.throws(() => (face.getContents as (...all: unknown[]) => unknown)(given, options), { message });
        for (const face of [videograph, native])
            void face.getContentsOutput({ title: pulumi.output(pulumi.unknown) as never, tags: [pulumi.output("a")] });
    });

    it("S5: null is no form of a library, and the check says so where there is no other", async () => {
        const entry = { a: args };
        for (const face of [videograph, native]) {
            for (const nothing of [null, pulumi.output(null)] as never[]) {
                const films = new face.ContentLibrary("none", { contents: nothing });
                assert.equal(await promised(films.id), "none-id");
                const more = new face.ContentLibrary("one", { contents: entry, catalogue: nothing });
                assert.equal(await promised(more.id), "one-id");
            }
        }
        const isGiven = registered.map(({ name, inputs }) => `${name} ${Boolean(inputs.contents ?? inputs.catalogue)}`);
        assert.deepEqual([...new Set(isGiven)], ["none false", "one true"]);
    });

    it("lookups use the provider of their parent, and wait for what they depend on", async () => {
        const emulator = await startEmulator({ fetchSources: false });
        try {
            emulator.addContent({ title: "Found" });
            const provider = new videograph.Provider("eu", {
                accessTokenId: emulator.token.id,
                secretKey: emulator.token.secret,
                baseUrl: emulator.url,
            });
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
            process.env.VIDEOGRAPH_SECRET_KEY = emulator.token.secret;
            const info = mock.method(pulumi.log, "info", async () => undefined);
            const { id: accessTokenId } = emulator.token;
            const elsewhere = new videograph.Provider("elsewhere", { accessTokenId, baseUrl: `${emulator.url}/` });
            for (let times = 0; times < 2; times++) await videograph.getContents({}, { provider: elsewhere });
            const said = info.mock.calls.map((call) => String((call.arguments as unknown[])[0]));
            assert.match(said.join("\n"), /^Requests go to http:.*, from the videograph\.Provider, but .*\[VG1015\]$/);
            // A component stands for what is in it, at any depth.
            const shelf = new pulumi.ComponentResource("shop:Shelf", "shelf", {}, { parent });
            const twoLookups = videograph
                .getContents({}, { parent })
                .then(() => videograph.getContents({}, { parent }));
            const title = twoLookups.then(() => "Late");
            const lookup = videograph.getContentsOutput({}, { provider, dependsOn: parent });
            new videograph.Content("late", { ...args, title }, { parent: shelf });
            await promised(lookup.contents);
            assert.ok(registered.some(({ name }) => name === "late"));
        } finally {
            mock.restoreAll();
            delete process.env.VIDEOGRAPH_SECRET_KEY;
            await emulator.close();
        }
    });
});
