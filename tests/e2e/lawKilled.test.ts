/** S1 after a run that was cut short, on the same machine: the next one ends with one object for each resource. (K7, K8, K13, K14, K16, K17) */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
    decided,
    heldCreates,
    holds,
    killedUp,
    objects,
    refused,
    settled,
    source,
    stream,
    theOne,
    titled,
    unanswered,
    video,
} from "../support/law.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";
import { waitFor } from "../support/waitFor.ts";

describe("After a run that was cut short (S1)", () => {
    const testbed = useTestbed({ fetchSources: false, speed: 5 });
    before(function () {
        // Elsewhere the provider's process is not found.
        if (process.platform !== "linux") this.skip();
    });

    it("by two Ctrl-C during a create, the corrected source has the only object, and destroy leaves none, in both faces (K7)", async () => {
        const program = (file: string) => {
            const film = video("film", { content: source(file) });
            return `${film}{ const videograph = native; ${film.replaceAll('"film"', '"native"')} }`;
        };
        const native = 'const native = require("pulumi-videograph/native");\n';
        const titles = ["film", "native"];
        const stack = await testbed.stack(native + program("wrong"));
        // The answers come after the second signal: by then the engine discards what the providers say.
        stack.env.TEST_INTERRUPTED = join(stack.folder, "interrupted");
        const release = heldCreates(testbed);
        const up = stack.start("up", "--yes", "--skip-preview");
        await waitFor("the creates", () => objects(testbed).length === 2);
        const wrong = titles.map((title) => theOne(testbed, title));
        up.interrupt();
        await waitFor("the CLI to notice", () => /\^C received; cancelling/.test(up.output));
        up.interrupt();
        const noticed = async () =>
            (await readdir(stack.folder)).filter((name) => name.startsWith("interrupted")).length;
        await waitFor("the providers to notice", async () => (await noticed()) >= 2);
        release();
        assert.notEqual((await up.result).code, 0);
        assert.deepEqual(await stack.resources(), []);

        await stack.program(native + program("right"));
        await stack.up();
        const right = await Promise.all(titles.map((name) => stack.resourceId(name)));
        assert.ok(right.every((id) => !wrong.includes(id)));
        await holds(testbed, stack, right);
        const { output } = await stack.destroy();
        assert.doesNotMatch(output, /VG\d{4}/);
        assert.deepEqual(objects(testbed), []);
    });

    it("a Content does not touch the killed Livestream of its name; another token creates nothing (K8, W3)", async () => {
        const stack = await testbed.stack(stream("main"), "native");
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 1);
        const [livestream = ""] = objects(testbed);
        const secret = "foreign-secret-44";
        testbed.emulator.addToken({ id: "foreign", secret, environmentId: 2 });
        stack.secrets.push(secret);
        const { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY } = stack.env;
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: "foreign", VIDEOGRAPH_SECRET_KEY: secret });
        // The state has no object that could show which environment the token reaches.
        await stack.upFails(/VIDEOGRAPH_TRUST_NOT_FOUND=true/, /VG3018/);
        assert.deepEqual(sentBy(testbed.emulator, "POST"), []);
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID, VIDEOGRAPH_SECRET_KEY });
        await stack.program(video("main") + stream("main"));
        await stack.up();
        assert.deepEqual(titled(testbed, "main").length, 2);
        assert.ok(objects(testbed).includes(livestream));
        await holds(testbed, stack, objects(testbed));
    });

    it("a namesake in another backend refuses what a killed run on this machine has left; the stack itself goes on with it", async () => {
        const stack = await testbed.stack(video("film"), "native");
        const namesake = await testbed.stack(video("film"), "native");
        // One home has one journal; it remembers the selected stack of one folder alone.
        Object.assign(namesake.env, { PULUMI_HOME: stack.environment.PULUMI_HOME, PULUMI_STACK: "test" });
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 1);
        const film = theOne(testbed, "film");

        await refused(namesake, film, "npx pulumi-videograph forget");
        assert.deepEqual(objects(testbed), [film]);
        await decided(namesake, `-${film}`);
        const second = await namesake.resourceId("film");
        await stack.up();
        await holds(testbed, stack, [film], [second]);
        await holds(testbed, namesake, [second], [film]);
    });

    it("beside 5,000 younger contents is found in a reading of the list for all (K13); where the list ends in errors, the user has the last word (K14)", async () => {
        const names = ["healthy", "film", ...Array.from({ length: 6 }, (_, index) => `another ${index}`)];
        const videos = names.map((name) => video(name)).join("");
        const stack = await testbed.stack(videos + stream("stage"), "native");
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 9);
        const known = [...names, "stage"].map((title) => theOne(testbed, title));
        const younger: string[] = [];
        const addYounger = (count: number) => {
            for (let index = 0; index < count; index++)
                younger.push(testbed.emulator.addContent({ title: `Younger ${index}` }).contentId);
        };
        addYounger(5_000);
        await stack.up();
        const starts = testbed.emulator.requests.flatMap(({ query: { start } }) => start ?? []);
        const pages = new Set(starts).size;
        assert.ok(pages >= 50, `${pages} pages`);
        // Eight creates: those that come while the list is being read have the next reading, together. On a busy machine they come apart.
        assert.ok(starts.length <= 4 * pages, `${starts.length} requests for ${pages} pages`);
        await holds(testbed, stack, known, younger);

        const more = (title: string) =>
            videos.replace('{"title":"healthy"', `{"title":"${title}"`) +
            video("unread") +
            stream("stage") +
            stream("found");
        await stack.program(more("healthy"));
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 2);
        const [unread, found] = [theOne(testbed, "unread"), theOne(testbed, "found")];
        addYounger(400);
        testbed.emulator.setVariants({ offsetMaximum: 300 });
        await stack.program(more("Healthier"));
        await stack.upOfAllFails(/npx pulumi-videograph forget/);
        assert.deepEqual(titled(testbed, "unread"), [unread]);
        // The livestream was found; a resource that is in the state can be updated all the while.
        assert.equal(await stack.resourceId("found"), found);
        assert.equal(titled(testbed, "Healthier").length, 1);

        await decided(stack, unread);
        await holds(testbed, stack, [...known, unread, found], younger);
        testbed.emulator.setVariants({ offsetMaximum: null });
    });
});

