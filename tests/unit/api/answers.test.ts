/** S4: what an answer is read as: an object, a list, or an error that names the endpoint and says what it means for a create. */
import assert from "node:assert/strict";
import type { VideographApi } from "../../../provider/dist/api/client.js";
import {
    ApiError,
    AuthenticationError,
    ClientError,
    MalformedAnswerError,
    NotFoundError,
    PermissionError,
    UnconfirmedNotFoundError,
} from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/secrets/redactor.js";
import { isList, type Reply, rejection, success, useService } from "./support.ts";

describe("an answer", () => {
    const held = useService();
    const redactor = new Redactor([{ name: "title", value: "hunter2" }]);
    /** What the client makes of this answer, and of an empty list where it asks for one. */
    const call = <T>(send: (api: VideographApi) => Promise<T>, reply: Reply): Promise<T> => {
        held.service.script = (seen) => (isList(seen) ? success([]) : reply);
        return held.service.clock.runUntil(send(held.service.api()));
    };
    const put = (body: unknown) => call((api) => api.contents.put("c1", {}, { redactor }), { body });
    const get = (reply: Reply) => call((api) => api.contents.get("c1", { redactor }), reply);
    const post = (reply: Reply) => call((api) => api.contents.post({}, { redactor }), reply);
    const list = async (body: unknown) => {
        held.service.script = () => ({ body });
        const pages = held.service.api().contents.lists[0].pages()[Symbol.asyncIterator]();
        return (await held.service.clock.runUntil(pages.next())).value?.items ?? [];
    };

    for (const [status, kind, outcome] of [
        [300, ClientError, "ambiguous"],
        [400, ClientError, "refused"],
        [401, AuthenticationError, "refused"],
        [402, ClientError, "refused"],
        [403, PermissionError, "refused"],
        [404, ClientError, "refused"],
        [408, ApiError, "ambiguous"],
        [409, ClientError, "refused"],
        [422, ClientError, "refused"],
        [499, ClientError, "ambiguous"],
        [500, ApiError, "ambiguous"],
        [503, ApiError, "ambiguous"],
    ] as const)
        it(`S1: ${status} to a create is ${outcome}`, async () => {
            const error = await rejection(kind, post({ status, body: { message: "a hunter2" } }));
            assert.deepEqual([error.constructor, error.status, error.outcome], [kind, status, outcome]);
            assert.match(error.message, /^POST \/contents\b/);
            assert.match(error.message, status < 400 ? /^POST \/contents: / : /^POST \/contents: .*: "a \[title\]"\. /);
            assert.equal(held.service.requests.length, 1);
        });

    describe("to a PUT or a DELETE", () => {
        for (const body of [
            ..."Success|SUCCESSFULLY|ok|accepted|deleting|done| Success ".split("|").map((status) => ({ status })),
            ...[200, 302, 500.5, null, [500]].map((code) => ({ code })),
            ...[{ status: true }, { status: 200, message: "Deleted" }, { success: true }],
            { status: "Success", data: { contentId: "c1", status: "Failed" } },
            ...[{}, { status: {} }, { data: null }, { data: [] }, "", "\r\n\t "],
        ])
            it(`is a success with ${JSON.stringify(body)}`, () => put(body));
        for (const body of [
            ..."unsuccessful|not ok|Error|Failed|denied|Not found|pending|".split("|").map((status) => ({ status })),
            ...[400, 0, false].map((status) => ({ status, message: "no" })),
            ...[{ code: 400 }, { status: "Success", code: 500 }],
            ...[{ success: false }, { status: "Success", success: false, code: 200 }],
            { status: "Error", code: 409, data: { contentId: "c1", status: "Ready" } },
            ...[[{}], "<html>", '{"data":'],
        ]) {
            const isRead = Array.isArray(body);
            it(`is ${isRead ? "no object" : "no success"} with ${JSON.stringify(body)}`, async () => {
                if (isRead) assert.equal(await put(body), undefined);
                else await rejection(ApiError, put(body));
            });
        }
        it("may be the object itself, whose status is its own", async () => {
            assert.deepEqual(await put({ contentId: "c1", status: "Error" }), { contentId: "c1", status: "Error" });
        });
    });

    for (const [code, kind, outcome] of [
        [undefined, MalformedAnswerError, "ambiguous"],
        [400, ClientError, "refused"],
        [404, ClientError, "refused"],
        [429, ApiError, "ambiguous"],
        [500, ApiError, "ambiguous"],
    ] as const)
        it(`S1: of HTTP 201 that denies success with the code ${code} is ${outcome} for a create`, async () => {
            const error = await rejection(kind, post({ status: 201, body: { status: "Error", code, message: "no" } }));
            assert.deepEqual([error.constructor, error.status, error.outcome], [kind, 201, outcome]);
            assert.match(error.message, /^POST \/contents: .*: "no"/);
        });
    it("of HTTP 200 that denies success with 404 is that of a missing object", async () => {
        await rejection(NotFoundError, get({ body: { status: "Error", code: 404 } }));
    });

    it("S1, S2: that says success beside such a code proves neither that nothing was created nor that the object is missing", async () => {
        const body = { status: "Success", code: 404 };
        assert.equal((await rejection(MalformedAnswerError, post({ status: 201, body }))).outcome, "ambiguous");
        await rejection(MalformedAnswerError, get({ body }));
    });

    it("has its object without an envelope, and whatever the envelope says", async () => {
        assert.equal((await get({ body: { contentId: "c1", status: "Ready" } })).status, "Ready");
        const denied = { status: "Error", code: 500, message: "x", data: { contentId: "c1" } };
        assert.equal((await get({ body: denied })).contentId, "c1");
    });
    for (const body of ["", " \n", "<html><title>Login</title></html>", '{"data":{"contentI', [], null, { data: {} }])
        it(`S1: without an object is an error that names the endpoint, and ambiguous: ${JSON.stringify(body)}`, async () => {
            const error = await rejection(MalformedAnswerError, post({ status: 201, body: body ?? "null" }));
            assert.match(error.message, /^POST \/contents: /);
            assert.equal(error.outcome, "ambiguous");
        });

    describe("to a list", () => {
        it("leaves out what has no id, and keeps the rest, whatever the envelope says", async () => {
            const data = [{ contentId: "a", title: {} }, { title: "b" }, null, 7, { contentId: 2 }];
            for (const envelope of [
                { status: "Success", code: 200 },
                { status: "Error", code: 500 },
            ])
                assert.deepEqual(await list({ ...envelope, data }), [{ contentId: "a" }, { contentId: "2" }]);
        });
        it("may come without an envelope, or empty", async () => {
            assert.deepEqual(await list([{ contentId: "a" }]), [{ contentId: "a" }]);
            assert.deepEqual(await list([]), []);
            assert.deepEqual(await list({ data: [] }), []);
        });
        it("is not empty when it says that it failed, or is none, or has only strangers", async () => {
            for (const data of [[], [{}]]) await rejection(ApiError, list({ status: "Error", code: 500, data }));
            for (const status of [false, 500]) await rejection(MalformedAnswerError, list({ status, data: [] }));
            for (const body of [{ data: null }, { data: {} }, { data: [{ id: 1 }, null] }, [{}], {}, "7", "", "[{"])
                await rejection(MalformedAnswerError, list(body));
        });
    });

    for (const [what, send] of Object.entries<(api: VideographApi, id: string) => Promise<unknown>>({
        "a read": (api, id) => api.contents.get(id),
        "an update": (api, id) => api.contents.put(id, { title: "t" }),
        "a deletion": (api, id) => api.contents.remove(id),
        "a read of a livestream": (api, id) => api.livestreams.get(id),
    })) {
        const about = (id: unknown, asked: string) =>
            call((api) => send(api, asked), success({ contentId: id, streamUUID: id }));
        it(`about another object is malformed and names both, for ${what}`, async () => {
            const { message } = await rejection(MalformedAnswerError, about("9c1d", "5f2a"));
            assert.match(message, /^\w+ \/\w+\/5f2a: .*9c1d/);
        });
        it(`is about the same object where its id is a number or a UUID in the other case, for ${what}`, async () => {
            await about(42, "42");
            const uuid = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
            await about(uuid, uuid.toUpperCase());
        });
    }

    describe("is quoted in an error", () => {
        const quoted = async (status: number, body: unknown) => {
            const { message } = await rejection(ApiError, post({ status, body }));
            return /\(HTTP \d+\)(?:: "(.*?)")?\. /.exec(message)?.[1];
        };
        for (const [what, status, body, text] of [
            ["by its words", 400, { message: "a", error: { detail: "b" } }, "a; b"],
            ["by its words further down", 400, { a: { b: [{ message: "deep" }] } }, "deep"],
            ["by its text", 502, " busy \n now ", "busy now"],
            ["by the title of a page", 502, "<html><title>502 Bad\nGateway</title><h1>nginx</h1>", "502 Bad Gateway"],
            ["as a whole where it has no words", 400, { title: ["is required"] }, '{"title":["is required"]}'],
            ["S3: without a secret that JSON's escapes hide", 400, '{"no":"\\u0068unter2"}', '{"no":"[title]"}'],
            ["S3: never where it is a success with a stream key", 201, { data: { streamKey: "k" } }, undefined],
            ["S3: never where it is cut off", 201, '{"data":{"streamKey":"live_abc', undefined],
            ["S3: never where it is cut off, as a failure", 502, ' \n[{"streamKey":"live_abc', undefined],
        ] as const)
            it(what, async () => assert.equal(await quoted(status, body), text));
    });

    it("S2: of a gateway to a create, 404 in HTML, leaves it in doubt", async () => {
        const error = await rejection(UnconfirmedNotFoundError, post({ status: 404, body: "<html>" }));
        assert.equal(error.outcome, "ambiguous");
    });
});
