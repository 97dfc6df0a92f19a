/// <reference lib="dom" />
/** Pages in a real browser: what the emulator's own shows, and that nobody's text becomes HTML. */
import assert from "node:assert/strict";
import type { Page } from "puppeteer-core";
import { type Emulator, startEmulator } from "videograph-emulator";
import { useBrowser } from "./browser.ts";

describe("The emulator's page", function () {
    this.timeout(30_000);
    const testbed = useBrowser();
    let emulator: Emulator;
    let page: Page;
    /** What the page should not have done: errors of its script, and requests to elsewhere. */
    let wrongs: string[];

    beforeEach(async () => {
        emulator = await startEmulator({ processingTimeMs: 0 });
        page = await testbed.browser.newPage();
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
    const managedBy = (path: string) => [{ key: "managed_by", value: `pulumi:${path}:0123456789ab` }];

    it("shows contents and livestreams with their status, newest first, and keeps up", async () => {
        emulator.addContent({ title: "First" });
        const failed = emulator.addContent({ title: "Second" });
        emulator.setContentStatus(failed.contentId, "Failed", "unsupported codec");
        const stage = emulator.addLivestream({ title: "Stage" });
        await page.goto(emulator.url);
        await says("2 contents, 1 Ready; 1 livestream");
        assert.deepEqual(await texts("h3"), ["Second", "First", "Stage"]);
        assert.deepEqual(await texts("[data-status]"), ["Failed", "Ready", "Idle"]);
        assert.deepEqual(await texts("#failures .reason"), ["unsupported codec"]);

        // Another environment does not put it elsewhere in the order.
        emulator.addContent({ title: "Third" }, 0);
        emulator.updateContent(failed.contentId, { title: "Renamed" });
        emulator.updateLivestream(stage.streamUUID, { status: "Active" });
        await says("3 contents, 2 Ready");
        assert.deepEqual([await titles("failures"), await titles("contents")], [["Renamed"], ["Third", "First"]]);
        assert.deepEqual(await texts("#livestreams [data-status]"), ["Active"]);
        emulator.reset();
        await says("0 contents, 0 Ready; 0 livestreams");
    });

    it("finds objects by text, status and stack, and shows what there is to know and copy", async () => {
        const film = { tags: ["launch"], metadata: [...managedBy("shop/live/a:b/c"), { key: "season", value: "2" }] };
        const { contentId } = emulator.addContent({ title: "Film", ...film });
        emulator.addContent({ title: "Other", metadata: managedBy("shop/test/other") });
        emulator.setContentStatus(emulator.addContent({ title: "By hand" }).contentId, "Failed", "no video");
        await page.goto(emulator.url);
        await says("3 contents");
        const shows = (...wanted: string[]) =>
            page.waitForFunction(
                (expected) =>
                    [...document.querySelectorAll("h3")].map((title) => title.textContent).join() === expected,
                {},
                wanted.join(),
            );
        for (const text of ["LAUNCH", "film", contentId, "a:b/c"]) {
            await page.$eval("[name=search]", (input) => ((input as HTMLInputElement).value = ""));
            await page.type("[name=search]", text);
            await shows("Film");
        }
        await page.type("[name=search]", "x");
        await says("Nothing matches these filters");
        await page.$eval("[name=search]", (input) => ((input as HTMLInputElement).value = ""));
        await page.select("[name=status]", "Failed");
        await shows("By hand");
        await page.select("[name=status]", "");
        assert.deepEqual(await texts("[name=stack] option"), ["All stacks", "shop/live", "shop/test"]);
        await page.select("[name=stack]", "shop/live");
        await shows("Film");
        const playback = `${emulator.url}/playback/${contentId}/master.m3u8`;
        for (const text of ["launch", "season", "shop/live", "a:b/c", contentId, playback]) await says(text);
        await testbed.browser
            .defaultBrowserContext()
            .overridePermissions(emulator.url, ["clipboard-read", "clipboard-sanitized-write"]);
        await page.click("[aria-label='Copy Playback']");
        await says("Copied");
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), playback);
    });

    it("plays a content that is Ready, by the keyboard alone, while the page goes on updating", async () => {
        const { contentId } = emulator.addContent({ title: "Film", content: [{ url: emulator.sampleUrl() }] });
        await page.goto(emulator.url);
        const video = await page.waitForSelector("video");
        assert.ok(video);
        assert.equal(await video.evaluate((element) => element.getAttribute("aria-label")), "Film");
        for (let tabs = 0; !(await video.evaluate((element) => element === document.activeElement)); tabs++) {
            assert.ok(tabs < 20, "The video cannot be reached by the keyboard");
            await page.keyboard.press("Tab");
        }
        await page.keyboard.press("Space");
        await page.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0.1);
        emulator.addContent({ title: "Another" });
        emulator.updateContent(contentId, { tags: ["new"] });
        await says("Another");
        assert.ok(await video.evaluate((element) => element.isConnected && element === document.activeElement));
        const before = await video.evaluate(({ currentTime }) => currentTime);
        await page.waitForFunction((element, time) => element.currentTime > time || element.ended, {}, video, before);
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
        assert.deepEqual(await titles("contents"), hostile.toReversed());
        assert.deepEqual(await titles("livestreams"), hostile.toReversed());
        assert.deepEqual(await texts("#contents [data-status]"), hostile.toReversed());
        assert.deepEqual(await texts("#contents .reason"), hostile.toReversed());
        assert.deepEqual(await page.$$("main img, main script, main svg"), []);
        // A long title breaks; it does not push the rest out of sight.
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });

    it("says how to begin, that the emulator has stopped, keeps what it showed, and goes on when it is back", async () => {
        await page.goto(emulator.url);
        await says(`VIDEOGRAPH_BASE_URL='${emulator.url}'`);
        for (const hidden of ["#contents", "#problem", "#filters"]) assert.equal(await isVisible(hidden), false);
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
