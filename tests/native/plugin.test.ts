/** The plugin's process, spoken to as the engine does: over gRPC. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Emulator, startEmulator } from "videograph-emulator";
import { pack } from "../../provider/dist/evidence/library.js";
import { hasUnknown, unknownValue } from "../../provider/dist/inputs/values.js";
import { schemaFor } from "../../provider/dist/native/schemaFor.js";
import {
    type Message,
    messages,
    PluginProcess,
    pluginFolder as plugin,
    providerRpc,
    reasonsOf,
    requestOf,
} from "../support/pluginProcess.ts";

const repository = join(import.meta.dirname, "..", "..");

type Properties = Record<string, unknown>;
const urnOf = (kind: string) => `urn:pulumi:dev::shop::videograph:index:${kind}::one`;
const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const plain = (struct: Message): Properties => struct?.toJavaScript() ?? {};

describe("The plugin's process", () => {
    let home: string;
    let emulator: Emulator;
    let running: PluginProcess;

    const call = (method: string, fields?: Properties): Promise<Message> => running.call(method, fields);
    const configure = (args: Properties) => call("configure", { args, name: "default_0_1_0" });
    const credentials = () => ({
        baseUrl: emulator.url,
        accessTokenId: emulator.token.id,
        secretKey: secret(emulator.token.secret),
    });
    const diff = async (kind: string, id: string, olds: Properties, news: Properties, oldInputs: Properties) => {
        const answer = await call("diff", { urn: urnOf(kind), id, olds, news, oldInputs });
        const paths: Record<string, string> = {};
        const kinds = Object.entries(messages.PropertyDiff.Kind as Record<string, number>);
        answer.getDetaileddiffMap().forEach((value: Message, path: string) => {
            const found = kinds.find(([, number]) => number === value.getKind());
            paths[path] = `${found?.[0]}${value.getInputdiff() ? "" : " of outputs"}`;
        });
        return { changes: answer.getChanges(), paths, replaces: answer.getReplacesList() };
    };
    const failureOf = (promise: Promise<unknown>): Promise<string> =>
        promise.then(
            () => assert.fail("It should have failed"),
            ({ details }) => details,
        );
    const video = {
        title: "Trailer",
        content: [{ url: "https://media.example.com/a.mp4" }],
        playbackPolicy: ["public"],
    };

    before(async () => {
        home = await mkdtemp(join(tmpdir(), "videograph-plugin-"));
        emulator = await startEmulator({ processingTimeMs: 100, fetchSources: false });
        running = await PluginProcess.start(home);
    });
    beforeEach(() => emulator.reset());
    after(async () => {
        await running.stop();
        await emulator.close();
        await rm(home, { recursive: true, force: true });
    });

    it("is one file of at most 3 MB with its schema, and says its version", async () => {
        assert.ok((await stat(join(plugin, "index.js"))).size <= 3_000_000);
        const schema = JSON.parse(await readFile(join(plugin, "schema.json"), "utf8"));
        const manifest = JSON.parse(await readFile(join(repository, "provider", "package.json"), "utf8"));
        assert.equal(schema.version, manifest.version);
        assert.deepEqual(JSON.parse((await call("getSchema")).getSchema()), schema);
        // `pulumi package add` starts it in the folder of the project.
        await writeFile(join(home, "Pulumi.yaml"), "name: films\nruntime: dotnet\n");
        assert.equal((await call("getSchema")).getSchema(), schemaFor(JSON.stringify(schema), "dotnet"));
        await rm(join(home, "Pulumi.yaml"));
        assert.equal((await call("getPluginInfo")).getVersion(), manifest.version);
    });

    it("that is started by hand says who starts it, and ends", async () => {
        const child = spawn(join(plugin, "pulumi-resource-videograph"), [], { stdio: ["ignore", "pipe", "pipe"] });
        const said = text(child.stderr);
        assert.deepEqual(await once(child, "close"), [1, null]);
        assert.match(await said, /^This is the Videograph resource plugin .* The Pulumi CLI starts it/);
    });

    it("S5: names every unknown setting and what is wrong with the others, quotes nothing, and encrypts the secret", async () => {
        const check = (news: Properties) => call("checkConfig", { news });
        const answer = await check({
            acessTokenId: "a",
            baseUrl: "http://example.com",
            secretKey: "plain",
            version: "0.1.0",
            region: 5,
        });
        const failures = reasonsOf(answer);
        assert.match(failures.join("\n"), /^acessTokenId is not a known property.*`accessTokenId`/m);
        assert.match(failures.join("\n"), /^baseUrl: .*https/m);
        assert.match(failures.join("\n"), /^region must be a string/m);
        assert.equal(failures.length, 3);
        assert.doesNotMatch(failures.join(), /example\.com|plain/);
        assert.deepEqual(plain(answer.getInputs()).secretKey, secret("plain"));
        // A program's provider has the stack's settings as well.
        const stack = { __fromStack: { region: "eu", secretKey: secret("stack's") } };
        assert.deepEqual(plain((await check(stack)).getInputs()), stack);
        const wrong = { trustNotFound: "yes", accessTokenId: "a:b", secretKey: "one\ntwo" };
        assert.deepEqual(reasonsOf(await check(wrong)).sort(), [
            "accessTokenId must be one line without a colon [VG2001]",
            "secretKey must be one line [VG2001]",
            "trustNotFound must be true or false [VG2001]",
        ]);
        const right = { trustNotFound: true, accessTokenId: "a-b\n", secretKey: "one:two" };
        assert.deepEqual(reasonsOf(await check(right)), []);
    });

    it("S3, S5: a secret in a secret stays one, and a value that is not known yet is no problem", async () => {
        const check = async (more: Properties) =>
            plain((await call("check", { urn: urnOf("Content"), news: { ...video, ...more } })).getInputs());
        const { title } = await check({ title: secret(secret("Quiet")) });
        assert.deepEqual(title, secret("Quiet"));
        assert.ok(hasUnknown(await check({ content: [{ url: unknownValue }] })));
    });

    it("problems name properties as Python does, but those of a catalogue and of the configuration as these have them", async () => {
        const folder = join(home, "of Python");
        await mkdir(folder);
        await writeFile(join(folder, "Pulumi.yaml"), "name: films\nruntime: python\n");
        const python = await PluginProcess.start(folder);
        const check = async (method: "check" | "checkConfig", urn: string, news: Properties) =>
            reasonsOf(await python.call(method, { urn, news })).join("\n");
        const entry = { title: "A", playbackPolcy: ["public"], content: [{ url: "https://media.example.com/a.mp4" }] };
        const catalogue = JSON.stringify({ key: "a", ...entry });
        const library = (news: Properties) => check("check", urnOf("ContentLibrary"), news);
        assert.match(await library({ contents: { a: entry } }), /\["a"\]\.playbackPolcy .*`playback_policy`/);
        assert.match(await library({ catalogue }), /\["a"\]\.playbackPolcy .*`playbackPolicy`/);
        const provider = (name: string) =>
            check("checkConfig", `urn:pulumi:dev::shop::pulumi:providers:videograph::${name}`, { acessTokenId: "a" });
        assert.match(await provider("eu"), /`access_token_id`/);
        assert.match(await provider("default"), /`accessTokenId`/);
        await python.stop();
    });

    it("a difference names paths, as the engine parses them", async () => {
        const olds = {
            ...video,
            status: "Ready",
            metadata: { "a.b": "1", keep: "k" },
            __meta: { v: 1, fingerprint: "", mark: "m" },
        };
        const { status, __meta, ...oldInputs } = olds;
        const news = {
            ...oldInputs,
            content: [{ url: "https://media.example.com/b.mp4" }],
            metadata: { "a.b": "2", keep: "k", added: "3" },
        };
        const replaced = await diff("Content", "id", olds, news, oldInputs);
        assert.deepEqual(replaced.paths, { "content[0].url": "UPDATE_REPLACE" });
        assert.deepEqual(replaced.replaces, ["content"]);
        const { title } = news;
        const inPlace = await diff("Content", "id", olds, { ...oldInputs, metadata: news.metadata, title }, oldInputs);
        assert.deepEqual(inPlace.paths, { 'metadata["a.b"]': "UPDATE", "metadata.added": "ADD" });
        const failed = await diff("Content", "id", { ...olds, status: "Failed" }, oldInputs, oldInputs);
        assert.deepEqual(failed.paths, { status: "UPDATE_REPLACE of outputs" });
        const { DIFF_NONE } = messages.DiffResponse.DiffChanges;
        assert.equal((await diff("Content", "id", olds, oldInputs, oldInputs)).changes, DIFF_NONE);
        // The engine reads each path, and could not read one with such a key (L5).
        for (const key of ["", "a\\"]) {
            const [before, after] = [{ [key]: "1" }, { [key]: "2", season: "2" }].map((metadata) => ({ metadata }));
            const odd = { ...oldInputs, ...before };
            const { paths } = await diff("Content", "id", { ...olds, ...before }, { ...odd, ...after }, odd);
            assert.deepEqual(paths, { metadata: "UPDATE" });
        }
    });

    it("S3: a read marks the record of a library by the program's inputs, and a value that becomes a secret is recorded again (X1, X2)", async () => {
        await configure(credentials());
        const record = pack([]);
        const read = async (tag: unknown) => {
            const properties = { contents: {}, __entries: record, __meta: { v: 1, entries: record } };
            const inputs = { contents: {}, defaults: { tags: [tag] } };
            return call("read", { urn: urnOf("ContentLibrary"), id: "library-1", properties, inputs });
        };
        assert.deepEqual(plain((await read(secret("a tag"))).getProperties()).__entries, secret(record));
        assert.equal(plain((await read("a tag")).getProperties()).__entries, record);

        const metadata = { code: "S", season: "2" };
        const olds = { ...video, metadata, status: "Ready", __meta: { v: 1 } };
        const before = { ...video, metadata };
        const now = { ...video, metadata: { ...metadata, code: secret("S") } };
        const { changes, paths } = await diff("Content", "one", olds, now, before);
        assert.deepEqual([changes, paths], [2, { metadata: "UPDATE of outputs" }]);
        assert.equal((await diff("Content", "one", { ...olds, metadata: secret(metadata) }, now, before)).changes, 1);
        assert.equal((await diff("Content", "one", olds, before, now)).changes, 1);
    });

    it("N3: an update preview keeps known what the update cannot change, and only that", async () => {
        const preview = async (olds: Properties, news: Properties) => {
            const update = { urn: urnOf("Content"), id: "id", olds, news, oldInputs: video, preview: true };
            return plain((await call("update", update)).getProperties());
        };
        const computed = { status: "Ready", playbackUrl: "p", thumbnailUrl: "", duration: 0 };
        const olds = { ...video, ...computed, __meta: { v: 1, fingerprint: "", mark: "m" } };
        const news = { ...video, title: "Other" };
        assert.deepEqual(await preview(olds, news), { ...news, ...computed });
        assert.deepEqual(await preview({ ...olds, status: "Preparing" }, news), news);
    });

    it("S8: ends by itself when the engine was killed before it was reached", async () => {
        const late = spawn(join(plugin, "pulumi-resource-videograph"), ["127.0.0.1:1"], { cwd: home, stdio: "ignore" });
        const [code] = await once(late, "exit");
        assert.equal(code, 0);
    });

    it("lists the contents that match, as many as asked for, and reads no more of the list than these need", async () => {
        await configure(credentials());
        const list = async (kind: string, query: Properties, limit = 0) => {
            const request = requestOf("list", { token: `videograph:index:${kind}`, limit, query });
            const found: Record<string, string> = {};
            for await (const answer of running.client.list(request)) {
                const result = answer.getResult();
                found[result.getId()] = result.getName();
            }
            return found;
        };
        const titles = Array.from({ length: 250 }, (_, index) => {
            const [title, tags] = [`Video ${index % 5}`, index % 2 === 0 ? ["even"] : []];
            return [emulator.addContent({ title, tags }).contentId, title];
        });
        assert.deepEqual(await list("Content", { title: null }), Object.fromEntries(titles));
        const some = titles.filter(([, title], index) => title === "Video 2" && index % 2 === 0);
        assert.deepEqual(await list("Content", { title: "Video 2", tags: ["even"] }), Object.fromEntries(some));
        emulator.clearRequests();
        assert.equal(Object.keys(await list("Content", { status: "Ready" }, 3)).length, 3);
        assert.equal(emulator.requests.length, 1);
        assert.match(await failureOf(list("Livestream", { titel: "Stage" })), /titel/);
        assert.match(await failureOf(list("ContentReadiness", {})), /ContentReadiness/);
    });

    it("a key that gets lost on the way is refused, and a text that looks like one is not", async () => {
        const checked = async (metadata: Properties) => {
            const request = requestOf("check", { urn: urnOf("Content"), news: { ...video, metadata } });
            // As another language sends it.
            const bytes = Buffer.from(request.serializeBinary());
            for (let at = bytes.indexOf("__PROTO__"); at !== -1; at = bytes.indexOf("__PROTO__"))
                bytes.write("__proto__", at);
            const { path, responseDeserialize } = providerRpc.ResourceProviderService.check;
            const answer = await new Promise<Message>((resolve, reject) => {
                const same = (sent: Buffer) => sent;
                const done = (error: Error | null, found: Message) => (error ? reject(error) : resolve(found));
                running.client.makeUnaryRequest(path, same, responseDeserialize, bytes, done);
            });
            return reasonsOf(answer);
        };
        assert.match(String(await checked({ season: "2", __PROTO__: "x" })), /has the key __proto__.*\[VG2028\]/);
        assert.deepEqual(await checked({ season: "\n\t__PROTO__", a__PROTO__: "x" }), []);
    });

    it("S5: the names that exist are those of native types", async () => {
        const problemsOf = async (kind: string, news: Properties) =>
            reasonsOf(await call("check", { urn: urnOf(kind), news })).join("\n");
        for (const kind of ["Content", "Clip", "Livestream"]) {
            const problems = await problemsOf(kind, { ...video, zzzzzzzz: 1 });
            assert.match(problems, /zzzzzzzz is not a known property.*`title`/);
            assert.doesNotMatch(problems, /importId/);
        }
        const entry = { ...video, zzzzzzzz: 1 };
        assert.match(await problemsOf("ContentLibrary", { contents: { a: entry } }), /zzzzzzzz is not .*`importId`/);
    });

    it("what does not exist, or is being deleted, is nothing to import; the first is an error of a lookup", async () => {
        await configure(credentials());
        const content = { urn: urnOf("Content"), id: "no-such-id" };
        const noImport = await failureOf(call("read", content));
        assert.match(noImport, /^Content no-such-id does not exist, or these credentials cannot see it/);
        const noObject = call("read", { urn: urnOf("ContentLibrary"), id: "films" });
        await assert.rejects(noObject, /has no id to import.*importId.*VG8008/);
        // Of `.get` and of `pulumi do` the engine says it itself.
        assert.equal((await call("read", { ...content, inputs: {}, properties: {} })).getId(), "");
        const { streamUUID } = emulator.addLivestream({ title: "Leaving" });
        const stream = { urn: urnOf("Livestream"), id: streamUUID };
        assert.equal((await call("read", stream)).getId(), streamUUID);
        emulator.updateLivestream(streamUUID, { status: "Deleting" });
        assert.equal((await call("read", stream)).getId(), "");
        const invoke = (args: Properties) => call("invoke", { tok: "videograph:index:getContent", args });
        const message = await failureOf(invoke({ contentId: "no-such-id" }));
        assert.match(message, /GET \/contents\/no-such-id: .*404/);
        const mistyped = call("invoke", { tok: "videograph:index:getContnt" });
        await assert.rejects(
            mistyped,
            /no .* function videograph:index:getContnt: correct it to `videograph:index:getContent`/,
        );
        assert.deepEqual(reasonsOf(await invoke({})), ["contentId must be set [VG2001]"]);
    });
});
