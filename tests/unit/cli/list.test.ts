/** `pulumi-videograph list`: the videos of a state, in its three forms, without a secret. */
import assert from "node:assert/strict";
import { pack } from "../../../provider/dist/evidence/library.js";
import { World } from "./support.ts";

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "djE6cGxhaW4=" };
const urn = (type: string, name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/videograph:${kind}`;
const resource = (type: string, name: string, id: string, outputs: object, more = {}) => {
    return { type, urn: urn(type, name), id, outputs, ...more };
};
const playable = (id: string) => ({
    ...{ status: "Ready", duration: 83_000, playbackUrl: `https://play.example.com/${id}/master.m3u8?token=t0ken` },
    thumbnailUrl: `https://play.example.com/${id}/thumbnail.jpg?token=t0ken`,
});
const library = (entries: unknown, results: unknown) => ({
    ...{ results, __entries: entries },
    __meta: {
        v: 1,
        entries: pack([
            ["mole", "c3", {}],
            ["quay", "c4", {}],
        ]),
    },
});

const state = {
    deployment: {
        resources: [
            { type: "pulumi:pulumi:Stack", urn: urn("pulumi:pulumi:Stack", "shop-dev") },
            resource(dynamic("Content"), "tides", "c1", {
                title: "Tides <b>",
                playbackPolicy: ["public"],
                ...playable("c1"),
            }),
            resource("videograph:index:Content", "storm", "c2", {
                title: secret,
                playbackPolicy: ["signed"],
                ...playable("c2"),
            }),
            resource(dynamic("Content"), "doubt", "unconfirmed-0123456789ab", {
                title: "Doubt",
                status: "Unconfirmed",
            }),
            resource(dynamic("Content"), "read", "c9", { title: "Only read" }, { external: true }),
            resource(
                dynamic("ContentLibrary"),
                "archive",
                "library-1",
                library(pack([{ title: "The mole" }, { title: "The quay" }]), JSON.stringify({ mole: playable("c3") })),
            ),
            resource(dynamic("ContentLibrary"), "hidden", "library-2", library(secret, secret)),
            resource(dynamic("Livestream"), "live", "s1", {
                ...{ title: "Live", status: "Idle", streamKey: secret, rtmpUrl: "rtmp://ingest.example.com:1935/live" },
                playbackUrl: "https://play.example.com/s1/master.m3u8",
            }),
        ],
    },
};

describe("pulumi-videograph list", () => {
    it("lists what the stack has, with its addresses and no secret", async () => {
        using world = new World();
        world.printed["stack export"] = JSON.stringify(state);
        const { code, stdout } = await world.run("list", "--html", "videos.html");
        assert.equal(code, 0);
        assert.equal(
            stdout,
            `shop/dev: 7 videos, 1 livestream
Content doubt "Doubt" Unconfirmed
Content storm "[secret]" Ready, 1:23 min
    https://play.example.com/c2/master.m3u8
Content tides "Tides <b>" Ready, 1:23 min
    https://play.example.com/c1/master.m3u8
Content archive/mole "The mole" Ready, 1:23 min
    https://play.example.com/c3/master.m3u8
Content archive/quay "The quay" unknown
Content hidden/mole "[secret]" [secret]
    [secret]
Content hidden/quay "[secret]" [secret]
    [secret]
Livestream live "Live" Idle
    https://play.example.com/s1/master.m3u8
    ingest: rtmp://ingest.example.com:1935/live
`,
        );
        const page = world.read("videos.html");
        assert.match(page, /<h3 dir="auto">Tides &lt;b&gt;<\/h3>/);
        // Only a public video has a picture.
        assert.deepEqual(page.match(/src="[^"]*"/g), [
            'src="https://play.example.com/c1/thumbnail.jpg"',
            'src="https://play.example.com/c3/thumbnail.jpg"',
        ]);
        assert.doesNotMatch(stdout + page, /t0ken|djE6cGxhaW4|Only read/);
    });

    it("prints a document, of any stack that is named, also of an empty one", async () => {
        using world = new World();
        world.printed["stack export --stack dev"] = JSON.stringify(state);
        const { stdout } = await world.run("list", "--json", "--stack", "dev");
        const { version, project, stack, videos } = JSON.parse(stdout);
        assert.deepEqual([version, project, stack, videos.length], [1, "shop", "dev", 8]);
        assert.deepEqual(videos.at(-1), {
            ...{ kind: "Livestream", name: "live", id: "s1", title: "Live", status: "Idle" },
            playbackUrl: "https://play.example.com/s1/master.m3u8",
            ingestUrl: "rtmp://ingest.example.com:1935/live",
        });
        world.printed["stack export"] = '{"version":3,"deployment":{}}';
        assert.equal((await world.run("list")).stdout, "The stack has no resources.\n");
    });
});
