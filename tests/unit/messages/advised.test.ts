/**
 * Whatever a message advises is run as it is printed, in the situation that prints it (S1, L4): it ends well, and leaves one object for each resource.
 * The same through the CLI: tests/e2e/advisedTaking.test.ts. The table of all: tests/docs/advised.test.ts.
 */
import assert from "node:assert/strict";
import { advised } from "../../support/advised.ts";
import { Life } from "../../support/life.ts";

const video = (title: string, file = "a") => ({ title, content: [{ url: `https://media.example.com/${file}.mp4` }] });
const one = { one: ["Content", video("One")] } as Life["program"];
const other = { one: ["Content", video("One", "b")] } as Life["program"];
const otherBirth = "2026-03-03T00:00:00.000000001Z";
const post = { method: "POST", path: "/contents" };

describe("The ways out of a message, run as they are printed", () => {
    let life: Life;
    let machine: Life["machine"];

    beforeEach(() => {
        life = new Life();
        ({ machine } = life);
        life.program = { ...one };
    });

    const posts = () => machine.core.requests.filter(({ method }) => method === "POST").length;
    const listsFail = () => {
        const before = posts();
        machine.core.inject({
            method: "GET",
            path: "/contents",
            kind: "status",
            status: 503,
            where: () => posts() > before,
        });
    };

    /** An `up` whose create was killed after its POST was accepted. */
    async function killed(): Promise<void> {
        await machine.killedCreate((process) => process.create(video("One")));
        await machine.clock.advance(120_000);
    }

    /** An `up` whose create ends in doubt. */
    async function inDoubt(when: "before" | "after" = "after") {
        machine.core.inject({ ...post, kind: "reset", when });
        listsFail();
        const run = await life.up();
        machine.core.clearFaults();
        return run;
    }

    const isOne = () => assert.deepEqual(life.objects, [life.id("one")]);

    for (const [way, name] of ["pulumi up", "pulumi refresh"].entries())
        it(`VG3002: ${name}`, async () => {
            const run = await inDoubt();
            life.onOtherMachine();
            await life.follow(run, "VG3002", [way]);
            isOne();
        });

    it("VG3001: pulumi up", async () => {
        machine.core.inject({ ...post, kind: "reset" });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG3001");
        isOne();
    });

    it("VG3004: pulumi up", async () => {
        life.timeouts = { create: 20_000 };
        machine.core.inject({ ...post, kind: "reset", when: "after" });
        machine.core.inject({ method: "GET", path: "/contents", kind: "hang", where: () => posts() > 0 });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG3004");
        isOne();
    });

    it("VG3007: pulumi up", async () => {
        const { contentId: importId } = machine.core.addContent({ title: "Theirs" });
        life.program = { one: ["Content", { title: "One", importId }] };
        await life.up();
        life.rows.clear();
        await killed();
        life.program = { one: ["Content", video("Two")] };
        // The object of the killed create is adopted; its new title is refused.
        machine.core.deleteContent(importId);
        machine.core.inject({ method: "PUT", kind: "status", status: 422 });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG3007");
        assert.equal(life.objects.length, 1);
    });

    for (const [code, arrange] of [
        [
            "VG3016",
            () => {
                life.said = { birth: otherBirth };
            },
        ],
        [
            "VG3017",
            () => {
                life.onOtherMachine();
                life.said = { lostPids: [1] };
                life.program = { ...other };
            },
        ],
        [
            "VG3039",
            () => {
                life.onOtherMachine();
                machine.state = undefined;
            },
        ],
    ] as const) {
        const hasOwn = code === "VG3039" ? 1 : 0;
        it(`${code}: the object is adopted`, async () => {
            await killed();
            arrange();
            await life.follow(await life.up(), code, [hasOwn]);
            isOne();
        });

        it(`${code}: another one is made`, async () => {
            await killed();
            const [theirs = ""] = life.objects;
            arrange();
            const { text } = await life.follow(await life.up(), code, [hasOwn + 1]);
            assert.match(text, new RegExp(`leaves ${theirs} alone.*VG3022`));
            assert.deepEqual(life.objects, [theirs, life.id("one")]);
        });
    }

    it("VG3039: pulumi up again, once the state can be read", async () => {
        await killed();
        life.onOtherMachine();
        const { state } = machine;
        machine.state = undefined;
        const run = await life.up();
        machine.state = state;
        life.said = { lostPids: [1] };
        await life.follow(run, "VG3039", [0]);
        isOne();
    });

    it("VG3019: npx pulumi-videograph forget", async () => {
        await killed();
        life.said = { birth: otherBirth };
        const run = await life.up();
        // After the ways out of the message that it ends.
        await life.follow(run, "VG3019", [2]);
        assert.equal(life.objects.length, 2);
    });

    for (const [way, name] of [
        "the token of one environment, and a variable",
        "VIDEOGRAPH_UNRECORDED=create",
    ].entries())
        it(`VG3018: ${name}`, async () => {
            await inDoubt();
            life.token = way === 0 ? "rotated" : "foreign";
            await life.follow(await life.up(), "VG3018", [way]);
            assert.equal(machine.core.contents().length, way + 1);
        });

    it("VG3023: pulumi up --replace", async () => {
        await killed();
        life.said = { birth: otherBirth };
        life.program = { ...other };
        const run = await life.follow(await life.up(), "VG3016", [0]);
        life.said = {};
        await life.follow(run, "VG3023");
        isOne();
    });

    it("VG3023: of an entry of a library, whose key leaves it for one pulumi up", async () => {
        const libraryOf = (keys: string[], file = "a"): Life["program"] => ({
            films: ["ContentLibrary", { contents: Object.fromEntries(keys.map((key) => [key, video(key, file)])) }],
        });
        life.program = libraryOf(["first"]);
        await life.up();
        const before = new Map(life.rows);
        life.program = libraryOf(["first", "second"]);
        await life.up();
        // The machine of that update is lost.
        for (const [urn, row] of before) life.rows.set(urn, row);
        life.onOtherMachine();
        life.program = libraryOf(["first", "second"], "b");
        life.program.films = ["ContentLibrary", { contents: { first: video("first"), second: video("second", "b") } }];
        const run = await life.follow(await life.up(), "VG3017", [0]);
        const [, second = ""] = life.objects;
        assert.match(run.text, /VG3023/);
        life.program = libraryOf(["first"]);
        await life.follow(run, "VG3023");
        assert.deepEqual(life.objects.includes(second), false);
        life.program = libraryOf(["first", "second"], "b");
        life.program.films = ["ContentLibrary", { contents: { first: video("first"), second: video("second", "b") } }];
        assert.deepEqual((await life.up()).errors, []);
        assert.equal(life.objects.length, 2);
    });

    for (const [way, name] of ["pulumi up", "pulumi refresh of a protected resource, with the word"].entries())
        it(`VG3040: ${name}`, async () => {
            await inDoubt();
            const before = new Map(life.rows);
            assert.deepEqual((await life.up()).errors, []);
            // A state of an hour ago is put back.
            for (const [urn, row] of before) life.rows.set(urn, row);
            life.onOtherMachine();
            const { text } = await life.refresh();
            const again = await life.obey(advised(text, "VG3040")[way] ?? "");
            if (way === 0) await life.follow(again, "VG3017", [0]);
            else assert.deepEqual((await life.up()).errors, []);
            isOne();
        });

    for (const [way, name] of ["the record alone is removed", "the user's word"].entries())
        it(`VG6012: ${name}`, async () => {
            await life.up();
            const importId = life.id("one");
            life.rows.clear();
            life.said = { elsewhere: { [importId]: life.urn("one").replace("one", "held") } };
            life.program = { one: ["Content", { title: "One", importId }] };
            const run = await life.up();
            const [remove = ""] = advised(run.text, "VG6012");
            assert.match(remove, /^pulumi state delete 'urn:/);
            if (way === 0) {
                life.said = {};
                assert.deepEqual((await life.up()).errors, []);
            } else await life.follow(run, "VG6012", [1]);
            isOne();
        });

    it("VG3024: pulumi up", async () => {
        await inDoubt();
        machine.core.inject({ method: "GET", path: "/contents/*", kind: "status", status: 404 });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG3024", [0]);
        isOne();
    });

    it("VG3027: pulumi refresh", async () => {
        await inDoubt();
        machine.core.inject({ method: "GET", path: "/contents", kind: "status", status: 503 });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG3027");
        isOne();
    });

    for (const [way, name] of ["pulumi up", "pulumi refresh"].entries())
        it(`VG3028: ${name}`, async () => {
            await inDoubt();
            const row = life.rows.get(life.urn("one"));
            assert.ok(row);
            const run = await life.calling((process) => process.update(row, video("Two")));
            await life.follow(run, "VG3028", [way]);
            isOne();
        });

    it("VG3030: pulumi up", async () => {
        await inDoubt("before");
        const run = await life.refresh();
        assert.equal(life.rows.size, 0);
        await life.follow(run, "VG3030");
        isOne();
    });

    it("VG4001: pulumi up, once the source is mended", async () => {
        machine.core.inject({ kind: "processing", fail: "no video", times: 1 });
        const run = await life.up();
        life.program = { ...other };
        await life.follow(run, "VG4001");
        isOne();
    });

    it("VG4003: pulumi up goes on with the wait", async () => {
        machine.core.inject({ kind: "processing", stuck: true });
        life.timeouts = { create: 60_000, update: 60_000 };
        const run = await life.up();
        machine.core.setContentStatus(life.id("one"), "Ready");
        await life.follow(run, "VG4003");
        isOne();
    });

    it("VG4006: pulumi up --refresh", async () => {
        machine.core.inject({ kind: "processing", stuck: true });
        life.timeouts = { create: 60_000 };
        life.program = { ...one, two: ["Content", video("Two")] };
        await life.up();
        machine.core.deleteContent(life.id("one"));
        machine.core.setContentStatus(life.id("two"), "Ready");
        machine.core.clearFaults();
        life.timeouts = {};
        const run = await life.up();
        await life.follow(run, "VG4006");
        assert.deepEqual(life.objects.toSorted(), [life.id("one"), life.id("two")].toSorted());
    });

    it("VG4011: pulumi refresh, then pulumi up", async () => {
        life.program = { ...one, two: ["Content", video("Two")] };
        await life.up();
        machine.core.deleteContent(life.id("one"));
        life.program = { ...life.program, one: ["Content", video("Changed")] };
        await life.follow(await life.up(), "VG4011");
        assert.deepEqual(life.objects.toSorted(), [life.id("one"), life.id("two")].toSorted());
    });

    it("VG4023: pulumi up", async () => {
        machine.core.inject({ method: "POST", path: "/contents/*/thumbnails", kind: "status", status: 503 });
        life.program = { one: ["Content", { ...video("One"), thumbnail: { position: 1, width: 640, height: 360 } }] };
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG4023");
        isOne();
    });

    it("VG4026: pulumi up, once the content is Ready", async () => {
        await life.up();
        const subtitle = [{ url: "https://media.example.com/a.vtt", name: "English", languageCode: "en" }];
        life.program = { one: ["Content", { ...video("One"), subtitle }] };
        machine.core.inject({ path: "/contents/*/subtitles", method: "POST", kind: "status", status: 409 });
        const run = await life.up();
        machine.core.clearFaults();
        await life.follow(run, "VG4026");
        isOne();
    });

    it("VG4032: pulumi up", async () => {
        life.program = { films: ["ContentLibrary", { contents: { a: video("A"), b: video("B") } }] };
        await life.up();
        machine.core.deleteContent(machine.ids[0] ?? "");
        const run = await life.refresh();
        await life.follow(run, "VG4032");
        assert.equal(life.objects.length, 2);
    });

    it("VG4101: pulumi up", async () => {
        life.program = { stage: ["Livestream", { title: "Stage", region: "us-east-1" }] };
        // Its answer lacks the address.
        machine.core.setVariants({ fields: { rtmpUrl: "absent" } });
        machine.core.inject({ method: "GET", path: "/livestreams/*", kind: "status", status: 422 });
        const run = await life.up();
        machine.core.clearFaults();
        machine.core.setVariants({ fields: {} });
        await life.follow(run, "VG4101");
        assert.deepEqual(life.objects, [life.id("stage")]);
    });

    describe("of a clip", () => {
        const clipped = (): Life["program"] => ({
            ...life.program,
            clip: ["Clip", { contentId: life.id("one"), startTime: 0, endTime: 5, title: "Clip" }],
        });

        it("VG4201: pulumi up", async () => {
            await life.up();
            machine.core.inject({ kind: "processing", fail: "no part", times: 1, title: "Clip" });
            life.program = clipped();
            await life.follow(await life.up(), "VG4201");
            assert.equal(life.objects.length, 2);
        });

        it("VG4202: pulumi up --refresh", async () => {
            await life.up();
            machine.core.setContentStatus(life.id("one"), "Failed");
            life.program = clipped();
            const run = await life.up();
            // The program names the new source by an output.
            const commands = await life.obey("pulumi up --refresh");
            assert.match(run.text, /VG4202/);
            assert.match(commands.text, /VG4002|replaced/);
            life.program = clipped();
            assert.deepEqual((await life.up()).errors, []);
        });

        for (const [way, name] of ["pulumi up", "pulumi refresh"].entries())
            it(`VG5109: ${name}`, async () => {
                await inDoubt();
                const run = await life.calling((process) => {
                    const inputs = { contentId: life.id("one"), startTime: 0, endTime: 5, title: "Clip" };
                    return process.create(inputs, { urn: life.urn("clip") }, process.host("Clip"));
                });
                await life.follow(run, "VG5109", [way]);
                isOne();
            });
    });

    describe("of objects that answer 404", () => {
        const two = { ...one, two: ["Content", video("Two")] } as Life["program"];

        for (const command of ["pulumi refresh", "pulumi up --refresh"])
            it(`VG6103: ${command} with the variable, where all were deleted`, async () => {
                life.program = { ...two };
                await life.up();
                for (const id of machine.ids) machine.core.deleteContent(id);
                await life.follow(await life.obey(command), "VG6103", [0], command);
                assert.equal(life.rows.size, command === "pulumi refresh" ? 0 : 2);
                assert.deepEqual((await life.up()).errors, []);
                assert.equal(life.objects.length, 2);
            });

        it("VG6101: with the variable, where it was deleted", async () => {
            life.program = { ...two };
            await life.up();
            machine.core.deleteContent(life.id("one"));
            life.token = "foreign";
            await life.follow(await life.refresh(), "VG6101", [0], "pulumi refresh");
        });

        it("VG6102: with the variable, where it is the same object", async () => {
            life.program = { ...two };
            await life.up();
            machine.setMetadata(life.id("one"), {});
            life.token = "rotated";
            await life.follow(await life.refresh(), "VG6102", [0], "pulumi refresh");
            assert.equal(life.rows.size, 2);
        });

        it("VG6104: with the variable, where it was deleted and the list shows it still", async () => {
            life.program = { ...two };
            await life.up();
            machine.core.inject({ method: "GET", path: `/contents/${life.id("one")}`, kind: "status", status: 404 });
            await life.follow(await life.refresh(), "VG6104", [0], "pulumi refresh");
            assert.deepEqual([...life.rows.keys()], [life.urn("two")]);
        });

        it("VG5208: with the variable, where it was deleted and the list cannot be read", async () => {
            life.program = { ...two };
            await life.up();
            machine.core.deleteContent(life.id("one"));
            machine.core.inject({ method: "GET", path: "/contents", kind: "status", status: 503 });
            await life.follow(await life.refresh(), "VG5208", [0], "pulumi refresh");
            assert.deepEqual([...life.rows.keys()], [life.urn("two")]);
        });
    });

    it("VG6001: pulumi up adopts", async () => {
        const { contentId: importId } = machine.core.addContent({ title: "Theirs" });
        life.program = { one: ["Content", { title: "One", importId }] };
        const { text } = await life.calling(async (process) => {
            await process.content.check({ urn: life.urn("one"), news: { title: "One", importId } });
        });
        await life.follow({ text, errors: [] }, "VG6001");
        assert.deepEqual([life.objects, posts()], [[life.id("one")], 0]);
    });
});
