/**
 * The pages, typed: from an empty folder with the packed packages and nothing else, each page's blocks are followed in order with
 * the real npm and the real Pulumi CLI. The emulator is the service.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Emulator, type EmulatorOptions, startEmulator } from "videograph-emulator";
import { isolatedEnvironment } from "../../tools/pulumiCli/environment.ts";
import { obtainPulumiCli } from "../../tools/pulumiCli/index.ts";
import { typesAreCheckedElsewhere } from "../examples/exampleStack.ts";
import { copyPack, hostIsTooOld, startWithoutHost } from "../examples/policyPack.ts";
import { usePacked } from "../package/packages.ts";
import { registryAnswers } from "../package/userProject.ts";
import { killAll, processesIn } from "../support/processes.ts";
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
            edited = edited.replace(`"${name}": "^0.1.0"`, `"${name}": ${JSON.stringify(`file:${tarball}`)}`);
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
        const own = { ...env, ...emulator.env, PULUMI_BACKEND_URL: `file://${backend}`, ...typesAreCheckedElsewhere };
        const typistWith = (more: Record<string, string>) => open({ folder, env: own, values: { ...values, ...more } });
        const program = (text: string) => writeFile(join(folder, "index.ts"), text);
        return { emulator, folder, env: own, typistWith, program, typist: typistWith({}) };
    }

    it("first page: a playable video without an account, and with one", async () => {
        const [without, withAccount] = ["Quickstart without an account", "Quickstart with your account"];
        let printed = "";
        const typist = open({
            folder: home,
            values: { ...values, "URL of an MP4, MOV or M4V file": `http://127.0.0.1:${port}/sample.mp4` },
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
        assert.equal((await fetch((await typist.line("pulumi stack output playbackUrl")).trim())).status, 200);
        assert.match(await typist.line("pulumi up"), /3 unchanged/);
        assert.match(await typist.follow(section("README.md", without, /^pulumi destroy$/)), /has been removed/);

        // Here, the emulator is the service that the account is of.
        const [, ...account] = section("README.md", withAccount).flatMap(linesAsBlocks);
        await typist.follow(section("README.md", withAccount).flatMap(linesAsBlocks).slice(0, 1));
        await typist.line(`export VIDEOGRAPH_BASE_URL=http://127.0.0.1:${port}`);
        assert.match(await typist.follow(account), /3 created/);
        assert.match(await typist.line("pulumi destroy"), /3 deleted/);
    });

    it("first page: its program is the quickstart's", async () => {
        const [program] = files("README.md").filter(({ file }) => file === "index.ts");
        assert.equal(program?.text, await readFile(join(repository, "examples", "quickstart", "index.ts"), "utf8"));
        // With an account, both pages have the same lines.
        const lines = (page: string, heading: string) => section(page, heading).flatMap(linesAsBlocks);
        const account = lines("examples/quickstart/README.md", "With your account");
        assert.deepEqual(
            account.map(({ text }) => text),
            lines("README.md", "Quickstart with your account").map(({ text }) => text),
        );
        for (const { page, line } of account) typed.add(`${page}:${line + 1}`);
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
        await typist.follow(settings);
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
        await typist.follow(blocks.slice(0, 1));
        // The mistake that the page warns of: the generated program is not the program yet.
        await typist.line("pulumi import --file videograph-import.json --generate-code=false");
        await writeFile(join(folder, "index.ts"), "export {};\n");
        assert.match(await typist.fails("pulumi preview"), /cannot be deleted\s+because it is protected/);
        await typist.line("pulumi state unprotect --all && pulumi stack rm --force dev && pulumi stack init dev");

        const output = await typist.follow(blocks.slice(1));
        assert.match(output, /= 6 imported/);
        assert.match(output, /7 unchanged/);
        assert.doesNotMatch(output, /delete|replace|to create\b.*[2-9]/);
        assert.match(await typist.line("pulumi up"), /7 unchanged/);
        assert.equal(emulator.contents().length + emulator.livestreams().length, 6);
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
        const urns = async (stack: string) =>
            [
                ...(await typist.line(`pulumi stack --show-urns --stack ${stack}`)).matchAll(
                    /urn:\S+::Content::\w+|urn:\S+:Content::\w+/g,
                ),
            ].map(([urn]) => urn);
        await declare(["one", "two", "three"]);
        await typist.line("pulumi stack init dev && pulumi up");
        await typist.follow(section(page, "Renaming a stack"));

        await typist.line("pulumi stack init production --no-select");
        const [first = ""] = await urns("staging");
        const name = first.split("::").at(-1) ?? "";
        const moving = section(page, "Moving a resource to another stack");
        await typistWith({ urn: first }).follow(moving.slice(0, 1));
        const left = ["one", "two", "three"].filter((other) => other !== name);
        await declare(left);
        await typist.follow(moving.flatMap(linesAsBlocks).filter(({ text }) => /staging --expect/.test(text)));
        await declare([name]);
        await typist.follow(moving.flatMap(linesAsBlocks).filter(({ text }) => /production --expect/.test(text)));
        const puts = () => emulator.requests.filter(({ method }) => method === "PUT").length;

        // The marker names the stack that created it, and follows with the next change, there and back.
        assert.equal(owners()[name], "dev");
        await declare([name], ', description: "Changed"');
        await typist.line("pulumi up --stack production");
        assert.equal(owners()[name], "production");
        const back = moving.slice(-1);
        await typistWith({ urn: (await urns("production"))[0] ?? "" }).follow(back);
        await declare(["one", "two", "three"]);
        assert.equal(puts(), 1);
        await typist.line("pulumi up --stack staging");
        assert.deepEqual([puts(), owners()[name]], [2, "staging"]);
        assert.match(
            await typist.line("npx pulumi-videograph orphans --stack staging"),
            /^No orphans of moving\/staging\.$/m,
        );
        await typistWith({ urn: first }).follow(moving.slice(0, 1));
        await declare([name]);

        const splitting = section(page, "Splitting a stack").flatMap(linesAsBlocks);
        const both = parsePage(page, readPage(page).text.replace("<urn> <urn>", "<urn>")).blocks;
        assert.ok(both.length > 0 && splitting.length === 4);
        await typistWith({ urn: (await urns("production"))[0] ?? "" }).follow(
            splitting.slice(0, 2).map((block) => ({ ...block, text: block.text.replace("<urn> <urn>", "<urn>") })),
        );
        await typist.follow(splitting.slice(3));
        await program("export {};\n");
        await typist.follow(splitting.slice(2, 3));
        assert.equal(emulator.contents().length, 3);
        assert.deepEqual(
            emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method),
            ["POST", "POST", "POST", "PUT", "PUT"],
        );
    });

    it("moving to another backend: the preview has no change, and the old stack goes without a delete", async () => {
        const { emulator, typist, typistWith, program, folder } = await project("backends");
        await program(
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Livestream("stage", { title: "Stage", region: "us-east-1" });\n`,
        );
        await typist.line("pulumi stack init production && pulumi up");
        // The first backend by a login, as a reader has it, whose home is not that of the other tests.
        const [before, after] = [".state", ".new-state"].map((name) => `file://${join(folder, name)}`);
        await mkdir(join(folder, ".new-state"));
        const moved = typistWith({ "new backend": after ?? "" });
        await moved.line(
            `unset PULUMI_BACKEND_URL; export PULUMI_HOME=${join(folder, ".home")}; pulumi login ${before}`,
        );
        await moved.line("pulumi stack select production");
        await moved.follow(section("docs/guides/moving-stacks.md", "Moving to another backend"));
        assert.match(await moved.line("pulumi up"), /2 unchanged/);
        await moved.line(`rm stack.json; pulumi login ${before} && pulumi stack rm --force production`);
        assert.equal(emulator.livestreams().length, 1);
        assert.deepEqual(
            emulator.requests.filter(({ method }) => method !== "GET").map(({ method }) => method),
            ["POST"],
        );
    });

    it("renaming a resource with an alias", async () => {
        const { emulator, typist, program } = await project("alias");
        const [block] = section("docs/guides/moving-stacks.md", "Renaming a resource");
        const renamed = block?.text ?? "";
        await program(renamed.replace('"official-trailer"', '"trailer"').replace(/aliases: .*\]/, ""));
        await typist.line("pulumi stack init dev && pulumi up");
        await program(renamed);
        assert.match(await typist.line("pulumi up"), /2 unchanged/);
        assert.equal(emulator.contents().length, 1);
    });

    it("drift, targets, outputs and another token's refresh", async () => {
        const { emulator, typist, program } = await project("guides");
        const [secrets] = section("docs/guides/secrets.md", "Passing on a stream key");
        await program(
            `${secrets?.text}\nnew videograph.Content("trailer", { title: "Trailer", content: [{ url: "https://media.example.com/v.mp4" }] });\n`,
        );
        await typist.line("pulumi stack init dev && pulumi up");
        const [stage] = emulator.livestreams();
        const encoderUrl = await typist.follow(section("docs/guides/secrets.md", "Passing on a stream key"));
        assert.ok(stage !== undefined && encoderUrl.includes(stage.streamKey));
        const targets = await typist.follow(section("docs/guides/coming-from-aws.md", "Type tokens and URNs"));
        assert.match(targets, /urn:pulumi:dev::guides::pulumi-nodejs:dynamic\/videograph:Content::trailer/);
        await typist.follow(section("docs/installation-configuration.md", "A rotated token"));

        // There is nothing to answer to.
        await typist.line("unset PULUMI_SKIP_CONFIRMATIONS");
        const [drift] = section("docs/guides/drift.md", "Drift").flatMap(linesAsBlocks);
        assert.ok(drift);
        await typist.follow([drift]);
        emulator.updateContent(emulator.contents()[0]?.contentId ?? "", { title: "Changed by hand" });
        assert.match(await typist.fails(drift.text), /Changed by hand/);
    });

    it("interrupted runs: a killed create, and then destroy", async () => {
        const page = "docs/guides/interrupted-runs.md";
        const { emulator, typist, typistWith, program, folder, env } = await project("killed");
        await program(
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Content("trailer", { title: "Trailer", content: [{ url: "https://media.example.com/v.mp4" }] });\n`,
        );
        await typist.line("pulumi stack init dev");
        const killed = async () => {
            emulator.inject({ kind: "processing", stuck: true });
            emulator.clearRequests();
            const up = spawn("pulumi", ["up", "--skip-preview"], { cwd: folder, env, stdio: "ignore" });
            await waitFor("the wait for Ready", () => emulator.requests.some(({ method }) => method === "GET"));
            up.kill("SIGKILL");
            await once(up, "exit");
            emulator.clearFaults();
            for (const { contentId } of emulator.contents()) emulator.setContentStatus(contentId, "Ready");
        };
        const [recipe, late] = section(page, "Destroying a stack after a killed run");
        assert.ok(recipe !== undefined && late !== undefined);

        await killed();
        await typist.follow([recipe]);
        assert.deepEqual(emulator.contents(), []);

        await killed();
        await typist.line("pulumi cancel && pulumi destroy");
        const [search] = section(page, "Finding objects that no state knows");
        assert.ok(search !== undefined);
        await typist.follow([search]);
        const [left] = emulator.contents();
        assert.ok(left, "If destroy deletes it now, the page has to say so");
        const [list, remove] = linesAsBlocks(late);
        assert.ok(list !== undefined && remove !== undefined);
        assert.match(await typist.follow([orCode(list, 3)]), new RegExp(left.contentId));
        await typistWith({ id: left.contentId }).follow([{ ...remove, text: `${remove.text} --yes` }]);
        assert.deepEqual(emulator.contents(), []);

        const [journal] = section(page, "The journal");
        const [clear] = section(page, "Interrupted runs");
        assert.ok(journal !== undefined && clear !== undefined);
        await typist.follow([{ ...journal, text: journal.text.replace("/var/cache", folder) }]);
        await typist.line(`pulumi up && test -d ${folder}/videograph-journal`);
        await typist.follow([clear]);
    });

    it("a replacement without a gap: the old video is deleted after the new one is Ready", async () => {
        const { emulator, typist, program } = await project("gap", { processingTimeMs: 1_500 });
        const [block] = section("docs/guides/waiting-and-failures.md", "Replacing a video without a gap");
        assert.ok(block);
        await program(block.text.replace("trailer-v2", "trailer"));
        await typist.line("pulumi stack init dev && pulumi up");
        const [old] = emulator.contents();
        await program(block.text);
        emulator.clearRequests();
        await typist.line("pulumi up");
        const deleted = emulator.requests.findIndex(({ method }) => method === "DELETE");
        const [current] = emulator.contents();
        assert.ok(current !== undefined && current.contentId !== old?.contentId);
        const reads = emulator.requests.filter(({ method }) => method === "GET");
        assert.ok(deleted > 0 && reads.length > 0);
        const created = emulator.requests.find(({ method }) => method === "POST");
        assert.ok((emulator.requests[deleted]?.at ?? 0) - (created?.at ?? 0) >= 1_500, "It was deleted too early");
    });

    it("the quickstart's page", async () => {
        const page = "examples/quickstart/README.md";
        const folder = await example("quickstart");
        const typist = open({
            folder,
            env: { ...env, ...typesAreCheckedElsewhere },
            ownTerminal: (line) =>
                installed(line) ?? (line === "npx videograph-emulator" ? startsEmulator().then(() => {}) : undefined),
        });
        await typist.line(`sed -i.bak s/4410/${port}/ index.ts Pulumi.yaml`);
        assert.match(await typist.follow(section(page, "Without an account")), /3 created[\s\S]*3 deleted/);
    });

    for (const name of ["live-event", "multi-environment", "video-library"]) {
        it(`the page of the example ${name}`, async () => {
            const { emulator, env } = await project(name);
            const folder = await example(name);
            const typist = open({ folder, env, ownTerminal: installed });
            await typist.follow(
                readPage(`examples/${name}/README.md`).blocks.filter(({ language }) => language === "sh"),
            );
            assert.ok(emulator.contents().length + emulator.livestreams().length > 0);
        });
    }

    it("unit tests: with mocks, and with the emulator", async () => {
        const page = readPage("docs/guides/unit-tests.md");
        const output = await open({ folder: home }).follow(page.blocks);
        assert.equal([...output.matchAll(/1 passing/g)].length, 2);
    });

    it("the command line: from adopting an account to a probe of the service", async () => {
        const page = "docs/command-line.md";
        // Old enough for an orphan.
        const variants = { createdSkewMs: -3 * 60 * 60_000 };
        const { emulator, typist, program, folder, env } = await project("commands", { variants });
        const video = `new videograph.Content("teaser", { title: "Teaser", content: [{ url: "https://media.example.com/v.mp4" }] });\n`;
        const declared = `import * as videograph from "pulumi-videograph";\n${video}`;
        const blocks = readPage(page).blocks.filter(({ language }) => language === "sh");
        const [help, adopt, orphans, adoptOrphans, inCi, ...rest] = blocks;
        assert.ok(help && adopt && orphans && adoptOrphans && inCi);
        await program(declared);
        // The journal is lost with the machine that created it.
        await typist.line(`pulumi stack init dev && VIDEOGRAPH_JOURNAL_DIR=${folder}/lost pulumi up`);
        emulator.addContent({ title: "Of the account" });
        assert.match(await typist.follow([help]), /adopt[\s\S]*orphans[\s\S]*doctor[\s\S]*probe/);
        assert.match(await typist.follow([adopt]), /1 content and 0 livestreams to adopt/);
        assert.match(await readFile(join(folder, "existing.ts"), "utf8"), /Of the account/);

        const [urn = ""] = (await typist.line("pulumi stack --show-urns")).match(/urn:\S+::teaser/) ?? [];
        await typist.line(`pulumi state delete '${urn}'`);
        assert.match(await typist.follow([orCode(orphans, 3)]), /1 orphan of commands\/dev/);
        await typist.follow([adoptOrphans]);
        // The service does not return the source: the next run records it.
        assert.match(await typist.line("pulumi up"), /1 updated/);
        assert.match(await typist.follow([inCi]), /"orphans": \[\]/);

        emulator.setVariants({ createdSkewMs: 0 });
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
        const output = await inOwnTerminal.follow(rest);
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
        for (const page of ["docs/README.md", "provider/README.md", "docs/guides/upgrading.md"])
            await withPackages.follow(readPage(page).blocks.filter(({ language }) => language === "sh"));
        assert.equal(emulator.contents().length, 1);
        const [install] = section("docs/installation-configuration.md", "Installation");
        const credentials = section("docs/installation-configuration.md", "Credentials");
        const registry = section("docs/registry/installation-configuration.md", "Installation").slice(0, 1);
        const another = section("docs/guides/environments.md", "One stack for each");
        assert.ok(install);
        await withPackages.follow([install, ...registry, ...another, ...credentials]);
        assert.equal((await withPackages.line("pulumi stack --show-name")).trim(), "staging");
    });

    it("stop managing a video, and keep it", async () => {
        const { emulator, typist, typistWith, program } = await project("kept");
        await program(
            `import * as videograph from "pulumi-videograph";\n` +
                `new videograph.Content("trailer", { title: "Trailer", content: [{ url: "https://media.example.com/v.mp4" }] }, { protect: true });\n`,
        );
        await typist.line("pulumi stack init dev && pulumi up");
        const [urn = ""] = (await typist.line("pulumi stack --show-urns")).match(/urn:\S+::trailer/) ?? [];
        const [remove] = section("docs/guides/taking-over.md", "Stop managing an object");
        assert.ok(remove);
        // As the page says of a protected resource.
        await typistWith({ urn }).follow([{ ...remove, text: `${remove.text.trim()} --force\n` }]);
        await program("export {};\n");
        await typist.line("pulumi up");
        assert.equal(emulator.contents().length, 1);
    });

    it("the page of the example policy: a preview with the pack, and with other rules", async () => {
        const page = "examples/policy/README.md";
        const { folder, env } = await project("site");
        const [pack, site] = [join(folder, "policy"), join(folder, "site")];
        await copyPack(pack);
        await mkdir(site);
        for (const file of ["node_modules", "package.json", "Pulumi.yaml"])
            await rename(join(folder, file), join(site, file));
        const declare = (policy: string) =>
            writeFile(
                join(site, "index.ts"),
                `import * as videograph from "pulumi-videograph";\n` +
                    `new videograph.Content("tides", { title: "Tides", tags: ["owner-sea"], playbackPolicy: ["${policy}"],\n` +
                    `    content: [{ url: "https://media.example.com/v.mp4" }] });\n`,
            );
        const typist = open({ folder: site, env, ownTerminal: installed });
        await declare("public");
        await typist.line("pulumi stack init production");
        let violation = await typist.fails("pulumi preview --policy-pack ../policy");
        if (hostIsTooOld.test(violation)) {
            await startWithoutHost(pack, join(folder, "bin"));
            await typist.line(`export PATH=${join(folder, "bin")}:$PATH`);
            violation = await typist.fails("pulumi preview --policy-pack ../policy");
        }
        assert.match(violation, /\[mandatory\] +no-public-playback/);
        await declare("signed");
        await typist.follow(readPage(page).blocks);
    });

    it("the page of the example gitops, up to what needs GitHub", async () => {
        const { emulator, folder, env } = await project("desk");
        const { VIDEOGRAPH_ACCESS_TOKEN_ID: _, VIDEOGRAPH_SECRET_KEY: __, ...withoutCredentials } = env;
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
            env: { ...withoutCredentials, ...reader },
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
        // Half of its stacks take half the time.
        await typist.line(`sed -i.bak 's/"stacks": 4/"stacks": 2/' fleet.json`);
        const output = await typist.follow(typable(readPage("examples/fleet/README.md")));
        assert.match(output, /library-000 +\d+ videos/);
        assert.match(output, /2 of 2 stacks, 8 of 8 videos, 0 failed[\s\S]*nothing to do[\s\S]*Wrote 2 manifests/);
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
