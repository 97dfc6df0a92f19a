/// <reference lib="dom" />
/** Pages in a real browser: what the emulator's own shows, and that nobody's text becomes HTML. */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { type Emulator, startEmulator } from "videograph-emulator";
import { call } from "./support.ts";

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
        assert.deepEqual(await texts("#failures .reason"), ["unsupported codec"]);
        // Without what may be secret in it, and only where it has failed.
        assert.equal((await texts("#failures dd"))[0], emulator.sampleUrl());
        assert.equal((await texts("dt")).filter((name) => name === "Source").length, 1);

        // Another environment does not put it elsewhere in the order.
        emulator.addContent({ title: "Third" }, 0);
        emulator.updateContent(failed.contentId, { title: "Renamed" });
        emulator.updateLivestream(stage.streamUUID, { status: "Active" });
        await says("3 contents, 2 Ready, 1 Failed; 1 livestream");
        assert.deepEqual([await titles("failures"), await titles("contents")], [["Renamed"], ["Third", "First"]]);
        assert.deepEqual(await texts("#livestreams [data-status]"), ["Active"]);
        emulator.reset();
        await says("0 contents, 0 Ready; 0 livestreams");
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
        assert.deepEqual(await texts("summary .quiet"), [
            "Ready · 10 s · plays with signed URLs only",
            "Ready · 10 s · plays the sample",
            "Ready · 2 s",
            "Ready · 2 s · shop/live · a/b:c",
        ]);
        assert.deepEqual(await texts("div.poster"), ["Signed"]);
        await says("All of it");
        assert.equal(await isVisible("dl"), false);
        await page.click("li:last-child summary");
        const playback = `${emulator.url}/playback/${contentId}/master.m3u8`;
        for (const text of ["launch", "season", "160x90", "a%2Fb", contentId, playback]) await says(text);
        const permissions = ["clipboard-read", "clipboard-sanitized-write"] as const;
        await page.browserContext().overridePermissions(emulator.url, [...permissions]);
        await page.click("li:last-child dl button");
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

    it("shows more on demand, failures above and few of them at first, and the requests as a table", async () => {
        const status = async (id: string) => (await call(emulator, "GET", `/contents/${id}?x=1`)).status;
        for (let number = 1; number <= 26; number++) {
            const { contentId } = emulator.addContent({ title: `Film ${number}` });
            if (number > 22) emulator.setContentStatus(contentId, "Failed", "unsupported codec");
        }
        emulator.inject({ kind: "status", status: 503, times: 1 });
        assert.equal(await status("unknown"), 503);
        await page.goto(emulator.url);
        await says("26 contents, 22 Ready");
        assert.deepEqual(await texts("h2 span"), ["4", "22", "0", "1"]);
        for (const [group, first, all] of [
            ["failures", 3, 4],
            ["contents", 20, 22],
        ] as const) {
            assert.equal((await titles(group)).length, first);
            await page.click(`#${group} .more`);
            await page.waitForSelector(`#${group} li:nth-child(${all}):last-child`);
            assert.equal(await isVisible(`#${group} .more`), false);
        }
        assert.deepEqual(await texts("[aria-current=page]"), ["Videos"]);
        await page.click("[href='#requests']");
        await page.waitForSelector("[href='#requests'][aria-current=page]");
        assert.deepEqual(await texts("[aria-current=page]"), ["Requests"]);
        const [row] = await texts("#requests tbody tr");
        assert.match(row ?? "", /^\d\d:\d\d:\d\dGET \/contents\/unknown\?x=1Fault: status503\d+$/);
        assert.equal(await isVisible("#contents"), false);
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
        for (const selector of ["#contents h3", "#livestreams h3", "#contents [data-status]", "#contents .reason"])
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
