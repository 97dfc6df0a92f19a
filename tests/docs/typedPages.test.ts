/**
 * The pages, typed: from an empty folder with the packed packages and nothing else, each page's blocks are followed in order with
 * the real npm and the real Pulumi CLI. The emulator is the service.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { startsFaster } from "../examples/exampleStack.ts";
import { copyPack, hostIsTooOld, startWithoutHost } from "../examples/policyPack.ts";
import { usePacked } from "../package/packages.ts";
import { registryAnswers } from "../package/userProject.ts";
import { compileCache } from "../support/compileCache.ts";
import { killAll, processesIn } from "../support/processes.ts";
import { sent } from "../support/requests.ts";
import { waitFor } from "../support/waitFor.ts";
import { type CodeBlock, pages, parsePage, readPage, repository } from "./markdown.ts";
import { linesToType, typable } from "./notTyped.ts";
import { Typist, type TypistOptions } from "./typist.ts";

/** As they look on the service. The CLI takes such ids for secrets. */
const token = { id: "8f14e45f-ceea-467f-9d3c-5a1b2c3d4e5f", secret: "q3Zr9xT1vW8yB5nM2kL7pJ4hG6fD0sA3" };
const values = {
    "access token id": token.id,
    "secret key": token.secret,
    "new id": token.id,
    "new key": token.secret,
    organization: "organization",
};

