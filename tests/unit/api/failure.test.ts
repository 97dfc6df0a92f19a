/** What an answer that is no success becomes: the class, what it means for a create, and the words. */
import assert from "node:assert/strict";
import {
    AuthenticationError,
    BadRequestError,
    ClientError,
    ConflictError,
    MalformedAnswerError,
    NotFoundError,
    PermissionError,
    RateLimitError,
    ServerError,
    UnconfirmedNotFoundError,
    UnprocessableError,
} from "../../../provider/dist/api/errors.js";
import { denialOf, type FailedAnswer, failureOf, malformed, parseBody } from "../../../provider/dist/api/failure.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { messages } from "../../../provider/dist/messages/index.js";

const failed = (status: number, body: unknown = "", more: Partial<FailedAnswer> = {}): FailedAnswer => ({
    endpoint: "GET /contents/{id}",
    requestLine: "GET /contents/c1",
    id: "c1",
    redactor: new Redactor([{ name: "title", value: "hunter2" }]),
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...more,
});
const own = (status: number) => ({ status: "Error", code: status, message: "no" });
const html = "<html><h1>nginx</h1></html>";

const trusted = { id: undefined, trustNotFound: true };

describe("the error for a status", () => {
    for (const [status, kind, outcome] of [
        [300, ClientError, "ambiguous"],
        [400, BadRequestError, "refused"],
        [401, AuthenticationError, "refused"],
        [402, ClientError, "refused"],
        [403, PermissionError, "refused"],
        [408, ClientError, "ambiguous"],
        [409, ConflictError, "refused"],
        [422, UnprocessableError, "refused"],
        [429, RateLimitError, "notProcessed"],
        [498, ClientError, "refused"],
        [499, ClientError, "ambiguous"],
        [500, ServerError, "ambiguous"],
        [503, ServerError, "ambiguous"],
    ] as const) {
        it(`${status} is a ${kind.name}, and ${outcome} for a create`, () => {
            for (const more of [{}, { id: undefined }, { trustNotFound: true }]) {
                const error = failureOf(failed(status, "", { retryAfter: 7, ...more }));
                assert.equal(error.constructor, kind);
                assert.ok(error.message.startsWith("GET /contents/c1: "));
                assert.deepEqual(
                    [error.endpoint, error.status, error.outcome, error.retryAfter],
                    ["GET /contents/{id}", status, outcome, 7],
                );
            }
        });
    }

    for (const status of [404, 410]) {
        for (const [what, body, more, kind, outcome] of [
            ["the service, for an object", own(status), {}, NotFoundError, "refused"],
            ["the service, for a create", own(status), { id: undefined }, ClientError, "refused"],
            ["a gateway, for an object", html, {}, UnconfirmedNotFoundError, "ambiguous"],
            ["a gateway, for a create", html, { id: undefined }, UnconfirmedNotFoundError, "ambiguous"],
            ["a gateway, for a trusted create", html, trusted, UnconfirmedNotFoundError, "ambiguous"],
            ["a gateway, for a trusted object", html, { trustNotFound: true }, NotFoundError, "refused"],
        ] as const) {
            it(`S2: ${status} of ${what} is a ${kind.name}, and ${outcome}`, () => {
                const error = failureOf(failed(status, body, more));
                assert.equal(error.constructor, kind);
                assert.equal(error.outcome, outcome);
            });
        }
    }
});

describe("the error for a success that its envelope denies", () => {
    for (const [code, definite, kind, outcome] of [
        [undefined, true, MalformedAnswerError, "ambiguous"],
        [399, true, MalformedAnswerError, "ambiguous"],
        [400, true, BadRequestError, "refused"],
        [400, false, BadRequestError, "ambiguous"],
        [403, true, PermissionError, "refused"],
        [404, true, NotFoundError, "refused"],
        [410, true, NotFoundError, "refused"],
        [404, false, MalformedAnswerError, "ambiguous"],
        [408, true, ClientError, "ambiguous"],
        // A 429 inside a success is no promise that nothing was processed.
        [429, true, RateLimitError, "ambiguous"],
        [499, true, ClientError, "ambiguous"],
        [500, true, ServerError, "ambiguous"],
    ] as const) {
        it(`with the code ${code}, ${definite ? "definite" : "in doubt"}, is a ${kind.name}, and ${outcome}`, () => {
            const error = denialOf(failed(200, { message: "no" }), code, definite);
            assert.equal(error.constructor, kind);
            assert.match(error.message, /^GET \/contents\/c1: .*"no"/);
            assert.deepEqual([error.endpoint, error.status, error.outcome], ["GET /contents/{id}", 200, outcome]);
        });
    }
    it("with a 404 is no missing object where none was asked for", () => {
        for (const code of [404, 410]) {
            const error = denialOf(failed(200, "", { id: undefined }), code, true);
            assert.deepEqual([error.constructor, error.outcome], [ClientError, "refused"]);
        }
    });
});

describe("what an error quotes", () => {
    const quoted = (status: number, body: unknown) =>
        /\(HTTP \d+\)(?:: "(.*?)")?\. /.exec(malformed(failed(status, body), messages.notJson).message)?.[1];

    for (const [what, body, text] of [
        ["what the service says, without secrets", { message: "a hunter2", error: { detail: "b" } }, "a [title]; b"],
        ["what it says three levels down", { a: { b: { message: "deep" } } }, "deep"],
        ["nothing that it says further down", { a: { b: { c: { message: "deep" } } } }, undefined],
        ["text", " busy \n now ", "busy now"],
        ["a page", html, "nginx"],
        ["a JSON text", '"busy"', '"busy"'],
        ["nothing", "", undefined],
    ] as const) {
        it(`is ${what}, for a success`, () => assert.equal(quoted(200, body), text));
    }
    for (const body of [
        { data: { streamKey: "k" } },
        [{ streamKey: "k" }],
        '{"data":{"streamKey":"k',
        '  \n{"data":{"streamKey":"k',
        '[{"streamKey":"k',
    ]) {
        it(`is no object of a success: ${JSON.stringify(body)}`, () => assert.equal(quoted(200, body), undefined));
    }
    it("is an object of a failure, unless it is cut off", () => {
        assert.equal(quoted(400, { title: ["is required"] }), '{"title":["is required"]}');
        assert.equal(quoted(399, { title: ["is required"] }), undefined);
        assert.equal(quoted(400, '{"data":{"streamKey":"k'), undefined);
        assert.equal(quoted(502, "broken {"), "broken {");
    });
});

describe("JSON", () => {
    for (const [text, value] of [
        ['{"a":9007199254740993}', { a: "9007199254740993" }],
        ['{"a":-9007199254740993}', { a: "-9007199254740993" }],
        ['{"a":9007199254740993,"b":5,"c":-7}', { a: "9007199254740993", b: 5, c: -7 }],
        ["[9007199254740993,1.5,1e300,12345678901234567.5]", ["9007199254740993", 1.5, 1e300, 12345678901234568]],
        ['["9007199254740993",true,null,{"x":"5"}]', ["9007199254740993", true, null, { x: "5" }]],
        ["9007199254740991000", "9007199254740991000"],
        ["1000000000000000", 1e15],
        ["", undefined],
        ["{", undefined],
        ["9007199254740993 x", undefined],
    ] as const) {
        it(`is read without the loss of a digit: ${text}`, () => assert.deepEqual(parseBody(text), value));
    }
});
