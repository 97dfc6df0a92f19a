/**
 * S1 after a cancelled job of a hosted runner: SIGINT, SIGTERM some seconds later, SIGKILL of everything after 2.5 s more. It comes at four
 * moments, in both faces. (W1b) A machine that is lost with its journal: lawLostMachine.test.ts.
 */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { advised, obey } from "../support/advised.ts";
import { heldCreates, source, theOne, unlock } from "../support/law.ts";
import { killAll, processesIn } from "../support/processes.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("A cancelled job (S1)", () => {
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed: 10 });
    const faces = ["dynamic", "native"];

    /** In each face: a content for each of these moments of its own create, and a library with these entries. */
    function program(moments: string[], keys: string[], dynamicKeys = keys): string {
        return `
            const content = ${JSON.stringify(source("a"))};
            const keysOf = { dynamic: ${JSON.stringify(dynamicKeys)}, native: ${JSON.stringify(keys)} };
            for (const [face, { Content, ContentLibrary }] of Object.entries({ dynamic, native })) {
                for (const moment of ${JSON.stringify(moments)})
                    new Content(face + "-" + moment, { title: face + " " + moment, content });
                const entries = keysOf[face].map((key) => [key, { title: face + " " + key, content }]);
                new ContentLibrary(face + "-films", { contents: Object.fromEntries(entries) });
            }`;
    }
    const titlesOf = (...moments: string[]) => faces.flatMap((face) => moments.map((moment) => `${face} ${moment}`));

    it("at four moments, in both faces, and the same machine is left: one object each", async () => {
        const { emulator } = testbed;
        const stack = await testbed.stack(program([], ["first"]));
        await stack.up();
        const moments = ["unanswered", "searching", "waiting"];
        await stack.program(program(moments, ["first", "entry"]));
        emulator.clearRequests();
        for (const title of titlesOf("unanswered", "entry"))
            emulator.inject({ kind: "hang", when: "after", method: "POST", title });
        const searching = titlesOf("searching");
        for (const title of searching)
            emulator.inject({ kind: "status", status: 502, when: "after", method: "POST", title });
        const answer = heldCreates(testbed, "after", (title) => searching.includes(String(title)));
        for (const title of titlesOf("waiting")) emulator.inject({ kind: "processing", stuck: true, title });
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
        await unlock(stack);
        stack.checkForSecrets(up.output);
        emulator.clearFaults();
        for (const { contentId } of emulator.contents()) emulator.setContentStatus(contentId, "Ready");

        const all = emulator.contents().length;
        emulator.clearRequests();
        // What a key that is removed has left is named, and taken up once the key is back.
        await stack.program(program(moments, ["first", "entry"], ["first"]));
        const { output } = await stack.up();
        assert.match(output, /while it created .*Content "dynamic-films\/entry".*VG3011/);
        const [find = ""] = advised(output, "VG3011");
        assert.match(await obey(stack, find), /dynamic-films\/entry/);
        await stack.program(program(moments, ["first", "entry"]));
        await stack.up();
        for (const title of titlesOf(...moments, "entry")) theOne(testbed, title);
        assert.equal(emulator.contents().length, all);
        assert.deepEqual(sentBy(emulator, "POST", "DELETE"), []);
        const ids = (await stack.resources()).map(({ id }) => id);
        for (const title of titlesOf(...moments)) assert.ok(ids.includes(theOne(testbed, title)), title);
    });

    it("S8: by a signal to each of its processes, while requests are under way, and the state alone is left: one object each", async () => {
        const { emulator } = testbed;
        const stack = await testbed.stack(`
            const content = ${JSON.stringify(source("a"))};
            for (const [face, { Content, ContentLibrary, Livestream }] of Object.entries({ dynamic, native })) {
                new Content(face + "-alone", { title: face + " alone", content });
                new ContentLibrary(face + "-films", { contents: { entry: { title: face + " entry", content } } });
                new Livestream(face + "-live", { title: face + " live", region: "us-east-1" });
            }`);
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