describe("What the pages say to type", function () {
    this.timeout(300_000);
    if (process.platform === "win32") return;
    const packed = usePacked();
    /** Where the first page is followed; what it installs serves the other pages too. */
    let home: string;
    let env: Record<string, string>;
    /** In place of the emulator's own port, which may be taken on this machine. */
    let port: number;
    const onThisMachine = (text: string) => ownPackages(text).replaceAll("4410", String(port));
    const cleanUp: (() => Promise<void>)[] = [];
    /** The lines of pages that were typed, as `page:line`. */
    const typed = new Set<string>();

    before("npm install, as the first page says", async function () {
        this.timeout(20 * 60_000);
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        home = await mkdtemp(join(tmpdir(), "videograph-typed-"));
        port = await freePort();
        const backend = join(home, ".state");
        const pulumiHome = join(home, ".pulumi-home");
        for (const path of [backend, pulumiHome]) await mkdir(path);
        env = {
            ...isolatedEnvironment(await obtainPulumiCli(), { backend, home: pulumiHome, passphrase: "typed" }),
            ...npmSettings(),
            NODE_COMPILE_CACHE: compileCache,
            // A reader answers yes.
            PULUMI_SKIP_CONFIRMATIONS: "true",
            npm_config_prefer_offline: "true",
        };
        const typist = open({ folder: home });
        await typist.follow(files("README.md"));
        await typist.follow(section("README.md", "Quickstart without an account", /^npm install$/));
    });
    afterEach(async () => {
        for (const end of cleanUp.splice(0).reverse()) await end();
    });
    after(async () => {
        if (home === undefined) return;
        killAll(processesIn(home));
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
    });

    function open(options: Pick<TypistOptions, "folder"> & Partial<TypistOptions>): Typist {
        const typist = new Typist({
            env,
            values,
            edit: onThisMachine,
            onTyped: (place) => typed.add(place),
            ...options,
        });
        cleanUp.push(() => typist.close());
        return typist;
    }

    /** The packages are not published: the tarballs are installed in their place. */
    function ownPackages(text: string): string {
        const tarballs = {
            "pulumi-videograph": packed.provider.tarball,
            "videograph-emulator": packed.emulator.tarball,
        };
        let edited = text;
        for (const [name, tarball] of Object.entries(tarballs)) {
            edited = edited.replace(
                new RegExp(`"${name}": "\\^[\\d.]+"`),
                `"${name}": ${JSON.stringify(`file:${tarball}`)}`,
            );
            if (/^npm install /.test(text))
                edited = edited.replace(new RegExp(`(?<= )${name}(@latest)?(?= |$)`), tarball);
        }
        return edited;
    }

    /** A project with a stack of its own, in which the packages are installed, and a service. */
    async function project(name: string, options: EmulatorOptions = {}) {
        const emulator = await startEmulator({
            tokens: [token],
            processingTimeMs: 200,
            fetchSources: false,
            ...options,
        });
        cleanUp.push(() => emulator.close());
        const folder = await mkdtemp(join(tmpdir(), `videograph-${name}-`));
        cleanUp.push(async () => {
            killAll(processesIn(folder));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        });
        await symlink(join(home, "node_modules"), join(folder, "node_modules"));
        await writeFile(join(folder, "package.json"), '{ "private": true }\n');
        await writeFile(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
        const backend = join(folder, ".state");
        await mkdir(backend);
        const own = { ...env, ...emulator.env, PULUMI_BACKEND_URL: `file://${backend}`, ...startsFaster };
        const typistWith = (more: Record<string, string>) => open({ folder, env: own, values: { ...values, ...more } });
        const program = (text: string) => writeFile(join(folder, "index.ts"), text);
        return { emulator, folder, env: own, typistWith, program, typist: typistWith({}) };
    }

    it("first page: a playable video without an account, and with one", async () => {
        const without = "Quickstart without an account";
        const accountValues = { ...values, "URL of an MP4, MOV or M4V file": `http://127.0.0.1:${port}/sample.mp4` };
        let printed = "";
        const typist = open({
            folder: home,
            ownTerminal: (line) =>
                line === "npx videograph-emulator"
                    ? startsEmulator().then((text) => {
                          printed = text;
                      })
                    : undefined,
        });
        await typist.follow(section("README.md", without, /^npx /));
        const output = await typist.follow(section("README.md", without, /^export /));
        for (const line of exportLines("README.md", without)) assert.ok(printed.includes(onThisMachine(line)), printed);
        assert.match(output, /3 created/);
        const [, playbackUrl = ""] = /playbackUrl\s*: "([^"]+)"/.exec(output) ?? [];
        assert.equal((await fetch(playbackUrl)).status, 200);
        assert.match(await typist.follow(section("README.md", without, /^pulumi destroy$/)), /has been removed/);

        // In the folder of the quickstart, whose page has the same lines. Here, the emulator is the service that the account is of.
        const [unset, ...account] = section("examples/quickstart/README.md", "With your account").flatMap(
            linesAsBlocks,
        );
        assert.ok(unset);
        const reader = open({
            folder: await example("quickstart"),
            env: { ...env, ...startsFaster },
            values: accountValues,
            edit: withoutPreview,
        });
        await reader.follow([unset]);
        await reader.line(`export VIDEOGRAPH_BASE_URL=http://127.0.0.1:${port}`);
        assert.match(await reader.follow(account), /3 created/);
    });

    it("first page: its program is the quickstart's", async () => {
        const [program] = files("README.md").filter(({ file }) => file === "index.ts");
        assert.equal(program?.text, await readFile(join(repository, "examples", "quickstart", "index.ts"), "utf8"));
        // Both pages have the same lines, each of which is typed for one of them; the first page has its own state.
        const lines = (page: string, heading: string) => section(page, heading).flatMap(linesAsBlocks);
        for (const heading of ["without an account", "with your account"]) {
            const first = lines("README.md", `Quickstart ${heading}`);
            const quickstart = lines("examples/quickstart/README.md", heading.replace("w", "W"));
            const shared = first.filter(
                ({ language, text }) => language === "sh" && !text.includes("PULUMI_BACKEND_URL"),
            );
            assert.deepEqual(
                quickstart.filter(({ language }) => language === "sh").map(({ text }) => text),
                shared.map(({ text }) => text),
            );
            for (const { page, line } of [...shared, ...quickstart]) typed.add(`${page}:${line + 1}`);
        }
    });

    it("every `pulumi config set` of every page, with values as they look on the service", async () => {
        const { typist } = await project("config");
        await typist.line("pulumi stack init dev");
        const blocks = pages().flatMap((page) => page.blocks.filter(({ language }) => language === "sh"));
        const settings = blocks
            .flatMap(linesAsBlocks)
            .filter(({ text }) => /^pulumi config set /.test(text))
            .map((block) => ({
                ...block,
                text: block.text.replace(/ && .*/, "").replace(/<(URL|organization)[^>]*>/, "x"),
            }));
        assert.ok(settings.length > 15);
        // Several pages have the same line.
        await typist.follow(settings.filter(({ text }, at) => settings.findIndex((one) => one.text === text) === at));
        for (const { page, line } of settings) typed.add(`${page}:${line + 1}`);
        const wrong = parsePage(
            "docs/sample.md",
            "```sh\npulumi config set videograph:accessTokenId <access token id>\n```\n",
        );
        await assert.rejects(typist.follow(wrong.blocks), /docs\/sample\.md:2: .*looks like a secret/s);
    });

    it("adopting a whole account of six objects: no preview deletes, and the last one is empty", async () => {
        const { emulator, typist, folder } = await project("account");
        for (const title of ["One", "Two", "Three", "Four"]) emulator.addContent({ title, tags: ["old"] });
        for (const record of [true, false]) emulator.addLivestream({ title: `Stage ${record}`, record });
        await typist.line("pulumi stack init dev");
        const blocks = section("docs/guides/taking-over.md", "A whole account");
        assert.deepEqual(
            blocks.map(({ language }) => language),
            ["sh", "ts", "sh", "sh"],
        );
        const [adopt, program, imports, preview] = blocks;
        assert.ok(adopt && program && imports && preview);
        await typist.follow([adopt]);
        // The mistake that the page warns of: the generated program is not the program yet.
        await writeFile(join(folder, "index.ts"), "export {};\n");
        assert.match(await typist.follow([imports]), /= 6 imported/);
        assert.match(await typist.fails("pulumi preview"), /cannot be deleted\s+because it is protected/);

        assert.match(await typist.follow([program, preview]), /7 unchanged/);
        assert.equal(emulator.contents().length + emulator.livestreams().length, 6);
        assert.deepEqual([...new Set(emulator.requests.map(({ method }) => method))], ["GET"]);
    });

    it("renaming, moving and splitting stacks: no preview has a change", async () => {
        const page = "docs/guides/moving-stacks.md";
        const { emulator, typist, typistWith, program } = await project("moving");
        const declare = (names: readonly string[], more = "") =>
            program(
                `import * as videograph from "pulumi-videograph";\nfor (const name of ${JSON.stringify(names)})\n` +
                    `    new videograph.Content(name, { title: name, content: [{ url: "https://media.example.com/v.mp4" }]${more} });\n`,
            );
        /** Which stack each object's marker names. */
        const owners = () =>
            Object.fromEntries(
                emulator
                    .contents()
                    .map(({ title, metadata }) => [
                        title,
                        metadata?.[0]?.value.replace(/^pulumi:moving\/(\w+)\/.*/, "$1"),
                    ]),
            );
        const urnsIn = (shown: string) => [...shown.matchAll(/urn:\S+:Content::\w+/g)].map(([urn]) => urn);
        await declare(["one", "two", "three"]);
        await typist.line("pulumi stack init dev && pulumi up --skip-preview");
        await typist.follow(section(page, "Renaming a stack"));

        await typist.line("pulumi stack init production --no-select");
        const moving = section(page, "Moving a resource to another stack").flatMap(linesAsBlocks);
        assert.equal(moving.length, 5);
        const [first = "", second = ""] = urnsIn(await typist.follow(moving.slice(0, 1)));
        const [back = "", gone = ""] = [first, second].map((urn) => urn.split("::").at(-1));
        await typistWith({ urn: `'${first}' '${second}'` }).follow(moving.slice(1, 2));
        await declare(["one", "two", "three"].filter((other) => other !== back && other !== gone));
        await typist.follow(moving.slice(2, 3));
        await declare([back, gone]);
        await typist.follow(moving.slice(3, 4));
        const puts = () => emulator.requests.filter(({ method }) => method === "PUT").length;

        // The marker names the stack that created it, and follows with the next change, there and back.
        assert.deepEqual([owners()[back], owners()[gone]], ["dev", "dev"]);
        await declare([back, gone], ', description: "Changed"');
        await typist.line("pulumi up --skip-preview --stack production");
        assert.deepEqual([puts(), owners()[back], owners()[gone]], [2, "dev", "dev"]);
        const there = urnsIn(await typist.line("pulumi stack --show-urns --stack production"));
        const urnOf = (name: string) => there.find((urn) => urn.endsWith(`::${name}`)) ?? "";
        await typistWith({ urn: urnOf(back) }).follow(moving.slice(4));
        await declare(["one", "two", "three"].filter((other) => other !== gone));
        await typist.line("pulumi up --skip-preview --stack staging");
        assert.deepEqual([puts(), owners()[back]], [3, "dev"]);
        assert.match(
            await typist.line("npx pulumi-videograph orphans --stack staging"),
            /^No orphans of moving\/staging\.$/m,
        );

        const [init, move, ...previews] = section(page, "Splitting a stack").flatMap(linesAsBlocks);
        assert.ok(init && move && previews.length === 2);
        assert.ok(move.text.endsWith(" <urn> <urn>"));
        const one = { ...move, text: move.text.replace("<urn> <urn>", "<urn>") };
        await typistWith({ urn: urnOf(gone) }).follow([init, one]);
        await program("export {};\n");
        await typist.follow(previews.slice(0, 1));
        await declare([gone], ', description: "Changed"');
        await typist.follow(previews.slice(1));
        assert.equal(emulator.contents().length, 3);
        assert.deepEqual(
            emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method),
            ["POST", "POST", "POST", "PUT", "PUT", "PUT"],
        );
    });

    it("moving to another backend: the preview has no change, and the old stack goes without a delete", async () => {
        const { emulator, typist, typistWith, program, folder } = await project("backends");
        await program(
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });\n`,
        );
        await typist.line("pulumi stack init production && pulumi up --skip-preview");
        // The first backend by a login, as a reader has it, whose home is not that of the other tests.
        const [before, after] = [".state", ".new-state"].map((name) => `file://${join(folder, name)}`);
        await mkdir(join(folder, ".new-state"));
        const moved = typistWith({ "new backend": after ?? "" });
        await moved.line(
            `unset PULUMI_BACKEND_URL; export PULUMI_HOME=${join(folder, ".home")}; pulumi login ${before}`,
        );
        await moved.line("pulumi stack select production");
        await moved.follow(section("docs/guides/moving-stacks.md", "Moving to another backend"));
        await moved.line(`rm stack.json; pulumi login ${before} && pulumi stack rm --force production`);
        assert.equal(emulator.livestreams().length, 1);
        assert.deepEqual(
            emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method),
            ["POST"],
        );
    });

    it("outputs, targets, a rotated token, drift, an alias, a video that is kept, and a replacement without a gap", async () => {
        const { emulator, typist, typistWith, program, folder } = await project("guides", { processingTimeMs: 1_500 });
        const [stage] = section("docs/guides/secrets.md", "Passing on a stream key");
        const [alias] = section("docs/guides/moving-stacks.md", "Renaming a resource");
        const [gap] = section("docs/guides/waiting-and-failures.md", "Replacing a video without a gap");
        const [remove] = section("docs/guides/taking-over.md", "Stop managing an object");
        assert.ok(stage && alias && gap && remove);
        const file = (name: string, text: string) => writeFile(join(folder, `${name}.ts`), text);
        // Two of the pages call their video "trailer".
        const replaced = gap.text.replace('"trailer"', '"season-trailer"').replace("Trailer", "Season trailer");
        await file("stage", stage.text);
        await file("renamed", alias.text.replace('"official-trailer"', '"trailer"').replace(/aliases: .*\]/, ""));
        await file("gap", replaced.replace("trailer-v2", "trailer"));
        await program(
            `import * as videograph from "pulumi-videograph";\nimport "./renamed";\nimport "./gap";\nexport * from "./stage";\n` +
                `new videograph.Content("kept", { title: "Kept", content: [{ url: "https://media.example.com/v.mp4" }] }, { protect: true });\n`,
        );
        await typist.line("pulumi stack init dev && pulumi up --skip-preview");
        const ids = () => Object.fromEntries(emulator.contents().map(({ title, contentId }) => [title, contentId]));
        const before = ids();
        const [stream] = emulator.livestreams();
        const encoderUrl = await typist.follow(section("docs/guides/secrets.md", "Passing on a stream key"));
        assert.ok(stream !== undefined && encoderUrl.includes(stream.streamKey));
        const targets = await typist.follow(section("docs/guides/coming-from-aws.md", "Type tokens and URNs"));
        assert.match(targets, /urn:pulumi:dev::guides::pulumi-nodejs:dynamic\/videograph:Content::trailer/);
        await typist.follow(section("docs/installation.md", "A rotated token"));

        // There is nothing to answer to.
        await typist.line("unset PULUMI_SKIP_CONFIRMATIONS");
        const [drift] = section("docs/guides/drift.md", "Drift").flatMap(linesAsBlocks);
        assert.ok(drift);
        await typist.follow([drift]);
        emulator.updateContent(before.Kept ?? "", { title: "Changed by hand" });
        assert.match(await typist.fails(drift.text), /Changed by hand/);

        const [urn = ""] = /urn:\S+::kept/.exec(targets) ?? [];
        // As the page says of a protected resource.
        await typistWith({ urn }).follow([{ ...remove, text: `${remove.text.trim()} --force\n` }]);
        await file("renamed", alias.text);
        await file("gap", replaced);
        await program('import "./renamed";\nimport "./gap";\nexport * from "./stage";\n');
        emulator.clearRequests();
        await typist.line("pulumi up --yes --skip-preview");
        const { "Season trailer": current = "", ...others } = ids();
        assert.deepEqual(others, { Trailer: before.Trailer, "Changed by hand": before.Kept });
        const requests = sent(emulator);
        const writes = requests.filter((request) => !request.startsWith("GET "));
        assert.deepEqual(writes, ["POST /contents", `DELETE /contents/${before["Season trailer"]}`]);
        assert.ok(requests.includes(`GET /contents/${current}`));
        const [created, deleted] = emulator.requests.filter(({ method }) => method !== "GET");
        assert.ok((deleted?.at ?? 0) - (created?.at ?? 0) >= 1_500, "It was deleted too early");
    });

    it("interrupted runs: a killed create, and then destroy", async () => {
        const page = "docs/guides/interrupted-runs.md";
        const { emulator, typist, typistWith, program, folder, env } = await project("killed");
        await program(
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Content("trailer", { title: "Trailer", content: [{ url: "https://media.example.com/v.mp4" }] });\n`,
        );
        await typist.line("pulumi stack init dev");
        const killed = () => killedUp(emulator, folder, env);
        const [recipe, late] = section(page, "Destroying a stack after a killed run");
        const [search] = section(page, "Finding objects that no state knows");
        const [clear] = section(page, "Interrupted runs");
        assert.ok(recipe && late && search && clear);

        await killed();
        await typist.follow([{ ...recipe, text: withoutPreview(recipe.text) }]);
        assert.deepEqual(emulator.contents(), []);
        assert.equal(emulator.requests.filter(({ method }) => method === "POST").length, 1);

        await typist.follow([clear]);
        await killed();
        await typist.line("pulumi cancel && pulumi destroy --skip-preview");
        await typist.follow([search]);
        const [left] = emulator.contents();
        assert.ok(left, "If destroy deletes it now, the page has to say so");
        const [list, remove] = linesAsBlocks(late);
        assert.ok(list !== undefined && remove !== undefined);
        assert.match(await typist.follow([orCode(list, 3)]), new RegExp(left.contentId));
        await typistWith({ id: left.contentId }).follow([{ ...remove, text: `${remove.text} --yes` }]);
        assert.deepEqual(emulator.contents(), []);
    });

    it("the page of the example live-event: the key comes to the encoder, and is in plain text nowhere on the way", async () => {
        const { emulator, folder: own, env } = await project("live-event");
        const folder = await example("live-event");
        const typist = open({ folder, env, ownTerminal: installed });
        const [event, encoder, onAir, newKey] = shellBlocks("examples/live-event/README.md");
        assert.ok(event && encoder && onAir && newKey);
        const stream = () => {
            const [livestream, ...more] = emulator.livestreams();
            assert.ok(livestream !== undefined && more.length === 0, "There should be one livestream");
            return livestream;
        };
        const service = async () => {
            const text = await readFile(join(folder, "encoder", "service.json"), "utf8");
            await rm(join(folder, "encoder", "service.json"));
            return (JSON.parse(text) as { settings: object }).settings;
        };
        let shown = await typist.follow([event]);
        assert.match(shown, /streamKey\s*: \[secret\][\s\S]*\.m3u8$/m);
        assert.equal(stream().record, true);
        const { streamKey, streamUUID } = stream();
        const later = open({ folder, env, edit: withoutPreview });
        shown += await later.follow([encoder]);
        assert.match(shown, /obsService\s*: \[secret\]/);
        const [, server] = /ingestUrl\s*: "(rtmps:[^"]+)"/.exec(shown) ?? [];
        assert.deepEqual(await service(), { server, key: streamKey, use_auth: false });

        // On air, it can lose nothing but its title.
        await typist.line('pulumi config set title "Harbour concert, second night"');
        shown += await later.follow([onAir]);
        assert.match(await typist.fails("pulumi destroy --skip-preview"), /protect/);
        assert.deepEqual([stream().streamUUID, stream().title], [streamUUID, "Harbour concert, second night"]);

        shown += await later.follow([newKey]);
        assert.notEqual(stream().streamUUID, streamUUID);
        assert.notEqual(stream().streamKey, streamKey);
        const again = linesAsBlocks(encoder).find(({ text }) => text.includes("service.json"));
        await typist.line(`cd encoder; ${again?.text}`);
        assert.deepEqual(await service(), { server, key: stream().streamKey, use_auth: false });

        const files = [own, folder]
            .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
            .filter((file) => file.isFile() && !file.parentPath.includes("node_modules"))
            .map(({ parentPath, name }) => join(parentPath, name));
        assert.ok(files.some((path) => path.includes("history")));
        for (const text of [shown, ...files.map((path) => readFileSync(path, "utf8"))])
            for (const key of [streamKey, stream().streamKey, token.secret])
                for (const form of [key, Buffer.from(key).toString("base64")]) assert.ok(!text.includes(form), text);
    });

    it("the page of the example multi-environment: nothing gets into the wrong one, also with another key", async () => {
        const other = { id: "5b7e9d1c-20f4-4c8a-9b36-7f1e2d3c4b5a", secret: "p8Vn2bX5kQ7wZ1sL4tR9yC6mH3gJ0dF2" };
        const tokens = [
            { ...token, environmentId: 1 },
            { ...other, environmentId: 2 },
        ];
        const { emulator, env } = await project("multi-environment", { tokens });
        const notice = emulator.addContent({ title: "Notice", tags: ["legal"] }, 2);
        const folder = await example("multi-environment");
        const typist = open({
            folder,
            env: withoutCredentials(env),
            edit: (line) =>
                line.includes(" production:")
                    ? line.replace(token.id, other.id).replace(token.secret, other.secret)
                    : line,
            ownTerminal: installed,
        });
        await typist.follow(shellBlocks("examples/multi-environment/README.md"));
        const titles = (environment: number) =>
            emulator
                .contents(environment)
                .map(({ title }) => title)
                .sort();
        assert.deepEqual(titles(1), ["A tour of the house", "How it began", "What comes next"]);
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice"]);
        for (const content of emulator.contents(1))
            assert.deepEqual([content.playbackPolicy, content.testVideo], [["signed"], true]);

        interface Site {
            playbackUrls: Record<string, string>;
            legalNotices: string[];
            signingKeyIds: string[];
        }
        const outputs = await typist.line("pulumi stack output --json");
        const { staging, production } = JSON.parse(outputs) as Record<"staging" | "production", Site>;
        assert.deepEqual([staging.legalNotices, production.legalNotices.length], [[], 1]);
        assert.ok(production.legalNotices[0]?.includes(notice.contentId));
        assert.equal((await fetch(production.playbackUrls.tour ?? "")).status, 200);
        assert.equal((await fetch(staging.playbackUrls.tour ?? "")).status, 403);
        for (const [at, { signingKeyIds }] of [staging, production].entries()) {
            const keys = emulator.signingKeys(at + 1).filter(({ productTypeId }) => productTypeId === 1);
            assert.deepEqual(
                signingKeyIds,
                keys.map(({ signingKeyId }) => signingKeyId),
            );
        }

        // A video is approved, and the token of production is another one.
        const rotated = { id: "e3c1a5d7-48b2-4f6e-8a90-1b2c3d4e5f60", secret: "t6Bw1nK8xM3vQ5zJ7rP2fD9hG4sL0cY1" };
        emulator.addToken({ ...rotated, environmentId: 2 });
        for (const [key, value] of [
            ["accessTokenId", rotated.id],
            ["secretKey", rotated.secret],
        ])
            await typist.line(`pulumi config set --secret production:${key} ${value}`);
        const videos = join(folder, "videos.ts");
        await writeFile(videos, (await readFile(videos, "utf8")).replace("approved: false", "approved: true"));
        emulator.clearRequests();
        await typist.line("pulumi up --skip-preview");
        assert.deepEqual(
            sent(emulator).filter((request) => !request.startsWith("GET ")),
            ["POST /contents"],
        );
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice", "What comes next"]);
        emulator.revokeToken(other.id);
        await typist.line("pulumi refresh --skip-preview --expect-no-changes");
        await typist.line("pulumi destroy --skip-preview");
        assert.deepEqual([titles(1), titles(2)], [[], ["Notice"]]);
    });

    it("the page of the example video-library: its preview needs no credentials", async () => {
        const { emulator, env } = await project("video-library");
        const typist = open({
            folder: await example("video-library"),
            env: withoutCredentials(env),
            ownTerminal: installed,
        });
        const lines = shellBlocks("examples/video-library/README.md").flatMap(linesAsBlocks);
        const preview = lines.findIndex(({ text }) => text.startsWith("pulumi preview")) + 1;
        assert.match(await typist.follow(lines.slice(0, preview)), /6 to create|\+ \d+ to create/);
        assert.deepEqual(emulator.requests, []);
        const output = await typist.follow(lines.slice(preview));
        assert.match(output, /"lighthouse\/keepers": ?\{/);
        assert.equal(emulator.contents().length, 6);
    });

    it("unit tests: with mocks, and with the emulator", async () => {
        const page = readPage("docs/guides/unit-tests.md");
        const output = await open({ folder: home }).follow(page.blocks);
        assert.equal([...output.matchAll(/1 passing/g)].length, 2);
    });

    it("the ten tasks of the package's SKILL.md, one after the other", async () => {
        const { emulator, env, folder } = await project("skill");
        const skill = readPage("provider/SKILL.md");
        const headings = [...skill.text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
        assert.equal(headings.length, 10);
        const ownTerminal = (line: string) =>
            line === "npx videograph-emulator" ? Promise.resolve() : installed(line);
        const typist = open({ folder, env: { ...env, PULUMI_SKIP_CONFIRMATIONS: "" }, ownTerminal });
        const task = (number: number) => section("provider/SKILL.md", headings[number - 1] ?? "");
        const [setup] = task(1);
        assert.ok(setup);
        await typist.follow([setup]);
        assert.match(await typist.follow(task(2)), /3 created[\s\S]*\.m3u8/);
        assert.match(await typist.follow(task(3)), /\d+ (checks|ok)|journal/i);

        const [trailer] = emulator.contents();
        emulator.updateContent(trailer?.contentId ?? "", { title: "Changed by hand" });
        const [find, undo] = task(4).flatMap(linesAsBlocks);
        assert.ok(find && undo);
        assert.match(await typist.fails(find.text), /Changed by hand/);
        await typist.follow([undo, find]);
        assert.equal(emulator.contents()[0]?.title, "Trailer");

        const lines = task(5).flatMap(linesAsBlocks);
        await typist.follow(lines.slice(-1));
        const [stage] = emulator.livestreams();
        const [show, replace] = task(6).flatMap(linesAsBlocks);
        assert.ok(show && replace);
        const [urn = ""] = /urn:\S+::stage/.exec(await typist.follow([show])) ?? [];
        const filled = open({ folder, env, values: { urn } });
        await filled.follow([replace]);
        const live = emulator.livestreams().filter(({ status }) => status !== "Deleting");
        assert.deepEqual([live.length, live[0]?.streamKey === stage?.streamKey], [1, false]);

        assert.match(await typist.follow(task(7)), /3 unchanged/);
        assert.match(await typist.follow(task(8)), /No orphans of skill\/dev/);
        emulator.addContent({ title: "Old film", tags: ["old"] });
        assert.match(await typist.follow(task(9)), /= 1 imported/);
        emulator.clearRequests();
        assert.match(await typist.follow(task(10)), /4 unchanged/);
        assert.deepEqual(
            sent(emulator).filter((request) => !request.startsWith("GET ")),
            [],
        );
    });

    it("the command line: from adopting an account to a probe of the service", async () => {
        const page = "docs/command-line.md";
        const { emulator, typist, program, folder, env } = await project("commands");
        const video = `new videograph.Content("teaser", { title: "Teaser", content: [{ url: "https://media.example.com/v.mp4" }] });\n`;
        const declared = `import * as videograph from "pulumi-videograph";\n${video}`;
        const blocks = readPage(page).blocks.filter(({ language }) => language === "sh");
        const [help, adopt, orphans, adoptOrphans, inCi, forget, ...rest] = blocks;
        assert.ok(help && adopt && orphans && adoptOrphans && inCi && forget);
        // The entry of the page is in no journal.
        const [listEntries, forgetOne] = linesAsBlocks(forget);
        assert.ok(listEntries && forgetOne);
        await program(declared);
        await typist.line("pulumi stack init dev");
        // The journal is lost with the machine that created it.
        await killedUp(emulator, folder, { ...env, VIDEOGRAPH_JOURNAL_DIR: `${folder}/lost` });
        await typist.line("pulumi cancel");
        emulator.addContent({ title: "Of the account" });
        assert.match(await typist.follow([help]), /adopt[\s\S]*orphans[\s\S]*doctor[\s\S]*probe/);
        assert.match(await typist.follow([adopt]), /1 content and 0 livestreams to adopt/);
        assert.match(await readFile(join(folder, "existing.ts"), "utf8"), /Of the account/);

        assert.match(await typist.follow([orCode(orphans, 3)]), /1 orphan of commands\/dev/);
        await typist.follow([adoptOrphans]);
        // The service does not return the source: it is that of the pending operation.
        assert.match(await typist.line("pulumi up --skip-preview"), /2 unchanged/);
        assert.match(await typist.follow([inCi]), /"orphans": \[\]/);

        let contract = "";
        const inOwnTerminal = open({
            folder,
            env,
            ownTerminal: (line) =>
                line.startsWith("npx videograph-emulator ")
                    ? startsEmulator(line, folder).then((text) => {
                          contract = text;
                      })
                    : undefined,
        });
        const output = await inOwnTerminal.follow([listEntries, orCode(forgetOne, 1), ...rest]);
        assert.match(output, /0 errors/);
        assert.match(output, /confirmed/i);
        assert.match(contract, /^http:/);
        assert.equal(emulator.contents().length, 2, "The probe deletes what it creates");
    });

    it("installing into a project that exists, several stacks, upgrading", async () => {
        const { emulator, folder, env, program, typist } = await project("shop");
        const [example] = readPage("docs/README.md").blocks;
        await program(example?.text ?? "");
        await typist.line("pulumi stack init dev");
        const withPackages = open({ folder, env, ownTerminal: installed });
        // Lines that set credentials are typed above, by themselves.
        const follow = (blocks: readonly CodeBlock[]) =>
            withPackages.follow(
                blocks
                    .flatMap(linesAsBlocks)
                    .filter(({ text }) => !/^pulumi config set --secret videograph:/.test(text)),
            );
        const [pages, front] = ["docs/README.md", "provider/README.md"].map((page) =>
            shellBlocks(page).flatMap(linesAsBlocks),
        );
        assert.ok(pages && front);
        assert.match(await follow(pages), /3 created/);
        // What is the same on both pages is typed once.
        const install = "npm install pulumi-videograph @pulumi/pulumi";
        assert.deepEqual(
            front.map(({ text }) => text),
            [install, ...pages.slice(1).map(({ text }) => text)],
        );
        await follow(front.slice(0, 1));
        for (const { page, line } of front) typed.add(`${page}:${line + 1}`);
        assert.match(await follow(shellBlocks("docs/guides/upgrading.md")), /3 unchanged/);
        assert.equal(emulator.contents().length, 1);
        await follow([
            ...section("docs/installation.md", "Installation"),
            ...section("docs/installation-configuration.md", "Installation").slice(0, 1),
            ...section("docs/guides/environments.md", "One stack for each"),
            ...section("docs/installation.md", "Credentials"),
        ]);
        assert.equal((await withPackages.line("pulumi stack --show-name")).trim(), "staging");
    });

    it("the page of the example policy: a preview with the pack, and with other rules", async () => {
        const page = "examples/policy/README.md";
        const { folder, env } = await project("site");
        const [pack, site] = [join(folder, "policy"), join(folder, "site")];
        await copyPack(pack);
        await mkdir(site);
        for (const file of ["node_modules", "package.json", "Pulumi.yaml"])
            await rename(join(folder, file), join(site, file));
        await writeFile(
            join(site, "index.ts"),
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Content("tides", { title: "Tides", tags: ["owner-sea"], playbackPolicy: ["signed"],\n` +
                `    content: [{ url: "https://media.example.com/v.mp4" }] });\n`,
        );
        const typist = open({ folder: site, env, ownTerminal: installed });
        await typist.line("pulumi stack init production");
        const { blocks } = readPage(page);
        const output = await typist.follow(blocks).catch(async (error: Error) => {
            if (!hostIsTooOld.test(error.message)) throw error;
            await startWithoutHost(pack, join(folder, "bin"));
            await typist.line(`export PATH=${join(folder, "bin")}:$PATH`);
            return await typist.follow(blocks);
        });
        // Its tag is that of the page's rules.
        assert.match(output, /\[advisory\] +naming[\s\S]*✅ videograph/);
    });

    it("the page of the example gitops, up to what needs GitHub", async () => {
        const { emulator, folder, env } = await project("desk");
        const [name, email] = ["Reader", "reader@example.com"];
        const reader = {
            HOME: folder,
            GIT_AUTHOR_NAME: name,
            GIT_AUTHOR_EMAIL: email,
            GIT_COMMITTER_NAME: name,
            GIT_COMMITTER_EMAIL: email,
        };
        const typist = open({
            folder: await example("gitops"),
            env: { ...withoutCredentials(env), ...reader },
            ownTerminal: installed,
        });
        assert.match(await typist.follow(typable(readPage("examples/gitops/README.md"))), /4 to create/);
        assert.deepEqual(emulator.requests, []);
        assert.match(await typist.line("git log --format=%s"), /^Our videos\nThe channel$/m);
        assert.match(await typist.line("git ls-files"), /^Pulumi\.production\.yaml$/m);
    });

    it("the page of the example fleet, on one machine", async () => {
        const { emulator, env } = await project("fleet-service");
        const typist = open({ folder: await example("fleet"), env, ownTerminal: installed });
        // tests/examples/fleet.test.ts has more than one.
        await typist.line(`sed -i.bak 's/"stacks": 2/"stacks": 1/' fleet.json`);
        const output = await typist.follow(typable(readPage("examples/fleet/README.md")));
        assert.match(output, /library-000 +\d+ videos/);
        assert.match(output, /1 of 1 stacks, 0 failed[\s\S]*nothing to do[\s\S]*Wrote 1 manifests/);
        assert.equal(emulator.contents().length, 8);
    });

    it("a command or a file that is wrong is found", async () => {
        const { typist } = await project("wrong");
        const broken = readPage("README.md").text.replace("pulumi stack init dev", "pulumi stack intit dev");
        const lines = parsePage("README.md", broken).blocks.filter(({ text }) => text.includes("intit"));
        assert.equal(lines.length, 1);
        await assert.rejects(typist.follow(lines), /README\.md:\d+: `pulumi stack intit dev` failed/);
        const unknown = parsePage("docs/sample.md", "```sh\npulumi stack init <something>\n```\n");
        await assert.rejects(typist.follow(unknown.blocks), /nobody knows what to type for <something>/);
    });

    it("every other line of the documentation was typed above, or notTyped.ts says why not", function () {
        // A second try would find the first among the others, and skip.
        this.retries(0);
        const others = this.test?.parent?.tests.filter((test) => test !== this.test) ?? [];
        if (others.some(({ state }) => state !== "passed")) this.skip();
        const missing = [...linesToType()].filter(([place]) => !typed.has(place)).map((line) => line.join(": "));
        assert.deepEqual(missing, []);
    });

    /** An example in a folder of its own, with the packages of this repository in place of its `npm install`. */
    async function example(name: string): Promise<string> {
        const folder = await mkdtemp(join(tmpdir(), `videograph-${name}-`));
        cleanUp.push(async () => {
            killAll(processesIn(folder));
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        });
        const isOwn = (path: string) => basename(path) !== "node_modules";
        await cp(join(repository, "examples", name), folder, { recursive: true, filter: isOwn });
        await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
        return folder;
    }

    function installed(line: string): Promise<void> | undefined {
        return /^npm install( |$)/.test(line) ? Promise.resolve() : undefined;
    }

    /** `npx videograph-emulator` as the page has it, on a port that is free here. Resolves with what it prints. */
    async function startsEmulator(line = "npx videograph-emulator", cwd = home): Promise<string> {
        const account = ["emulator-token-id:emulator-secret-key", `${token.id}:${token.secret}`];
        const [npx = "", ...given] = line.split(" ");
        const args = [...given, "--port", String(port), ...account.flatMap((text) => ["--token", text])];
        const emulator = spawn(npx, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
        cleanUp.push(() => endGroup(emulator));
        let printed = "";
        for await (const line of createInterface(emulator.stdout)) {
            printed += `${line}\n`;
            if (line.startsWith("A video to try")) break;
        }
        return printed;
    }
});

