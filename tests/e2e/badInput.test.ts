/** S5: bad input fails in preview, names resource, path and fix, reports all at once and never quotes a value. */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { declare } from "../support/program.ts";

describe("Bad input (S5)", function () {
    this.timeout(180_000);
    const lab = useLab();

    it("of every kind is reported in one preview, by path and without a value", async () => {
        const stack = await lab.stack(
            declare("Content", "bad", {
                title: "  ",
                content: [{ url: "ftp://user:quoted-value-1@media.example.com/a.mp4" }, { url: 7 }],
                playbackPolicy: ["quoted-value-2"],
                tags: ["ok", 5],
                metadata: { season: 3, managed_by: "quoted-value-3" },
                mp4Support: "quoted-value-4",
                watermark: [{ xPos: "1px" }],
                subtitle: "quoted-value-5",
                titel: "quoted-value-6",
            }),
        );
        stack.secrets.push(...[1, 2, 3, 4, 5, 6].map((number) => `quoted-value-${number}`));
        const failed = await stack.previewFails(
            /bad/,
            /title/,
            /content\[0\]\.url/,
            /content\[1\]\.url/,
            /playbackPolicy\[0\]/,
            /tags\[1\]/,
            /metadata.*season/,
            /managed_by/,
            /mp4Support/,
            /watermark\[0\]\.url/,
            /subtitle/,
            /titel.*title/s,
        );
        assert.doesNotMatch(failed.output, /value \{/, "The engine printed a property's value");
        await stack.upFails(/content\[0\]\.url/);
        assert.deepEqual(lab.emulator.requests, []);
        assert.deepEqual(await stack.resources(), []);
    });

    it("of a livestream is reported the same way", async () => {
        const stack = await lab.stack(
            declare("Livestream", "bad", {
                region: "",
                record: "quoted-value-1",
                dvrDurationInMins: -5,
                recordingsPlaybackPolicy: [],
                metadata: ["quoted-value-2"],
            }),
        );
        stack.secrets.push("quoted-value-1", "quoted-value-2");
        await stack.previewFails(
            /title/,
            /region/,
            /record/,
            /dvrDurationInMins/,
            /recordingsPlaybackPolicy/,
            /metadata/,
        );
    });

    it("is told with its own way out: an empty title, no source, an unknown policy value", async () => {
        const content = [{ url: "https://media.example.com/trailer.mp4" }];
        const stack = await lab.stack("");
        for (const [args, ...expected] of [
            [{ title: "", content }, /title/],
            [{ title: "No source" }, /content/, /importId/],
            [{ title: "Empty list", content: [] }, /content/, /at least one/i],
            [{ title: "Policy", content, playbackPolicy: ["private"] }, /playbackPolicy/, /public.*signed/],
        ] as const) {
            await stack.program(declare("Content", "bad", args));
            await stack.previewFails(/bad/, ...expected);
        }
        assert.deepEqual(lab.emulator.requests, []);
    });

    it("that is secret is not shown either", async () => {
        const stack = await lab.stack(`
            new videograph.Content("secret", {
                title: pulumi.secret(""),
                content: [{ url: pulumi.secret("gopher://secret-value-1/") }],
                description: pulumi.secret(["secret-value-2"]),
                metadata: pulumi.secret({ a: { b: "secret-value-3" } }),
            });`);
        stack.secrets.push("secret-value-1", "secret-value-2", "secret-value-3");
        await stack.previewFails(/title/, /content\[0\]\.url/, /description/, /metadata/);
    });

    it("passes while it is unknown, and is caught when it is known", async () => {
        const program = (title: string) => `
            const stage = new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });
            const known = stage.id.apply(() => ${title});
            exports.id = new videograph.Content("trailer", {
                title: known,
                content: known.apply(() => [{ url: "${lab.media.video()}" }]),
                playbackPolicy: [known.apply(() => "public")],
                tags: known.apply(() => ["a"]),
                metadata: { stage: stage.id },
                mp4Support: known.apply(() => true),
                watermark: [{ url: known.apply(() => "${lab.media.video("logo.png")}") }],
            }).id;`;
        const stack = await lab.stack(program(`""`));
        assert.deepEqual(await stack.planned(), ["create stage", "create trailer"]);
        assert.deepEqual(lab.emulator.requests, []);
        await stack.upFails(/trailer/, /title/);
        await stack.program(program(`"Now known"`));
        await stack.up();
        assert.deepEqual(
            lab.emulator.contents().map(({ title }) => title),
            ["Now known"],
        );
        assert.equal(lab.emulator.livestreams().length, 1);
        assert.deepEqual(await stack.planned(), []);
    });

    it("in an update leaves what exists alone", async () => {
        const content = [{ url: lab.media.video() }];
        const stack = await lab.stack(declare("Content", "trailer", { title: "Trailer", content }));
        await stack.up();
        await stack.program(declare("Content", "trailer", { title: "", content }));
        await stack.upFails(/title/);
        await stack.program(declare("Content", "trailer", { title: "Trailer", content }));
        await stack.up("--expect-no-changes");
        assert.equal(lab.emulator.contents().length, 1);
    });
});
