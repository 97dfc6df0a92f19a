/**
 * A real browser for tests, without a screen: a Chromium that comes from npm (Linux), or one that is installed. Where there
 * is neither, the tests are pending and say so.
 */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import puppeteer, { type Browser } from "puppeteer-core";

/** Registers the hooks; what it returns can be used in tests. */
export function useBrowser(): { readonly browser: Browser } {
    let browser: Browser | undefined;
    before("a browser", async function () {
        // Unpacked once per machine.
        const failures: string[] = [];
        for (const launch of [launchInstalled, launchPacked, launchPackedWithLibraries]) {
            browser = await launch().catch((error: Error) => void failures.push(error.message));
            if (browser !== undefined) return;
        }
        console.log(`      No browser can be had here, so its tests are skipped:\n${failures.join("\n")}`);
        this.skip();
    });
    after(() => browser?.close());
    return {
        get browser() {
            if (browser === undefined) throw new Error("Open only while tests run");
            return browser;
        },
    };
}

const launch = (executablePath: string, env: NodeJS.ProcessEnv = process.env) =>
    // Root, as which containers often run, may only start it without its sandbox. It sees nothing but our own page.
    puppeteer.launch({ executablePath, env: { ...env }, headless: "shell", args: ["--no-sandbox", "--disable-gpu"] });

function launchInstalled(): Promise<Browser> {
    const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    const folders = (process.env.PATH ?? "").split(delimiter);
    const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    const path = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), mac].find(existsSync);
    return path === undefined ? Promise.reject(new Error("None is installed.")) : launch(path);
}

async function launchPacked(): Promise<Browser> {
    if (process.platform !== "linux") throw new Error("The one that comes from npm is for Linux.");
    const { default: chromium } = await import("@sparticuz/chromium");
    return launch(await chromium.executablePath());
}

/** On a machine without the libraries of a desktop: with those that the package brings along. */
async function launchPackedWithLibraries(): Promise<Browser> {
    if (process.platform !== "linux") throw new Error("So are its libraries.");
    const { default: chromium, inflate } = await import("@sparticuz/chromium");
    const packed = join(import.meta.dirname, "..", "..", "node_modules", "@sparticuz", "chromium", "bin");
    await inflate(join(packed, "al2023.tar.br"));
    const env = { ...process.env, LD_LIBRARY_PATH: join(tmpdir(), "al2023", "lib") };
    return launch(await chromium.executablePath(), env);
}
