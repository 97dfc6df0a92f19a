/** S2: a 404 is passed on only in JSON, and only where a list answers the same credentials. */
import assert from "node:assert/strict";
import {
    AuthenticationError,
    ListedNotFoundError,
    NotFoundError,
    UnconfirmedNotFoundError,
} from "../../../provider/dist/api/errors.js";
import { isList, notFound, type Reply, rejection, type Script, success, useService } from "./support.ts";

const html = "<html><head><title>404 Not Found</title></head><body><h1>nginx</h1></body></html>";

describe("an object that is answered with 404", () => {
    const held = useService();
    const lines = () => held.service.requests.map(({ method, path }) => `${method} ${path}`);
    const run = <T>(promise: Promise<T>) => held.service.clock.runUntil(promise);
    /** The list answers this, and everything else that. */
    const answers =
        (list: Reply, other: Reply): Script =>
        (seen) =>
            isList(seen) ? list : other;

    for (const [what, body] of Object.entries({ HTML: html, "plain text": "404 page not found" }))
        it(`in ${what} is not deleted, and the error says what to do`, async () => {
            held.service.script = answers(success([]), { status: 404, body });
            const api = held.service.api();
            for (const call of [
                () => api.contents.get("5f2a"),
                () => api.contents.put("5f2a", { title: "t" }),
                () => api.contents.remove("5f2a"),
                () => api.livestreams.remove("5f2a"),
            ]) {
                const error = await run(rejection(UnconfirmedNotFoundError, call()));
                assert.match(error.message, /^\w+ \/\w+\/5f2a\b.*baseUrl.*VIDEOGRAPH_TRUST_NOT_FOUND=true.*\[VG5207/);
                assert.equal(error.status, 404);
            }
        });

    for (const reply of [
        notFound(),
        notFound(410),
        ...[{ message: "no Route matched" }, {}, "null", ""].map((body) => ({ status: 404, body })),
    ])
        it(`is deleted when the list of its kind answers, which is asked for once: ${JSON.stringify(reply)}`, async () => {
            held.service.script = answers(success([]), reply);
            const api = held.service.api();
            await run(rejection(NotFoundError, api.contents.get("c1")));
            await run(rejection(NotFoundError, api.contents.put("c2", {})));
            await run(rejection(NotFoundError, api.livestreams.remove("s1")));
            assert.deepEqual(lines(), [
                ...["GET /contents/c1", "GET /contents", "PUT /contents/c2"],
                ...["DELETE /livestreams/s1", "GET /livestreams?record=false", "GET /livestreams?record=true"],
            ]);
        });

    it("is deleted for a request about a part of it, too, where the list has other objects", async () => {
        held.service.script = answers(success([{ contentId: "other" }]), notFound());
        const set = held.service.api().setPart("c1", "subtitles", { language_code: "en" });
        await run(rejection(NotFoundError, set));
    });

    it("is there for all that is known where its list shows it; the next 404 is confirmed anew", async () => {
        held.service.script = answers(success([{ contentId: "c1", status: "Ready" }]), notFound());
        const api = held.service.api();
        await run(api.contents.lists[0].pages()[Symbol.asyncIterator]().next());
        await run(rejection(ListedNotFoundError, api.contents.get("c1")));
        held.service.script = answers(success([{ contentId: "c1", status: "Deleting" }]), notFound());
        const error = await run(rejection(NotFoundError, api.contents.get("c1")));
        assert.ok(!(error instanceof ListedNotFoundError));
    });

    for (const record of [false, true])
        it(`is there where one of the two lists of livestreams shows it: record=${record}`, async () => {
            held.service.script = (seen) => {
                if (!isList(seen)) return notFound();
                return success(seen.path.endsWith(`record=${record}`) ? [{ streamUUID: "s1", status: "Idle" }] : []);
            };
            await run(rejection(ListedNotFoundError, held.service.api().livestreams.get("s1")));
        });

    for (const [what, list] of Object.entries({
        "answers 404 as well": notFound(),
        "is an HTML page": { body: html },
        "is forbidden": { status: 403 },
        "denies success": { body: { status: "Error", code: 500, data: [] } },
        "is no list": success({}),
    }))
        it(`is not deleted when its list ${what}; success later is noticed`, async () => {
            held.service.script = answers(list, notFound());
            const api = held.service.api();
            const error = await run(rejection(UnconfirmedNotFoundError, api.contents.get("5f2a")));
            assert.match(error.message, /^GET \/contents\/5f2a\b.* GET \/contents: .*\[VG\d+\] \[VG5208\]$/);
            held.service.script = answers(success([]), notFound());
            await run(rejection(NotFoundError, api.contents.get("5f2a")));
        });

    it("is not deleted when its list shows that the credentials are wrong", async () => {
        held.service.script = answers({ status: 401 }, notFound());
        await run(rejection(AuthenticationError, held.service.api().contents.get("c1")));
    });
    it("is deleted whoever says it when the user says so", async () => {
        held.service.script = answers({ status: 500 }, { status: 404, body: html });
        const api = held.service.api({ trustNotFound: true });
        await run(rejection(NotFoundError, api.contents.get("c1")));
        await run(rejection(NotFoundError, api.contents.remove("c1")));
        assert.deepEqual(lines(), ["GET /contents/c1", "DELETE /contents/c1"]);
    });
    it("is left at once when the caller gives up", async () => {
        held.service.script = answers({ hang: true }, notFound());
        const abort = new AbortController();
        const stopped = assert.rejects(held.service.api().contents.get("c1", { signal: abort.signal }), /stop/);
        await held.service.clock.advance(10);
        abort.abort(new Error("stop"));
        await stopped;
        assert.equal(held.service.clock.elapsed, 10);
    });
});
