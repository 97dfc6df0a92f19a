/** The emulator's image. No container runtime is needed: what its Dockerfile installs, starts and asks is done here. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { waitFor } from "../support/waitFor.ts";
import { repository, usePacked } from "./packages.ts";
import { registryAnswers, run } from "./userProject.ts";

interface Instruction {
    readonly name: string;
    readonly text: string;
}

/** A Dockerfile's instructions in their order; a line that ends with a backslash goes on in the next. */
async function instructions(): Promise<Instruction[]> {
    const text = await readFile(join(repository, "emulator", "Dockerfile"), "utf8");
    return text
        .replace(/^#.*\n/gm, "")
        .replace(/\\\n\s*/g, "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ name: line.split(" ", 1)[0] ?? "", text: line.replace(/^\S+\s+/, "") }));
}

describe("The emulator's image", function () {
    this.timeout(120_000);
    const packed = usePacked();
    let dockerfile: Instruction[];
    before(async () => {
        dockerfile = await instructions();
    });
    const all = (name: string) => dockerfile.filter((instruction) => instruction.name === name).map(({ text }) => text);
    /** The words of an instruction that is a JSON array. */
    const words = (text: string | undefined) => JSON.parse(text ?? "null") as string[];

    it("runs without root, on a supported Node, and holds nothing but the package", () => {
        const last = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === "FROM"));
        const user = last.findIndex(({ name }) => name === "USER");
        assert.equal(last[user]?.text, "node");
        assert.ok(last.slice(user).every(({ name }) => !["COPY", "ADD", "RUN"].includes(name)));
        assert.deepEqual(all("ADD"), []);
        assert.deepEqual(all("COPY"), ["videograph-emulator-*.tgz /package.tgz", "--from=install /app /usr/local"]);
        for (const image of all("FROM")) assert.match(image, /^node:24-alpine\b/);
        assert.deepEqual(all("EXPOSE"), ["4410"]);
    });

    it("installs the package, and starts an emulator whose health shows, and which ends by SIGTERM", async function () {
        if (!(await registryAnswers())) {
            assert.ok(!process.env.CI, "The package registry does not answer");
            this.skip();
        }
        const app = await mkdtemp(join(tmpdir(), "videograph-image-"));
        try {
            const [install = ""] = all("RUN").filter((text) => text.startsWith("npm install"));
            const [npm = "", ...args] = install.replace(" /app ", ` ${app} `).split(" ");
            await run(npm, [...args.slice(0, -1), packed.emulator.tarball], app);

            const port = await freePort();
            const [command = "", ...options] = [...words(all("ENTRYPOINT")[0]), ...words(all("CMD")[0])];
            const env = { ...process.env, PATH: [join(app, "bin"), process.env.PATH].join(delimiter) };
            const emulator = spawn(command, [...options, "--port", `${port}`], {
                env,
                stdio: ["ignore", "pipe", "inherit"],
            });
            const check = words(all("HEALTHCHECK")[0]?.replace(/^.*\bCMD /, "")).map((word) =>
                word.replace("4410", `${port}`),
            );
            const healthy = async () => {
                const [program = "", ...rest] = check;
                const [code] = (await once(spawn(program, rest, { env, stdio: "inherit" }), "exit")) as [number];
                return code === 0;
            };
            try {
                await waitFor("the emulator to be healthy", healthy);
                // As the page asks, through a published port.
                const shown = await fetch(`http://127.0.0.1:${port}/_emulator/contents`);
                assert.deepEqual(await shown.json(), []);
            } finally {
                emulator.kill("SIGTERM");
            }
            assert.deepEqual(await once(emulator, "exit"), [0, null]);
            assert.equal(await healthy(), false);
        } finally {
            await rm(app, { recursive: true, force: true });
        }
    });
});

async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    server.close();
    await once(server, "close");
    return typeof address === "object" && address !== null ? address.port : assert.fail();
}
