/** The thumbnail of a Content: a request of its own, once the content is Ready. */
import assert from "node:assert/strict";
import { source, theOne } from "../support/law.ts";
import { type Args, declare } from "../support/program.ts";
import { requestsOf, sentBy } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

const film = (more: Args) => declare("Content", "film", { title: "film", content: source("a"), ...more });
const at = (position: number) => ({ thumbnail: { position, width: 640, height: 360 } });

describe("A thumbnail", () => {
    const testbed = useTestbed({ fetchSources: false }, "native");
    const shown = () => testbed.emulator.content(theOne(testbed, "film"))?.thumbnailAtSec;
    const posts = () => sentBy(testbed.emulator, "POST").map(({ path }) => path.replace(/.*\/contents/, ""));

    it("is set once the content is Ready, again when it changes, and stays when it is removed (L1, L2, L4, L5)", async () => {
        const stack = await testbed.stack(film(at(99)));
        // Beyond the end: the content is kept, and the next run goes on.
        await stack.upFails(/thumbnail was not set/, /VG4023/);
        const id = theOne(testbed, "film");
        testbed.emulator.inject({ kind: "reset", when: "after", path: "/contents/*/thumbnails", times: 1 });
        await stack.program(film(at(3)));
        await stack.up();
        assert.deepEqual(posts(), ["", ...Array(3).fill(`/${id}/thumbnails`)]);
        assert.equal(shown(), 3);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);

        await stack.program(film(at(5)));
        const path = `/contents/${id}`;
        const expected = [`GET ${path}`, `POST ${path}/thumbnails`, `GET ${path}`];
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up()), expected);
        assert.equal(shown(), 5);

        await stack.program(film({}));
        const { output } = await stack.preview("--expect-no-changes");
        assert.match(output, /VG4027/);
        assert.deepEqual(await requestsOf(testbed.emulator, () => stack.up("--expect-no-changes")), []);
        assert.doesNotMatch((await stack.preview()).output, /VG4027/);
        assert.equal(shown(), 5);
        await stack.program(film({ ...at(5), waitForReady: false }));
        await stack.previewFails(/VG4028/);
        assert.equal(theOne(testbed, "film"), id);
    });

    it("that a create could not set is set by the next up, also where a refresh has come before (L4)", async () => {
        const stack = await testbed.stack(film(at(3)), "dynamic");
        const fault = testbed.emulator.inject({ kind: "status", status: 400, path: "/contents/*/thumbnails" });
        await stack.upFails(/thumbnail was not set/);
        fault.remove();
        await stack.up("--refresh");
        assert.equal(shown(), 3);
    });
});
