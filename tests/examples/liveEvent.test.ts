/** examples/live-event: the stream key comes to the encoder and is in plain text nowhere on the way (S3). */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import type { TestStack } from "../support/testStack.ts";
import { exampleStack } from "./exampleStack.ts";

describe("The live event", function () {
    this.timeout(300_000);
    const lab = useLab();
    const stream = () => {
        const [livestream, ...more] = lab.emulator.livestreams();
        assert.ok(livestream !== undefined && more.length === 0, "There should be one livestream");
        return livestream;
    };

    /** Every file that a run left behind: state, its backups and history, the home of Pulumi, the provider's journal. */
    function checkFiles(stack: TestStack): void {
        const files = readdirSync(stack.folder, { recursive: true, withFileTypes: true }).filter((file) =>
            file.isFile(),
        );
        assert.ok(files.some(({ parentPath }) => parentPath.includes("history")));
        for (const { parentPath, name } of files) {
            const path = join(parentPath, name);
            if (!path.includes("/node_modules/")) stack.checkForSecrets(readFileSync(path, "utf8"));
        }
    }

    it("hands its key on to the encoder's stack, and a new one after a replacement, always as a secret", async () => {
        const stack = await exampleStack(lab, "live-event");
        const encoder = (...args: string[]) => stack.run(...args, "--cwd", "encoder");
        await stack.config("title", "Harbour concert");
        const created = await stack.up();
        assert.match(created.output, /streamKey\s*: \[secret\]/);
        assert.equal(stream().record, true);
        assert.match(String((await stack.outputs()).watchUrl), /\.m3u8$/);

        await encoder("stack", "init", "venue");
        await encoder("config", "set", "event", "organization/e2e/test");
        const rendered = await encoder("up", "--yes");
        assert.match(rendered.output, /obsService\s*: \[secret\]/);
        const service = async () => {
            const args = ["stack", "output", "obsService", "--show-secrets", "--cwd", "encoder"];
            return JSON.parse((await stack.start(...args).result).stdout) as { settings: Record<string, unknown> };
        };
        assert.match(String((await stack.outputs()).ingestUrl), /^rtmps:/);
        assert.deepEqual((await service()).settings, {
            server: (await stack.outputs()).ingestUrl,
            key: stream().streamKey,
            use_auth: false,
        });
        stack.checkForSecrets((await encoder("stack", "export")).stdout);
        stack.checkForSecrets(await stack.export());
        checkFiles(stack);

        const { streamKey, streamUUID } = stream();
        stack.secrets.push(streamKey);
        await stack.up("--replace", (await stack.resource("stage")).urn);
        assert.notEqual(stream().streamUUID, streamUUID);
        assert.notEqual(stream().streamKey, streamKey);
        await encoder("up", "--yes");
        assert.equal((await service()).settings.key, stream().streamKey);
        checkFiles(stack);
    });

    it("cannot lose its livestream while it is on air, but its title", async () => {
        const stack = await exampleStack(lab, "live-event");
        await stack.config("title", "Harbour concert");
        await stack.config("onAir", "true");
        await stack.up();
        const { streamUUID } = stream();
        await stack.fails(["destroy", "--yes", "--skip-preview"], /protect/);
        await stack.config("title", "Harbour concert, second night");
        await stack.up();
        assert.equal(stream().streamUUID, streamUUID);
        assert.equal(stream().title, "Harbour concert, second night");
        await stack.config("onAir", "false");
        await stack.up();
        await stack.destroy();
        assert.deepEqual(lab.emulator.livestreams(), []);
    });
});