describe("A service that loses answers or turns creates away (S1, S6)", () => {
    const testbed = useTestbed(
        {
            ...{ fetchSources: false, speed: 5 },
            variants: {
                ...{ createdSkewMs: -6 * 3_600_000, listedAfterMs: 2_500 },
                ...{ pageDefault: 3, pageMaximum: 7, overMaximum: "reject", listOrder: "unstable" },
            },
        },
        "native",
    );

    it("has one object each, in lists that are late, in no order and hours behind (K16), whatever else bears the titles; 429 without Retry-After ends no create before its time is over (K17)", async () => {
        const marks = ["other/test/film", "e2e/prod/film"].map(
            (path) => `pulumi:${path}:11111111-22222222-33333333-0123456789ab`,
        );
        for (const value of marks)
            testbed.emulator.addContent({ title: "film", metadata: [{ key: "managed_by", value }] });
        for (let index = 0; index < 8; index++) testbed.emulator.addContent({ title: "film" });
        const others = testbed.emulator.contents();
        for (const title of ["film", "stage"])
            testbed.emulator.inject({ kind: "reset", when: "after", method: "POST", title, times: 3 });
        // The eighth create is let through.
        testbed.emulator.inject({ kind: "status", status: 429, method: "POST", title: "limited", times: 7 });
        const stack = await testbed.stack(
            ["one", "two", "three"].map((name) => video(name, { title: "film" })).join("") +
                stream("stage") +
                video("limited"),
        );
        await stack.up();
        assert.equal(sentBy(testbed.emulator, "POST").length, 4 + 8, "nothing was sent twice");
        const theirs = others.map(({ contentId }) => contentId);
        const made = objects(testbed).filter((id) => !theirs.includes(id));
        assert.equal(made.length, 5);
        await settled(testbed, stack, made, theirs);
        assert.deepEqual(
            testbed.emulator.contents().filter(({ contentId }) => theirs.includes(contentId)),
            others,
        );
    });
});