/** How this machine's npm reaches its registry. */
function npmSettings(): Record<string, string> {
    const settings = Object.entries(process.env).filter(([name]) =>
        /^(npm_config_(registry|userconfig|cache|cafile|\w*proxy)|NODE_EXTRA_CA_CERTS)$/i.test(name),
    );
    return Object.fromEntries(settings.map(([name, value]) => [name, value ?? ""]));
}

/** npx leaves its program behind when it alone is ended. */
async function endGroup(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.pid === undefined) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGTERM");
    await ended;
}

function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
    const { VIDEOGRAPH_ACCESS_TOKEN_ID: _, VIDEOGRAPH_SECRET_KEY: __, ...rest } = env;
    return rest;
}

/**
 * A `pulumi up` shows a preview of its own before anything is done. It is typed as it stands where a program is run for the first
 * time.
 */
function withoutPreview(text: string): string {
    return text.replaceAll(/\bpulumi (up|destroy)\b/g, "$& --skip-preview");
}

function shellBlocks(page: string): CodeBlock[] {
    return readPage(page).blocks.filter(({ language }) => language === "sh");
}

function files(page: string): readonly CodeBlock[] {
    return readPage(page).blocks.filter(({ file }) => file !== undefined);
}

/** The blocks of a section; with a pattern, those lines of its shell blocks that belong to the block that has such a line. */
function section(page: string, heading: string, line?: RegExp): readonly CodeBlock[] {
    const blocks = readPage(page).blocks.filter((block) => block.section === heading);
    assert.ok(blocks.length > 0, `${page} has no section "${heading}" with code`);
    if (line === undefined) return blocks;
    const shell = blocks.filter(({ language, text }) => language === "sh" && new RegExp(line, "m").test(text));
    assert.equal(shell.length, 1, `${page}: one block of "${heading}" has a line like ${line}`);
    return shell.flatMap((block) =>
        // The first page installs and starts the emulator in one block: here each has its turn.
        /^npm install\nnpx /.test(block.text) ? linesAsBlocks(block).filter(({ text }) => line.test(text)) : [block],
    );
}

