/** S2: a 404 is passed on only in JSON, and only where a list answers the same credentials. */
import assert from "node:assert/strict";
import {
    AuthenticationError,
    ClientError,
    NotFoundError,
    UnconfirmedNotFoundError,
} from "../../../provider/dist/api/errors.js";
import { isList, notFound, type Reply, rejection, type Script, success, useService } from "./support.ts";

const html = "<html><head><title>404 Not Found</title></head><body><h1>nginx</h1></body></html>";

describe("an object that is answered with 404", () => {
    const held = useService();
    const lines = () => held.service.requests.map(({ method, path }) => `${method} ${path}`);
    /** The list answers this, and everything else that. */
    const answers =
        (list: Reply, other: Reply): Script =>
        (seen) =>
            isList(seen) ? list : other;

    for (const [what, body] of Object.entries({
        HTML: html,
        "plain text": "404 page not found",
    })) {
        it(`in ${what} is not deleted, and the error says what to do`, async () => {
            const { service } = held;
            service.script = answers(success([]), { status: 404, body });
            const api = service.api();
            for (const call of [
                () => api.getContent("5f2a"),
                () => api.updateContent("5f2a", { title: "t" }),
                () => api.deleteContent("5f2a"),
                () => api.deleteLivestream("5f2a"),
            ]) {
                const error = await service.clock.runUntil(rejection(UnconfirmedNotFoundError, call()));
                assert.ok(!((error as Error) instanceof NotFoundError));
                assert.match(error.message, /^\w+ \/\w+\/5f2a\b.*baseUrl.*VIDEOGRAPH_TRUST_NOT_FOUND=true.*\[VG5207/);
                assert.equal(error.status, 404);
            }
        });
    }

    for (const body of [{ statusCode: 404, message: "x" }, { message: "no Route matched" }, {}, null, 404, ""]) {
        it(`is deleted when its list answers, also where the body is ${JSON.stringify(body)}`, async () => {
            const { service } = held;
            service.script = answers(success([]), { status: 404, body });
            const api = service.api();
            await service.clock.runUntil(rejection(NotFoundError, api.getContent("c1")));
            await service.clock.runUntil(rejection(NotFoundError, api.deleteLivestream("s1")));
            assert.equal(service.requests.length, 4);
        });
    }

    it("by a gateway for a moment is requested again", async () => {
        const { service } = held;
        service.script = (_, number) => (number < 3 ? { status: 404, body: html } : success({ contentId: "c1" }));
        await service.clock.runUntil(service.api().getContent("c1"));
        assert.equal(service.requests.length, 3);
    });

    it("is deleted when its list answers, which is requested once for all", async () => {
        const { service } = held;
        service.script = answers(success([]), notFound());
        const api = service.api();
        const gets = Array.from({ length: 50 }, (_, i) => rejection(NotFoundError, api.getContent(`c${i}`)));
        await service.clock.runUntil(Promise.all(gets));
        await service.clock.runUntil(rejection(NotFoundError, api.deleteContent("c1")));
        assert.equal(lines().filter((line) => line === "GET /contents").length, 1);
        assert.equal(service.requests.length, 52);
    });

    it("needs the list of its own kind", async () => {
        const { service } = held;
        service.script = answers(success([]), notFound());
        const api = service.api();
        await service.clock.runUntil(rejection(NotFoundError, api.getContent("c1")));
        await service.clock.runUntil(rejection(NotFoundError, api.getLivestream("s1")));
        assert.deepEqual(lines(), [
            "GET /contents/c1",
            "GET /contents",
            "GET /livestreams/s1",
            "GET /livestreams?record=false",
        ]);
    });

    for (const [what, list] of Object.entries({
        "answers 404 as well": notFound(),
        "is an HTML page": { body: html },
        "is forbidden": { status: 403 },
        "denies success": { body: { status: "Error", code: 500, data: [] } },
        "is no list": success({}),
    })) {
        it(`is not deleted when its list ${what}; success later is noticed`, async () => {
            const { service } = held;
            service.script = answers(list, notFound());
            const api = service.api();
            const error = await service.clock.runUntil(rejection(UnconfirmedNotFoundError, api.getContent("5f2a")));
            assert.match(error.message, /^GET \/contents\/5f2a\b.* GET \/contents: .*\[VG5208, VG\d+\]$/);
            service.script = answers(success([]), notFound());
            await service.clock.runUntil(rejection(NotFoundError, api.getContent("5f2a")));
        });
    }

    it("is not deleted when its list shows that the credentials are wrong", async () => {
        const { service } = held;
        service.script = answers({ status: 401 }, notFound());
        await service.clock.runUntil(rejection(AuthenticationError, service.api().getContent("c1")));
    });

    it("is deleted whoever says it when the user says so", async () => {
        const { service } = held;
        service.script = answers({ status: 500 }, { status: 404, body: html });
        const api = service.api({ trustNotFound: true });
        await service.clock.runUntil(rejection(NotFoundError, api.getContent("c1")));
        await service.clock.runUntil(rejection(NotFoundError, api.deleteContent("c1")));
        assert.deepEqual(lines(), ["GET /contents/c1", "DELETE /contents/c1"]);
    });

    it("that gives up while the list is read leaves the others their answer", async () => {
        const { service } = held;
        service.script = answers({ hang: true }, notFound());
        const api = service.api();
        const abort = new AbortController();
        const first = assert.rejects(api.getContent("c1", { signal: abort.signal }), /stop/);
        await service.clock.advance(10);
        const other = new AbortController();
        const second = rejection(NotFoundError, api.getContent("c2", { signal: other.signal }));
        await service.clock.advance(10);
        service.script = answers(success([]), notFound());
        abort.abort(new Error("stop"));
        await first;
        await service.clock.runUntil(second);
    });
});

describe("a 404 to a create or a list", () => {
    const held = useService();
    const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };

    it("is never news of an object, not even when every 404 is trusted", async () => {
        const { service } = held;
        service.script = () => ({ status: 404, body: html });
        const api = service.api({ trustNotFound: true });
        const error = await service.clock.runUntil(rejection(UnconfirmedNotFoundError, api.createContent(body)));
        assert.equal(error.outcome, "ambiguous", "a gateway may have lost its route after it passed the create on");
        service.script = () => notFound();
        const own = await service.clock.runUntil(rejection(ClientError, api.createContent(body)));
        assert.ok(!(own instanceof NotFoundError));
        assert.equal(own.outcome, "refused");
        const list = await service.clock.runUntil(
            rejection(ClientError, api.contents()[Symbol.asyncIterator]().next()),
        );
        assert.ok(!(list instanceof NotFoundError));
    });
});
