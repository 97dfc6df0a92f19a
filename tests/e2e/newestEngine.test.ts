/** What the newest engine asks of a provider, and the oldest does not: dry runs of creates that it skips, and states that a program migrates. */
import assert from "node:assert/strict";
import { gte } from "semver";
import { declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

describe("An engine that is newer than the oldest", () => {
    const testbed = useTestbed({ fetchSources: false });
    const posted = () => sentBy(testbed.emulator, "POST").length;
    const source = [{ url: "https://media.example.com/a.mp4" }];

    for (const face of ["dynamic", "native"] as const) {
        it(`${face}: creates nothing that it skips because a dependency failed, and the next run creates it (S1)`, async () => {
            const stack = await testbed.stack("", face);
            await stack.program(`
                const first = new videograph.Content("first", ${JSON.stringify({ title: "First", content: source })});
                const second = new videograph.Livestream("second", { title: first.title, region: "us-east-1" }, { dependsOn: first });
                new videograph.Clip("third", { title: "Third", contentId: first.id, startTime: 0, endTime: 1 }, { dependsOn: second });
                ${declare("Livestream", "other", { title: "Other", region: "us-east-1" })}`);
            testbed.emulator.inject({ kind: "status", status: 400, method: "POST", title: "First" });
            await stack.upOfAllFails(/first.*400/);
            assert.deepEqual(
                (await stack.resources()).map(({ urn }) => urn.split("::").at(-1)),
                ["other"],
            );
            assert.equal(posted(), 2);
            testbed.emulator.clearFaults();
            await stack.up();
            assert.equal(posted(), 5);
            assert.deepEqual(await stack.planned(), []);
            await stack.destroy();
            assert.deepEqual(testbed.emulator.contents(), []);
        });

        it(`${face}: keeps the objects whose names a program changes by stateMigrations (L5)`, async function () {
            if (!gte(testbed.cli.version, "3.274.0")) this.skip();
            const stack = await testbed.stack("", face);
            const show = (name: string, migrations: string) => `
                class Show extends pulumi.ComponentResource {
                    constructor(options) {
                        super("test:index:Show", "show", {}, options);
                        new videograph.Content("${name}", ${JSON.stringify({ title: "Film", content: source })}, { parent: this });
                        new videograph.Livestream("${name}-live", { title: "Live", region: "us-east-1" }, { parent: this });
                    }
                }
                const renamed = (text) => text.replaceAll(/::film(-live)?$/g, "::movie$1");
                const migrate = ({ oldState }) => ({
                    newState: oldState.map((row) => ({ ...row, urn: renamed(row.urn) })),
                    successors: Object.fromEntries(oldState.map(({ urn }) => [urn, renamed(urn)]).filter(([urn, now]) => urn !== now)),
                });
                new Show({ ${migrations} });`;
            await stack.program(show("film", ""));
            const ids = async () =>
                (await stack.resources()).map(({ urn, id }) => `${urn.split("::").at(-1)} ${id}`).sort();
            await stack.upInline();
            const before = await ids();
            assert.equal(before.length, 2);
            await stack.program(show("movie", "stateMigrations: [migrate]"));
            const requests = await requestsOf(testbed.emulator, async () => {
                const { code, output } = await stack.upInline();
                assert.equal(code, 0, output);
            });
            assert.deepEqual(requests, []);
            assert.deepEqual(
                await ids(),
                before.map((row) => row.replace("film", "movie")),
            );
            await stack.program(show("movie", ""));
            assert.deepEqual(await stack.planned(), []);
            await stack.refresh();
            await stack.destroy();
            assert.deepEqual(testbed.emulator.contents(), []);
        });
    }
});
