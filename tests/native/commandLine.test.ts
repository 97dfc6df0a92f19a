/** The package's own commands know native resources as they know dynamic ones. */
import assert from "node:assert/strict";
import { expectCode, runIn } from "../cli/support.ts";
import { useLab } from "../support/lab.ts";

describe("pulumi-videograph orphans, in a stack of native resources", function () {
    this.timeout(180_000);
    const lab = useLab({}, "native");

    it("finds what the state has lost, and leaves alone what it has (S9)", async () => {
        const stack = await lab.stack(`
            for (const name of ["kept", "lost"]) {
                new videograph.Content(name, { title: name, content: [{ url: "${lab.media.video()}" }] });
                new videograph.Livestream(name, { title: name, region: "us-east-1" });
            }`);
        await stack.up();
        // What the engine hands over again is in the state for certain, and no longer in the journal.
        await stack.up();
        const orphans = async (code: number) => {
            const { stdout } = await expectCode(code, runIn(stack, lab.cli, "orphans", "--json", "--min-age", "0s"));
            return (JSON.parse(stdout) as { orphans: { id: string }[] }).orphans.map(({ id }) => id).sort();
        };
        assert.deepEqual(await orphans(0), []);
        const lost = (await stack.resources()).filter(({ urn }) => urn.endsWith("::lost"));
        for (const { urn } of lost) await stack.run("state", "delete", urn, "--yes");
        assert.deepEqual(await orphans(3), lost.map(({ id }) => id).sort());
        assert.equal(lab.emulator.contents().length + lab.emulator.livestreams().length, 4);
    });
});
