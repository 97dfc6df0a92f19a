/// <reference lib="dom" />
/** Pages in a real browser: what the emulator's own shows, and that nobody's text becomes HTML. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { type Emulator, startEmulator } from "videograph-emulator";
import { waitFor } from "../support/waitFor.ts";
import { call, minimal } from "./support.ts";

/** A browser without a screen: a Chromium that comes from npm, for Linux. Unpacked once per machine, with the libraries of a desktop, which servers lack. */
async function launch(): Promise<Browser> {
    const { default: chromium, inflate } = await import("@sparticuz/chromium");
    const packed = join(import.meta.dirname, "..", "..", "node_modules", "@sparticuz", "chromium", "bin");
    await inflate(join(packed, "al2023.tar.br"));
    return puppeteer.launch({
        executablePath: await chromium.executablePath(),
        env: { ...process.env, LD_LIBRARY_PATH: join(tmpdir(), "al2023", "lib") },
        // Root, as which containers often run, may only start it without its sandbox. It sees nothing but our own page.
        ...{ headless: "shell", args: ["--no-sandbox", "--disable-gpu"] },
    });
}

describe("The emulator's page", () => {
    let browser: Browser | undefined;
    before("a browser", async function () {
        browser = await launch().catch((error: Error) => {
            console.log(`      No browser can be had here, so its tests are skipped: ${error.message}`);
            return this.skip();
        });
    });
    after(() => browser?.close());

    let emulator: Emulator;
    let page: Page;
    /** What the page should not have done: errors of its script, and requests to elsewhere. */
    let wrongs: string[];

    beforeEach(async () => {
        emulator = await startEmulator({ processingTimeMs: 0 });
        page = (await browser?.newPage()) ?? assert.fail();
        wrongs = [];
        page.on("pageerror", (error) => wrongs.push(String(error)));
        page.on("dialog", (dialog) => wrongs.push(`dialog: ${dialog.message()}`));
        page.on("request", (request) => {
            if (!/^data:/.test(request.url()) && new URL(request.url()).origin !== emulator.url)
                wrongs.push(request.url());
        });
        page.on("console", (message) => {
            if (/Content Security Policy/.test(message.text())) wrongs.push(message.text());
        });
    });
    afterEach(async () => {
        await page?.close();
        await emulator?.close();
        assert.deepEqual(wrongs, []);
    });

    /** Waits until it can be read on the page. */
    const says = (text: string) =>
        // biome-ignore lint/performance/useDomNodeTextContent: what is hidden cannot be read
        page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, text);
    const isVisible = (selector: string) => page.$eval(selector, (element) => element.checkVisibility());
    const texts = (selector: string) => page.$$eval(selector, (found) => found.map(({ textContent }) => textContent));
    const titles = (group: string) => texts(`#${group} h3`);
    const factsOf = async (group: string) => (await texts(`#${group} .facts`)).map((text) => text?.split(" · "));
    /** Unfolds the row with a title, and gives it. */
    const unfold = async (title: string) => {
        const rows = await page.$$("main li");
        for (const row of rows) {
            if ((await row.$eval("h3", ({ textContent }) => textContent)) !== title) continue;
            await row.$eval("details", (details) => details.scrollIntoView({ block: "center" }));
            if (await row.$eval("details", (details) => !details.open)) await (await row.$("summary"))?.click();
            await row.waitForSelector("dd");
            return row;
        }
        return assert.fail(`There is no row ${title}`);
    };
    /** Presses a button of a row, and then, in the dialog, types over what is selected and presses its first button. */
    const act = async (title: string, button: string, ...values: string[]) => {
        await (await (await unfold(title)).$(`::-p-text(${button})`))?.click();
        await page.waitForSelector("#change[open]");
        for (const [index, value] of values.entries())
            await page.$$eval(
                "#change :is(input, textarea)",
                (fields, at, text) => {
                    const field = fields[at] as HTMLInputElement;
                    field.value = text;
                },
                index,
                value,
            );
        await page.click("#change [type=submit]");
    };
    const isChanged = () => page.waitForSelector("#change:not([open])");
    const managed = [{ key: "managed_by", value: "pulumi:shop/live/a%2Fb%3Ac:0123456789ab" }];

    it("shows contents and livestreams with their status, newest first, and keeps up", async () => {
        emulator.addContent({ title: "First" });
        const content = [{ url: `${emulator.sampleUrl().replace("//", "//user:word@")}?signature=x` }];
        const failed = emulator.addContent({ title: "Second", content });
        emulator.setContentStatus(failed.contentId, "Failed", "unsupported codec");
        const stage = emulator.addLivestream({ title: "Stage" });
        await page.goto(emulator.url);
        await says("2 contents, 1 Ready, 1 Failed; 1 livestream");
        assert.deepEqual(await texts("h3"), ["Second", "First", "Stage"]);
        assert.deepEqual(await texts("[data-status]"), ["Failed", "Ready", "Idle"]);
        assert.deepEqual(await texts("#failures .bad"), ["unsupported codec"]);
        // Without what may be secret in it, and only where it has failed.
        for (const title of ["Second", "First"]) await unfold(title);
        assert.equal((await texts("#failures dd"))[1], `${emulator.sampleUrl()}?[hidden]`);
        assert.equal((await texts("dt")).filter((name) => name === "Source").length, 1);

        // Another environment does not put it elsewhere in the order.
        emulator.addContent({ title: "Third" }, 0);
        emulator.updateContent(failed.contentId, { title: "Renamed" });
        emulator.updateLivestream(stage.streamUUID, { status: "Active" });
        await says("3 contents, 2 Ready, 1 Failed; 1 livestream");
        assert.deepEqual([await titles("failures"), await titles("contents")], [["Renamed"], ["Third", "First"]]);
        assert.deepEqual(await texts("#livestreams [data-status]"), ["Active"]);
        emulator.setContentStatus(failed.contentId, "Preparing");
        await says("3 contents, 2 Ready, 1 Preparing; 1 livestream");
        emulator.reset();
        await says("0 contents, 0 Ready; 0 livestreams");
    });

    it("leads from the header to the livestreams, below whatever else there is, and from the requests", async () => {
        for (let number = 1; number <= 60; number++) emulator.addContent({ title: `Film ${number}` });
        const { streamUUID } = emulator.addLivestream({ title: "Stage" });
        const isSeen = () =>
            page.$eval("#livestreams h3", (title) => {
                const { top, bottom } = title.getBoundingClientRect();
                const filter = document.querySelector("#find")?.getBoundingClientRect().bottom ?? 0;
                return top > filter && bottom < innerHeight;
            });
        await page.goto(`${emulator.url}/#requests`);
        await says("60 contents, 60 Ready; 1 livestream");
        assert.equal(await isVisible("#livestreams"), false);
        await page.click("#summary a");
        await page.waitForSelector("#livestreams h3");
        await waitFor("the livestreams", isSeen);
        assert.deepEqual(await titles("livestreams"), ["Stage"]);
        assert.deepEqual(await texts("[aria-current=page]"), ["Videos"]);
        emulator.updateLivestream(streamUUID, { status: "Failed" });
        await page.waitForSelector("#summary [href='#failures']");
        emulator.deleteLivestream(streamUUID);
        await says("0 livestreams");
        assert.deepEqual(await page.$$("#summary a"), []);
    });

    it("gives the addresses of a livestream without its key, and says why a signed video has none", async () => {
        emulator.setVariants({ streamKeyInPlaybackUrl: true });
        const { streamUUID, streamKey } = emulator.addLivestream({ title: "Stage" });
        emulator.addContent({ title: "Secret", playback_policy: ["signed"] });
        await page.goto(emulator.url);
        await says("1 content, 1 Ready; 1 livestream");
        for (const title of ["Stage", "Secret"]) await unfold(title);
        const playback = `${emulator.url}/playback/${streamUUID}/master.m3u8`;
        const row = await call(emulator, "GET", `/livestreams/${streamUUID}`);
        for (const text of [
            playback,
            String(row.json.data.rtmpUrl),
            `The answer to GET /livestreams/${streamUUID} has it`,
        ])
            await says(text);
        assert.doesNotMatch(await page.content(), new RegExp(streamKey));
        assert.deepEqual(await texts("#contents dt"), ["Playback", "ID", "Created", "Resolution"]);
        await says("a token, which your server signs with one of the environment's signing keys");
        emulator.updateLivestream(streamUUID, { status: "Active" });
        assert.equal((await fetch(playback)).status, 200);
    });

    it("has a grey field for a picture that cannot be loaded, not a browser's icon for it", async () => {
        await page.goto(emulator.url);
        const pixels = async (html: string) => {
            await page.$eval("main", (main, poster) => Object.assign(main, { innerHTML: poster }), html);
            await page.waitForFunction(() => document.querySelector("img")?.complete !== false);
            const { x, y, width, height } = (await (await page.$(".poster"))?.boundingBox()) ?? assert.fail();
            // Without its round corners.
            const clip = { x: x + 6, y, width: width - 12, height };
            return page.screenshot({ encoding: "base64", clip });
        };
        const empty = await pixels(`<div class="poster"></div>`);
        assert.equal(await pixels(`<div class="poster"><img src="/nothing" alt=""></div>`), empty);
    });

    it("says in a row what its video plays, and where more is known, in what is unfolded", async () => {
        const add = (title: string, more = {}) => emulator.addContent({ title, ...more });
        const content = [{ url: emulator.sampleUrl() }];
        const metadata = [...managed, { key: "season", value: "2" }];
        const { contentId } = add("Film", { content, metadata, tags: ["launch"], description: "All of it" });
        const cut = add("Cut", { content });
        emulator.updateContent(cut.contentId, { clip: { contentId, startTime: 1, endTime: 2 } });
        add("Stand-in");
        add("Short", { test_video: true, playback_policy: ["signed"] });
        await page.goto(emulator.url);
        await says("4 contents, 4 Ready");
        assert.deepEqual(await factsOf("contents"), [
            ["Ready", "0:10", "plays with signed URLs only"],
            ["Ready", "0:10", "plays the sample"],
            ["Ready", "0:02"],
            ["Ready", "0:02", "shop/live", "a/b:c"],
        ]);
        assert.deepEqual(await texts("div.poster"), ["Signed"]);
        assert.deepEqual(await page.$$("dl"), []);
        await page.click("li:last-child summary");
        const playback = `${emulator.url}/playback/${contentId}/master.m3u8`;
        for (const text of ["All of it", "launch", "season", "160x90", "a%2Fb", contentId, playback]) await says(text);
        const times = (await texts("dd")).filter((text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text ?? ""));
        assert.equal(times.length, 1);
        const permissions = ["clipboard-read", "clipboard-sanitized-write"] as const;
        await page.browserContext().overridePermissions(emulator.url, [...permissions]);
        await page.click("li:last-child dl .copyable button");
        await says("Copied");
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), playback);
        // It stays unfolded when the row changes.
        emulator.updateContent(contentId, { title: "Renamed" });
        await says("Renamed");
        assert.ok(await isVisible("li:last-child dl"));
    });

    it("shows a real frame, and plays by the keyboard alone while the page goes on updating", async () => {
        const { contentId } = emulator.addContent({ title: "Film", content: [{ url: emulator.sampleUrl() }] });
        // As on a busy machine, where the frame comes long after the event.
        await page.evaluateOnNewDocument(() => {
            const { prototype } = CanvasRenderingContext2D;
            const draw = prototype.drawImage as (...parameters: unknown[]) => void;
            let early = 0;
            prototype.drawImage = function (...parameters: unknown[]) {
                if (early++ >= 100) draw.apply(this, parameters);
            };
        });
        await page.goto(emulator.url);
        await page.waitForFunction(() => {
            const canvas = document.querySelector("canvas");
            const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
            return new Set(pixels).size > 50;
        });
        const isFocused = () => page.$eval(".poster", (poster) => poster === document.activeElement);
        for (let tabs = 0; !(await isFocused()); tabs++) {
            assert.ok(tabs < 20, "The video cannot be reached by the keyboard");
            await page.keyboard.press("Tab");
        }
        assert.equal(await page.$eval(".poster", (poster) => poster.getAttribute("aria-label")), "Play Film");
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0.1);
        emulator.updateContent(contentId, { title: "Renamed" });
        await says("Renamed");
        await page.waitForFunction(() => document.querySelector("video")?.ended);
        await page.keyboard.press("Escape");
        assert.equal(await isVisible("dialog"), false);
    });

    it("renames, tags, breaks and deletes one object, and what it does to it is a dashboard's", async () => {
        const content = [{ url: emulator.sampleUrl() }];
        const { contentId } = emulator.addContent({ title: "Film", content, tags: ["old"] });
        const { streamUUID } = emulator.addLivestream({ title: "Stage" });
        await page.goto(emulator.url);
        await says("1 content, 1 Ready; 1 livestream");
        // Enter is a "no" where nothing was typed, and what is lost by a "yes" is seen.
        for (const [button, ground] of [
            ["Break", true],
            ["Delete", true],
            ["Rename", false],
        ] as const) {
            await (await (await unfold("Stage")).$(`::-p-text(${button})`))?.click();
            await page.waitForSelector("#change[open]");
            const grounds = await page.$$eval("#change button", (all) =>
                all.map((one) => getComputedStyle(one).backgroundColor),
            );
            assert.equal(new Set(grounds).size === 2, ground, button);
            if (!ground) break;
            await page.keyboard.press("Enter");
            await isChanged();
        }
        await page.keyboard.press("Escape");
        assert.equal(emulator.livestream(streamUUID)?.status, "Idle");
        await act("Film", "Rename or tag", "", "");
        assert.equal(await isVisible("#change"), true, "A title is required");
        await page.click("#change [type=button]");
        await act("Film", "Rename or tag", "A film, <b>renamed</b>", "new\n with, a comma \n\n");
        await says("A film, <b>renamed</b>");
        await isChanged();
        assert.deepEqual(await titles("contents"), ["A film, <b>renamed</b>"]);
        const { title, tags, metadata } = emulator.content(contentId) ?? {};
        assert.deepEqual([title, tags, metadata], ["A film, <b>renamed</b>", ["new", "with, a comma"], []]);
        await act("A film, <b>renamed</b>", "Break", "its file is damaged");
        await says("1 content, 0 Ready, 1 Failed");
        assert.deepEqual(await texts("#failures .bad"), ["its file is damaged"]);
        assert.equal(emulator.content(contentId)?.failureReason, "its file is damaged");
        await act("Stage", "Break");
        await says("1 livestream, 1 Failed");
        await act("Stage", "Rename or tag", "Hall");
        await says("Hall");
        await isChanged();
        assert.equal(emulator.livestream(streamUUID)?.title, "Hall");
        // The whole row was unfolded when it failed, and is so still.
        assert.equal(await isVisible("#failures li:last-child .actions"), true);
        await act("Hall", "Delete");
        await act("A film, <b>renamed</b>", "Delete");
        await says("No videos yet");
        assert.deepEqual([emulator.contents(), emulator.livestreams(), emulator.requests], [[], [], []]);

        const gone = emulator.addContent({ title: "Gone" });
        await says("1 content, 1 Ready");
        await (await (await unfold("Gone")).$("::-p-text(Delete)"))?.click();
        emulator.deleteContent(gone.contentId);
        await page.click("#change [type=submit]");
        await says(`The emulator refuses: The emulator has no content ${gone.contentId}`);
    });

    it("finds by a filter what it has not drawn, and counts it beside", async () => {
        for (let number = 1; number <= 720; number++) {
            const { contentId } = emulator.addContent({ title: `Film ${number}`, tags: [`take-${number}`] });
            if (number > 715) emulator.setContentStatus(contentId, "Failed", "unsupported codec");
        }
        const metadata = [...managed, { key: "season", value: "2" }];
        const { contentId } = emulator.addContent({ title: "Élan", metadata, description: "All of it" });
        emulator.addLivestream({ title: "Stage" });
        await page.goto(emulator.url);
        await says("721 contents, 716 Ready, 5 Failed; 1 livestream");
        assert.deepEqual(await texts("h2 span"), ["5", "716", "1", ""]);
        // So many that the browser's own search finds all of a usual account.
        assert.equal((await titles("contents")).length, 500);
        const find = async (words: string, found: string, ...expected: string[]) => {
            await page.$eval("#filter", (filter) => Object.assign(filter, { value: "" }));
            await page.type("#filter", words);
            await page.waitForFunction((wanted) => document.querySelector("#found")?.textContent === wanted, {}, found);
            const shown = async () => JSON.stringify(await texts("main > :not([hidden]) h3"));
            await waitFor(words, async () => (await shown()) === JSON.stringify(expected));
        };
        const numbers = [...Array(720).keys()]
            .map((index) => 720 - index)
            .filter((number) => `${number}`.startsWith("7"));
        await find("FILM  take-7", "32 of 722", ...numbers.map((number) => `Film ${number}`));
        await find("codec 717", "1 of 722", "Film 717");
        await find(contentId, "1 of 722", "Élan");
        await find("élan shop/live a/b:c season it", "1 of 722", "Élan");
        await find("idle", "1 of 722", "Stage");
        assert.deepEqual(await texts("#nothing"), [""]);
        await find("nothing at all", "0 of 722");
        assert.deepEqual(await texts("#nothing"), ["No content or livestream has all of these words."]);
        await page.$eval("#filter", (filter) => Object.assign(filter, { value: "" }));
        await page.type("#filter", " ");
        await page.waitForSelector("#contents li:nth-child(500):last-child");
        assert.deepEqual(await texts("#found"), [""]);
        await page.click("#contents .more");
        await page.waitForSelector("#contents li:nth-child(716):last-child");
        assert.equal(await isVisible("#contents .more"), false);
    });

    it("shows how far a video is, and no row is higher than 44 px", async () => {
        await emulator.close();
        let now = Date.now();
        emulator = await startEmulator({
            processingTimeMs: (create) => (create.title === "Slow" ? 200_000 : 0),
            now: () => now,
        });
        const content = [{ url: emulator.sampleUrl() }];
        const slow = emulator.addContent({ title: "Slow", content });
        const failed = emulator.addContent({ title: "Failed ".repeat(50), description: "All of it" });
        emulator.setContentStatus(failed.contentId, "Failed", "its reason ".repeat(50));
        emulator.addLivestream({ title: "Stage ".repeat(50) });
        now += 50_000;
        await page.goto(emulator.url);
        await says("Preparing · 25 %");
        const progress = () => page.$eval("#contents progress", ({ value }) => value);
        assert.equal(await progress(), 25);
        assert.equal(await page.$eval("progress", (bar) => bar.ariaLabel), "Processing of Slow");
        for (const width of [390, 1200]) {
            await page.setViewport({ width, height: 800 });
            const heights = await page.$$eval("li", (rows) => rows.map((row) => row.getBoundingClientRect().height));
            assert.ok(heights.length === 3 && heights.every((height) => height <= 44), `${width}: ${heights}`);
        }
        now += 60_000;
        await says("Preparing · 55 %");
        assert.equal(await progress(), 55);
        now += 100_000;
        await says("2 contents, 1 Ready, 1 Failed");
        assert.deepEqual(await page.$$("progress"), []);
        assert.equal(emulator.content(slow.contentId)?.status, "Ready");
    });

    it("shows the requests, which unfold to what was sent and why it was refused, without secrets", async () => {
        emulator.inject({ kind: "status", status: 503, times: 1 });
        await call(emulator, "GET", "/contents/unknown?x=1");
        const url = "https://user:word@media.example.com/a.mp4?X-Signature=0123456789";
        const source = { url: "https://media.example.com/b c.mp4?key=one two#three" };
        const body = { ...minimal, description: `See ${url}, or not.`, content: [{ url }, source], titel: "Typo" };
        await call(emulator, "POST", "/contents", body);
        await call(emulator, "POST", "/contents", `{"url": "${url}"`);
        emulator.inject({ kind: "reset", times: 1 });
        await assert.rejects(call(emulator, "GET", "/livestreams"));
        await page.goto(emulator.url);
        assert.deepEqual(await texts("[aria-current=page]"), ["Videos"]);
        await page.click("[href='#requests']");
        await page.waitForSelector("[href='#requests'][aria-current=page]");
        assert.deepEqual(await texts("[aria-current=page]"), ["Requests"]);
        await page.waitForSelector("#requests li:nth-child(4)");
        const asked = ["GET /livestreams", "POST /contents", "POST /contents", "GET /contents/unknown?x=1"];
        assert.deepEqual(await titles("requests"), asked);
        const [[lost] = [], , , [status, ms = "", at = "", fault] = []] = await factsOf("requests");
        assert.deepEqual([lost, status, fault], ["no answer", "503", "Fault: status"]);
        assert.match(`${ms}, ${at}`, /^\d+ ms, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
        assert.equal(await isVisible("#find"), true);
        for (const summary of await page.$$("#requests summary")) await summary.press("Enter");
        await says("Emulated failure 503");
        await says('Unrecognized key: \\"titel\\"');
        const shown = (await texts("#requests pre")).join("\n");
        assert.equal(shown.match(/https:\/\/media\.example\.com\/a\.mp4\?\[hidden\]/g)?.length, 3, shown);
        assert.match(shown, /See https:\/\/media\.example\.com\/a\.mp4\?\[hidden\] or not\./);
        assert.match(shown, /b%20c\.mp4\?\[hidden\]"/);
        assert.doesNotMatch(shown, /word|Signature|0123456789|one|two|three/);
        await page.type("#filter", "get 503");
        await says("1 of 4");
        assert.deepEqual(await titles("requests"), ["GET /contents/unknown?x=1"]);
        await page.type("#filter", " nothing");
        await says("No request has all of these words.");
        // The words are of one view alone.
        for (const [hash, view] of [
            ["#", "Videos"],
            ["#requests", "Requests"],
        ]) {
            await page.evaluate((wanted) => location.assign(wanted), hash as string);
            await waitFor(String(view), async () => `${await texts("[aria-current=page]")}` === view);
            assert.equal(await page.$eval("#filter", (filter) => (filter as HTMLInputElement).value), "");
            await page.type("#filter", "words");
        }
    });

    it("shows every text as text", async () => {
        const hostile = [
            `<img src="/nothing" onerror="alert(1)">`,
            "<script>alert(1)</script>",
            `"><svg onload=alert(1)>`,
            "javascript:alert(1)",
            "\u202Eright to left",
            "x".repeat(500),
        ];
        for (const text of hostile) {
            const { contentId } = emulator.addContent({ title: text });
            emulator.setContentStatus(contentId, text, text);
            emulator.addLivestream({ title: text });
        }
        await page.goto(emulator.url);
        await says("6 contents, 0 Ready; 6 livestreams");
        for (const selector of ["#contents h3", "#livestreams h3", "#contents [data-status]", "#contents .bad"])
            assert.deepEqual(await texts(selector), hostile.toReversed(), selector);
        assert.deepEqual(await page.$$("main img, main script, main svg"), []);
        // A long title breaks; it does not push the rest out of sight.
        for (const width of [390, 768]) {
            await page.setViewport({ width, height: 800 });
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
        }
    });

    it("says how to begin, that the emulator has stopped, keeps what it showed, and goes on when it is back", async () => {
        await page.goto(emulator.url);
        await says(`VIDEOGRAPH_BASE_URL='${emulator.url}'`);
        for (const hidden of ["#contents", "#problem", "#requests"]) assert.equal(await isVisible(hidden), false);
        emulator.addContent({ title: "Film" });
        await says("1 content, 1 Ready");
        const { port } = new URL(emulator.url);
        await emulator.close();
        await says("The emulator does not answer");
        assert.deepEqual(await titles("contents"), ["Film"]);
        assert.equal(await page.$eval("#problem", (element) => element.getAttribute("role")), "alert");
        emulator = await startEmulator({ port: Number(port) });
        await says("0 contents, 0 Ready");
        assert.equal(await isVisible("#problem"), false);
    });
});
