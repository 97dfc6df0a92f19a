/** A real browser for tests, without a screen: a Chromium that comes from npm, for Linux. Elsewhere the tests are pending, and say so. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser } from "puppeteer-core";

/** Registers the hooks; what it returns can be used in tests. */
export function useBrowser(): { readonly browser: Browser } {
    let browser: Browser | undefined;
    before("a browser", async function () {
        browser = await launch().catch((error: Error) => {
            console.log(`      No browser can be had here, so its tests are skipped: ${error.message}`);
            return this.skip();
        });
    });
    after(() => browser?.close());
    return {
        get browser() {
            if (browser === undefined) throw new Error("Open only while tests run");
            return browser;
        },
    };
}

/** Unpacked once per machine, with the libraries of a desktop, which servers lack. */
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
