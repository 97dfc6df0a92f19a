/** The thumbnail of a Content: a request of its own, once the content is Ready. */
import assert from "node:assert/strict";
import { source, theOne } from "../support/law.ts";
import { type Args, declare } from "../support/program.ts";
import { sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const film = (more: Args) => declare("Content", "film", { title: "film", content: source("a"), ...more });
const at = (position: number) => ({ thumbnail: { position, width: 640, height: 360 } });

describe("A thumbnail", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");
    const inBoth = (more: Args) =>
        `${film(more)}{ const videograph = dynamic; ${film(more).replaceAll('"film"', '"dynamic"')} }`;
    const shown = (name = "film") => testbed.emulator.content(theOne(testbed, name))?.thumbnailAtSec;
    const posts = () => sentBy(testbed.emulator, "POST").map(({ path }) => path.replace(/.*\/contents/, ""));

    it("is set once the content is Ready, by the next up where the create could not, and again when an answer is lost (L1, L4, L5)", async () => {
        const stack = await testbed.stack(inBoth(at(99)));
        // Beyond the end: the content is kept, and the next run goes on.
        await stack.upOfAllFails(
            /\(film\):\s.*thumbnail was not set.*VG4023/s,
            /\(dynamic\):\s.*thumbnail was not set/s,
        );
        const id = theOne(testbed, "film");
        await stack.program(inBoth(at(3)));
        testbed.emulator.inject({ kind: "reset", when: "after", path: `/contents/${id}/thumbnails`, times: 1 });
        testbed.emulator.clearRequests();
        await stack.up("--refresh");
        assert.equal(posts().filter((path) => path === `/${id}/thumbnails`).length, 2);
        assert.deepEqual([shown(), shown("dynamic")], [3, 3]);
    });
});
