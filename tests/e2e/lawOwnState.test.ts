/**
 * The run's own state is read however slow, hidden or busy the way to it is (E1); where that is impossible, the run says so. Each time the machine of
 * a killed run is lost, so that its state alone knows what it has made.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runIn } from "../cli/support.ts";
import { advised } from "../support/advised.ts";
import { decided, killedUp, objects, source, theOne, unanswered, useCli, video } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";
import type { TestStack } from "../support/testStack.ts";

describe("A run's own state (E1)", () => {
    /** So fast passes the time of the provider: 130 s take eight. */
    const speed = 16;
    const testbed = useTestbed({ onLinux: true, fetchSources: false, speed });
    const slow = (seconds: number) => `sleep ${seconds / speed}; exec "$pulumi" "$@"`;

    /** A video and a library in each face. */
    const program = ["dynamic", "native"]
        .map((face) => {
            const contents = Object.fromEntries(
                ["one", "two"].map((key) => [`${face}-${key}`, { title: `${face} ${key}`, content: source(key) }]),
            );
            return `{ const videograph = faces.${face}; ${video(`${face}-film`)} ${declare("ContentLibrary", `${face}-films`, { contents })} }`;
        })
        .join("\n");

    /** A stack whose run was killed after it had created all of them, and the machine with it. */
    async function lost(): Promise<{ stack: TestStack; left: string[] }> {
        const stack = await testbed.stack(`const faces = { dynamic, native };\n${program}`);
        testbed.emulator.inject(unanswered);
        await killedUp(testbed, stack, 6);
        // Another machine has another journal.
        stack.env.VIDEOGRAPH_JOURNAL_DIR = join(stack.folder, "another machine");
        return { stack, left: objects(testbed) };
    }

    /** Its project begins a folder above its program, and keeps its state in a folder beside Pulumi.yaml. */
    async function moveProgram(stack: TestStack): Promise<void> {
        await stack.write("src/index.js", 'module.exports = require("../index.js");');
        await stack.write("Pulumi.yaml", "name: e2e\nruntime: nodejs\nmain: src\nbackend: { url: 'file://./state' }\n");
        stack.env.PULUMI_BACKEND_URL = undefined;
    }

    /** Its runs are started elsewhere, with `-C`. */
    async function startElsewhere({ folder }: TestStack): Promise<void> {
        const start = join(folder, "tools", "start");
        const text = await readFile(start, "utf8");
        await writeFile(start, text.replace(/exec (.*) "\$@"/, `cd / && exec $1 -C "${folder}" "$@"`));
    }

    it("is read from a relative backend, with the program in a folder and -C, by a CLI of another name that is locked out twice and then takes 12 s", async () => {
        const { stack, left } = await lost();
        await moveProgram(stack);
        const isLocked =
            '[ "$(wc -l < "$0.runs")" -lt 3 ] && { echo "error: the stack is currently locked by 1 lock(s)" >&2; exit 255; }';
        await useCli(testbed, stack, { script: `echo >> "$0.runs"; ${isLocked}; ${slow(12)}` });
        await startElsewhere(stack);
        const { output } = await stack.up("--stack", "organization/e2e/test", "--parallel", "50");
        assert.match(output, /reading the stack's state, for 10 s/);
        assert.doesNotMatch(output, /VG3038/);
        assert.deepEqual(objects(testbed).sort(), left.sort());
        assert.equal((await stack.resources()).length, 4);
    });

    it("is given up after two minutes, which the stack's row says; then the service is asked, and each object of the killed run is refused", async () => {
        const { stack, left } = await lost();
        await useCli(testbed, stack, { script: slow(130) });
        const result = await stack.attempt("up", "--yes", "--skip-preview", "--continue-on-error", "--parallel", "50");
        assert.match(
            result.output,
            /^ {4}warning: The stack's state could not be read: `\S+engine stack export --stack organization\/e2e\/test` in \S+ did not end within 2 m\. .*\[VG3038\]$/m,
        );
        for (const id of left) assert.match(result.output, new RegExp(`Content ${id} was made for this resource`));
        // The commands that it advises, in one, and a CLI that fails at once.
        const films = ["dynamic-film", "native-film"].map((title) => theOne(testbed, title));
        const libraries = ["dynamic", "native"].map((face) => `all:${face}-films`);
        for (const word of [...films, ...libraries])
            assert.ok(result.output.includes(`VIDEOGRAPH_UNRECORDED=${word} pulumi up`), word);
        await stack.write("tools/engine.new", "#!/bin/sh\nexit 255\n");
        await decided(stack, [...films, ...libraries].join());
        const [doctor = ""] = advised(result.output, "VG3038");
        const { stdout } = await runIn(stack, ...doctor.split(" ").slice(2));
        assert.match(stdout, /Own state +The stack.s state could not be read: .*VG3038/);
        assert.deepEqual(objects(testbed).sort(), left.sort());
        assert.equal((await stack.resources()).length, 4);
    });
});
