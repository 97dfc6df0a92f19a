/** S5: bad input fails in preview, names resource, path and fix, reports all at once and never quotes a value. */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("Bad input (S5)", () => {
    const testbed = useTestbed();

    it("is reported in one preview, by path and without a value, and leaves what exists alone", async () => {
        const content = [{ url: testbed.media.video() }];
        const trailer = (title: string) => declare("Content", "trailer", { title, content });
        const stack = await testbed.stack(trailer("Trailer"));
        await stack.up();
        testbed.emulator.clearRequests();

        const bad = declare("Content", "bad", {
            title: "  ",
            content: [{ url: "ftp://user:quoted-value-1@media.example.com/a.mp4" }, { url: 7 }],
            playbackPolicy: ["quoted-value-2"],
            tags: ["ok", 5],
            metadata: { season: 3, managed_by: "quoted-value-3" },
            mp4Support: "quoted-value-4",
            watermark: [{ xPos: "1px" }],
            subtitle: "quoted-value-5",
            titel: "quoted-value-6",
            description: "the text of an Output",
        });
        const teaser = '"Teaser of " + new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" }).id';
        await stack.program(bad.replace('"the text of an Output"', teaser));
        stack.secrets.push("quoted-value-");
        const failed = await stack.previewFails(
            ...[/bad/, /title/, /content\[0\]\.url/, /content\[1\]\.url/, /playbackPolicy\[0\]/, /tags\[1\]/],
            ...[/metadata.*season/, /managed_by/, /mp4Support/, /watermark\[0\]\.url/, /subtitle/, /titel.*title/s],
            /description .*VG2041/,
        );
        assert.doesNotMatch(failed.output, /value \{/, "The engine printed a property's value");

        await stack.program(`
            new videograph.Content("trailer", {
                title: pulumi.secret(""),
                content: [{ url: pulumi.secret("gopher://quoted-value-9/") }],
                description: pulumi.secret(["quoted-value-10"]),
                metadata: pulumi.secret({ a: { b: "quoted-value-11" } }),
            });`);
        await stack.upFails(/trailer/, /title/, /content\[0\]\.url/, /description/, /metadata/);
        assert.deepEqual(testbed.emulator.requests, []);
        assert.equal((await stack.resource("trailer")).outputs?.title, "Trailer");
    });

    it("passes while it is unknown, and is caught when it is known", async () => {
        const stack = await testbed.stack(
            `            const region = "us-east-1";
            const stage = new videograph.Livestream("stage", { title: "Stage", region });
            const known = stage.id.apply(() => "");
            const dvrDurationInMins = known.apply(() => 30);
            new videograph.Livestream("other", { title: "Other", region, dvrDurationInMins });
            exports.id = new videograph.Content("trailer", {
                title: known,
                content: known.apply(() => [{ url: "${testbed.media.video()}" }]),
                playbackPolicy: [known.apply(() => "public")],
                tags: known.apply(() => ["a"]),
                metadata: known.apply(() => ({ a: "b" })),
                mp4Support: known.apply(() => true),
                watermark: [{ url: known.apply(() => "${testbed.media.video("logo.png")}") }],
            }).id;`,
            "native",
        );
        // With its preview, which must pass.
        await stack.fails(["up", "--yes"], /\(trailer\):\s.*title/);
        assert.deepEqual(testbed.emulator.contents(), []);
        assert.ok(testbed.emulator.livestreams().some(({ title }) => title === "Stage"));
    });
});
