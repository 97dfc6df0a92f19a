/** A service that has lost everything, as an emulator that was started again (U8): each message leads on, and none back to the one before. */
import assert from "node:assert/strict";
import { objects, source } from "../support/law.ts";
import { declare } from "../support/program.ts";
import { useTestbed } from "../support/testbed.ts";

describe("A service that lost all objects", () => {
    const testbed = useTestbed({ fetchSources: false });

    it("is refused twice, and each message says what makes the stack whole again", async () => {
        const film = (title: string) => declare("Content", "film", { title, content: source("film") });
        const trailer = declare("Content", "trailer", { title: "Trailer", content: source("trailer") });
        const program = (title: string) => film(title) + trailer;
        const stack = await testbed.stack(program("Film"));
        await stack.up();
        for (const { contentId } of testbed.emulator.contents()) testbed.emulator.deleteContent(contentId);
        await stack.program(program("Other"));
        // Of what has not changed nothing is asked.
        const { output } = await stack.upFails(/VG4011/);
        const [, command = "", setting = ""] =
            /Run `pulumi (up --refresh)`.* set (VIDEOGRAPH_TRUST_NOT_FOUND=true)/.exec(output) ?? [];
        assert.equal(command, "up --refresh", output);
        await stack.fails(
            [...command.split(" "), "--yes", "--skip-preview"],
            /VG6103/,
            new RegExp(`${setting} for one run`),
        );
        const [name = "", value] = setting.split("=");
        stack.env[name] = value;
        await stack.up("--refresh");
        delete stack.env[name];
        assert.equal(objects(testbed).length, 2);
        await stack.preview("--expect-no-changes");
    });
});
