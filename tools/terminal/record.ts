/**
 * Writes the pictures of docs/images/: the quickstart in the real CLI, in a pseudo terminal, against the emulator.
 *
 *     npm run docs:images
 *
 * It takes Linux, for `script`. Ids, ports and times are replaced by fixed ones, so that a picture changes only when what
 * people see has changed.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../pulumiCli/environment.ts";
import { obtainPulumiCli } from "../pulumiCli/index.ts";
import { type Line, PseudoTerminal, plain } from "./pseudoTerminal.ts";
import { svgOf } from "./svg.ts";

const root = join(import.meta.dirname, "..", "..");
const images = join(root, "docs", "images");
const quickstart = join(root, "examples", "quickstart");
/** The fixed id that stands for each id that was seen. */
const ids = new Map<string, string>();
const size = { columns: 118, rows: 60 };

const folder = await mkdtemp(join(tmpdir(), "videograph-images-"));
const cli = await obtainPulumiCli();
const media = await serve();
const emulator = await startEmulator({ processingTimeMs: 1_500 });
const stacks = { backend: join(folder, "state"), home: join(folder, "home"), passphrase: "images" };
const env = { ...isolatedEnvironment(cli, stacks), ...emulator.env };
try {
    await project();
    await record();
} finally {
    await emulator.close();
    media.server.close();
    await rm(folder, { recursive: true, force: true });
}

async function record(): Promise<void> {
    emulator.inject({ kind: "processing", stuck: true });
    const first = run("up --yes --skip-preview");
    const waiting = await first.until(/waiting for \d/);
    await picture("waiting", "A row that says how long the video has been Preparing", first, waiting);
    for (const { contentId } of emulator.contents()) emulator.setContentStatus(contentId, "Ready");
    emulator.clearFaults();
    const ready = await first.end("success");
    await picture("first-up", "The first pulumi up: the video is Ready, and the outputs are shown", first, ready);

    await program({ 'title: "Trailer"': 'title: "Official trailer"' });
    const update = run("up --yes --skip-preview --diff");
    await picture("update", "An update in place", update, await update.end("success"));

    await program({ '["public"]': '["signed"]' });
    const change = run("preview --diff");
    await picture("replace", "The preview of a replacement", change, await change.end("success"));

    await program({ '["signed"]': '["public"]' });
    const [content] = emulator.contents();
    if (content !== undefined) emulator.updateContent(content.contentId, { title: "Changed by hand" });
    const refresh = run("refresh --yes --skip-preview --diff");
    await picture("drift", "A refresh that shows a title changed by hand", refresh, await refresh.end("success"));

    await setSource("expired.mp4");
    const failing = run("up --yes --skip-preview");
    await picture("failed", "The diagnostics of a run whose video failed", failing, await failing.end("failure"));
}

interface Recording extends PseudoTerminal {
    readonly command: string;
}

function run(args: string): Recording {
    const terminal = new PseudoTerminal(`pulumi ${args}`, { ...size, cwd: folder, env });
    return Object.assign(terminal, { command: `pulumi ${args}` });
}

async function picture(name: string, description: string, { command }: Recording, lines: Line[]): Promise<void> {
    const prompt: Line = [
        { text: "$ ", colour: 8, bold: false },
        { text: command, colour: undefined, bold: true },
    ];
    // How long it took says nothing about the next machine.
    const kept = lines.filter((line) => !plain([line]).startsWith("Duration:"));
    const shown = [prompt, ...trimmed(kept)].map((line) =>
        line.map((piece) => ({ ...piece, text: fixed(piece.text) })),
    );
    await mkdir(images, { recursive: true });
    await writeFile(join(images, `${name}.svg`), svgOf(shown, description));
    console.log(`\n== ${name}.svg\n${plain(shown)}`);
}

function trimmed(lines: readonly Line[]): readonly Line[] {
    const isBlank = (line: Line) => plain([line]).trim() === "";
    const last = lines.findLastIndex((line) => !isBlank(line));
    return lines.slice(0, last + 1);
}

/** What differs from run to run, in the same number of characters. */
function fixed(text: string): string {
    return text
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
            const known = ids.get(id) ?? `0b6f2a34-9c1d-4f0e-8a57-2f4f7f1f6f${String(ids.size + 10)}`;
            ids.set(id, known);
            return known;
        })
        .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:44100")
        .replaceAll(/\b\d\.\d\ds\b/g, "0.64s")
        .replaceAll(/(?<=waiting for )\d(?= s)|(?<=ing \()\d(?=s\))/g, "6")
        .replaceAll(/(?<=(created|updated) \()\d(?=s\))/g, "6")
        .replaceAll(/(?<=(created|creating|updated) \()\d\d(?=s\))/g, "13");
}

async function project(): Promise<void> {
    for (const path of [stacks.backend, stacks.home]) await mkdir(path);
    for (const name of ["index.ts", "package.json", "tsconfig.json"])
        await cp(join(quickstart, name), join(folder, name));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "Pulumi.yaml"), "name: videos\nruntime: nodejs\n");
    await new PseudoTerminal("pulumi stack init dev", { ...size, cwd: folder, env }).end("success");
    await setSource("trailer.mp4");
}

async function setSource(name: string): Promise<void> {
    const command = `pulumi config set sourceUrl ${media.url}/${name}`;
    await new PseudoTerminal(command, { ...size, cwd: folder, env }).end("success");
}

async function program(changes: Record<string, string>): Promise<void> {
    const path = join(folder, "index.ts");
    let text = await readFile(path, "utf8");
    for (const [from, to] of Object.entries(changes)) {
        if (!text.includes(from)) throw new Error(`examples/quickstart/index.ts has no ${from} any more.`);
        text = text.replace(from, to);
    }
    await writeFile(path, text);
}

async function serve() {
    const trailer = await readFile(join(quickstart, "trailer.mp4"));
    const server = createServer((request, response) => {
        if (request.url === "/trailer.mp4") response.setHeader("content-type", "video/mp4").end(trailer);
        else response.writeHead(403).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
