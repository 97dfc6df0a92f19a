/** What the newest engine asks of a provider, and the oldest does not: dry runs of creates that it skips, and states that a program migrates. */
import assert from "node:assert/strict";
import { gte } from "semver";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An engine that is newer than the oldest", () => {
    const testbed = useTestbed({ fetchSources: false });
    const posted = () => sentBy(testbed.emulator, "POST").length;
    const source = [{ url: "https://media.example.com/a.mp4" }];

    it("creates nothing that it skips because a dependency failed, and the next run creates it (S1); keeps the objects whose names a program changes by stateMigrations (L5), in both faces", async () => {
        const skipped = `
            for (const [face, { Content, Livestream, Clip }] of Object.entries({ dynamic, native })) {
                const first = new Content(face + "-first", ${JSON.stringify({ title: "First", content: source })});
                const live = { title: first.title, region: "us-east-1" };
                const second = new Livestream(face + "-second", live, { dependsOn: first });
                const clip = { title: "Third", contentId: first.id, startTime: 0, endTime: 1 };
                new Clip(face + "-third", clip, { dependsOn: second });
            }`;
        const show = (name: string, migrations: string) => `
            class Show extends pulumi.ComponentResource {
                constructor(options) {
                    super("test:index:Show", "show", {}, options);
                    for (const [face, { Content, Livestream }] of Object.entries({ dynamic, native })) {
                        new Content(face + "-${name}", ${JSON.stringify({ title: "Film", content: source })}, { parent: this });
                        new Livestream(face + "-${name}-live", { title: "Live", region: "us-east-1" }, { parent: this });
                    }
                }
            }
            const renamed = (text) => text.replaceAll(/-film(-live)?$/g, "-movie$1");
            const migrate = ({ oldState }) => ({
                newState: oldState.map((row) => ({ ...row, urn: renamed(row.urn) })),
                successors: Object.fromEntries(oldState.map(({ urn }) => [urn, renamed(urn)]).filter(([urn, now]) => urn !== now)),
            });
            new Show({ ${migrations} });`;
        const stack = await testbed.stack(skipped + show("film", ""));
        testbed.emulator.inject({ kind: "status", status: 400, method: "POST", title: "First" });
        await stack.upOfAllFails(/first.*400/);
        const ids = async () =>
            (await stack.resources()).map(({ urn, id }) => `${urn.split("::").slice(2).join(" ")} ${id}`).sort();
        assert.equal((await ids()).length, 4);
        // Two are refused.
        assert.equal(posted(), 6);
        testbed.emulator.clearFaults();
        await stack.up();
        assert.equal(posted(), 12);
        const before = await ids();
        assert.equal(before.length, 10);

        if (gte(testbed.cli.version, "3.274.0")) {
            await stack.program(skipped + show("movie", "stateMigrations: [migrate]"));
            const requests = await requestsOf(testbed.emulator, async () => {
                const { code, output } = await stack.upInline();
                assert.equal(code, 0, output);
            });
            assert.deepEqual(requests, []);
            const movies = before.map((row) => row.replace(/-film(-live)? /, "-movie$1 "));
            assert.deepEqual(await ids(), movies.sort());
        }
    });
});
