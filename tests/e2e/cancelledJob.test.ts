/**
 * S1 after a cancelled job of a hosted runner: SIGINT, SIGTERM some seconds later, SIGKILL of everything after 2.5 s more. It comes at four
 * moments, in both faces, and what is left is the machine or the state alone. (W1b)
 */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { decided, heldCreates, refused, source, theOne } from "../support/law.ts";
import { killAll, processesIn } from "../support/processes.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A cancelled job (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 10 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });
    const faces = ["videograph", "native"];
    const content = source("a");

    /** In each face, for so many jobs: a content for each moment of its own create, and a library that each job gives one more entry. */
    function program(jobs: number): string {
        const numbers = Array.from({ length: jobs }, (_, index) => index + 1);
        const declared = faces.map((face) => {
            const films = numbers.flatMap((job) =>
                ["unanswered", "searching", "waiting"].map((moment) => {
                    const args = JSON.stringify({ title: `${face} ${moment} ${job}`, content });
                    return `new ${face}.Content("${face}-${moment}-${job}", ${args});`;
                }),
            );
            const keys = ["first", ...numbers.map((job) => `entry ${job}`)];
            const contents = Object.fromEntries(keys.map((key) => [key, { title: `${face} ${key}`, content }]));
            return `${films.join("")}new ${face}.ContentLibrary("${face}-films", ${JSON.stringify({ contents })});`;
        });
        return `const native = require("pulumi-videograph/native");${declared.join("\n")}`;
    }
    const titlesOf = (moment: string) => faces.map((face) => `${face} ${moment}`);

    it("at four moments, in both faces, and the same machine, or the state alone, is left: one object each and nothing to do, or a refusal that names it", async () => {
        const { emulator } = testbed;
        const stack = await testbed.stack(program(0));
        const journal = join(stack.folder, "journal");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal;
        await stack.up();
        for (const [index, left] of ["the same machine", "the state alone"].entries()) {
            const job = index + 1;
            await stack.program(program(job));
            emulator.clearRequests();
            for (const title of [`unanswered ${job}`, `entry ${job}`].flatMap(titlesOf))
                emulator.inject({ kind: "hang", when: "after", method: "POST", title });
            const searching = titlesOf(`searching ${job}`);
            for (const title of searching)
                emulator.inject({ kind: "status", status: 502, when: "after", method: "POST", title });
            const answer = heldCreates(testbed, "after", (title) => searching.includes(String(title)));
            for (const title of titlesOf(`waiting ${job}`)) emulator.inject({ kind: "processing", stuck: true, title });
            const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "20");
            await waitFor("the creates", () => sentBy(emulator, "POST").length >= 8);
            const begun = emulator.requests.length;
            emulator.inject({ kind: "status", status: 503, method: "GET", path: "/contents" });
            answer();
            await waitFor("the searches", () => {
                const lists = emulator.requests.slice(begun).filter(({ path }) => path.endsWith("/contents"));
                return lists.length >= faces.length;
            });
            up.signal("SIGINT");
            // The plugin answers soon. No signal reaches a dynamic provider.
            const answered = /videograph:index:\w+ native-\S+ \*\*(creating|updating) failed\*\*/g;
            await waitFor("the plugin's answers", () => up.output.match(answered)?.length === 4);
            up.signal("SIGTERM");
            await sleep(2_500);
            // Some runs have ended by now.
            up.kill();
            killAll(processesIn(stack.folder));
            await up.result;
            await waitFor("the provider to end", () => processesIn(stack.folder).length === 0);
            await rm(join(stack.folder, "state", ".pulumi", "locks"), { recursive: true, force: true });
            stack.checkForSecrets(up.output);
            emulator.clearFaults();
            for (const { contentId } of emulator.contents()) emulator.setContentStatus(contentId, "Ready");
            if (left === "the state alone") await rm(journal, { recursive: true });

            emulator.clearRequests();
            if (left === "the state alone") {
                // No signal reaches a dynamic provider, and of an update that has not ended the engine keeps nothing in the state.
                const id = theOne(testbed, `videograph entry ${job}`);
                await refused(stack, id);
                await decided(stack, id);
            } else await stack.up();
            assert.deepEqual(sentBy(emulator, "POST", "DELETE"), []);
            for (const moment of ["unanswered", "searching", "waiting", "entry"])
                for (const title of titlesOf(`${moment} ${job}`)) theOne(testbed, title);
            assert.equal(emulator.contents().length, 2 + 8 * job);
        }
        await stack.preview("--expect-no-changes");
    });

    it("S8: by a signal to each of its processes, while requests are under way, and the state alone is left: one object each", async () => {
        const { emulator } = testbed;
        const declared = faces.map((face) => {
            const args = JSON.stringify({ title: `${face} alone`, content });
            const contents = JSON.stringify({ entry: { title: `${face} entry`, content } });
            const library = `new ${face}.ContentLibrary("${face}-films", { contents: ${contents} });`;
            const stream = `new ${face}.Livestream("${face}-live", { title: "${face} live", region: "us-east-1" });`;
            return `new ${face}.Content("${face}-alone", ${args});${library}${stream}`;
        });
        const stack = await testbed.stack(`const native = require("pulumi-videograph/native");${declared.join("\n")}`);
        const journal = join(stack.folder, "journal");
        stack.env.VIDEOGRAPH_JOURNAL_DIR = journal;
        emulator.inject({ kind: "hang", when: "after", method: "POST" });
        emulator.clearRequests();
        const before = emulator.contents().length;
        const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "20");
        await waitFor("the creates", () => sentBy(emulator, "POST").length === 6);
        killAll(processesIn(stack.folder), "SIGTERM");
        const result = await up.result;
        assert.notEqual(result.code, 0);
        stack.checkForSecrets(result.output);
        assert.equal((await stack.resources()).filter(({ id }) => id?.startsWith("unconfirmed-")).length, 4);
        emulator.clearFaults();
        await rm(journal, { recursive: true });
        await stack.up();
        assert.equal(sentBy(emulator, "POST").length, 6);
        assert.deepEqual([emulator.contents().length - before, emulator.livestreams().length], [4, 2]);
    });
});