/** An `up` that is killed in the wait for Ready, on a machine whose journal is where `env` says. */
async function killedUp(emulator: Emulator, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
    emulator.inject({ kind: "processing", stuck: true });
    emulator.clearRequests();
    const up = spawn("pulumi", ["up", "--skip-preview"], { cwd: folder, env, stdio: "ignore" });
    await waitFor(
        "the wait for Ready",
        () => emulator.requests.some(({ method, path }) => method === "GET" && /contents\/./.test(path)),
        150_000,
    );
    up.kill("SIGKILL");
    await once(up, "exit");
    emulator.clearFaults();
    for (const { contentId } of emulator.contents()) emulator.setContentStatus(contentId, "Ready");
}

/** The line, which ends with this exit code. */
function orCode(block: CodeBlock, code: number): CodeBlock {
    return { ...block, text: `${block.text.trim()} || test $? = ${code}` };
}

function linesAsBlocks(block: CodeBlock): CodeBlock[] {
    return block.text
        .split("\n")
        .map((text, at) => ({ ...block, line: block.line + at, text }))
        .filter(({ text }) => text !== "");
}

function exportLines(page: string, heading: string): string[] {
    return section(page, heading, /^export /)
        .flatMap(linesAsBlocks)
        .map(({ text }) => text)
        .filter((text) => text.startsWith("export VIDEOGRAPH_"));
}

async function freePort(): Promise<number> {
    const probe: Emulator = await startEmulator();
    await probe.close();
    return Number(new URL(probe.url).port);
}
