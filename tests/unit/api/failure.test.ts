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
import { denialOf, type FailedAnswer, failureOf, malformed, parseJson } from "../../../provider/dist/api/failure.js";
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

describe("the error for a status", () => {
    for (const [status, kind, outcome, words] of [
        [300, ClientError, "ambiguous", /the service refused the request \(HTTP 300\)\. Check baseUrl/],
        [400, BadRequestError, "refused", /the service does not accept the request \(HTTP 400\)\. Correct/],
        [
            401,
            AuthenticationError,
            "refused",
            /does not accept the access token \(HTTP 401\)\. Check that accessTokenId/,
        ],
        [402, ClientError, "refused", /the service refused the request \(HTTP 402\)\. Check baseUrl/],
        [403, PermissionError, "refused", /the credentials are not allowed to do this \(HTTP 403\)\. Use an access/],
        [408, ClientError, "ambiguous", /timed out while waiting for the request \(HTTP 408\)\. Try again/],
        [409, ConflictError, "refused", /conflicts with the object's current state \(HTTP 409\)\. Wait/],
        [422, UnprocessableError, "refused", /does not accept the request's values \(HTTP 422\)\. Correct/],
        [429, RateLimitError, "notProcessed", /still rate limiting requests \(HTTP 429\)\. Try again later/],
        [498, ClientError, "refused", /the service refused the request \(HTTP 498\)/],
        [499, ClientError, "ambiguous", /the service refused the request \(HTTP 499\)/],
        [500, ServerError, "ambiguous", /the service failed \(HTTP 500\)\. Try again later/],
        [503, ServerError, "ambiguous", /the service failed \(HTTP 503\)/],
    ] as const) {
        it(`${status} is a ${kind.name}, and ${outcome} for a create`, () => {
            for (const more of [{}, { id: undefined }, { trustNotFound: true }]) {
                const error = failureOf(failed(status, "", { retryAfter: 7, ...more }));
                assert.equal(error.constructor, kind);
                assert.match(error.message, words);
                assert.ok(error.message.startsWith("GET /contents/c1: "));
                assert.deepEqual(
                    [error.endpoint, error.status, error.outcome, error.retryAfter],
                    ["GET /contents/{id}", status, outcome, 7],
                );
            }
        });
    }

    for (const [status, words] of [
        [
            404,
            /the object does not exist, or these credentials cannot see it \(HTTP 404\): "no"\. Check the identifier/,
        ],
        [410, /the object no longer exists \(HTTP 410\): "no"\. Check the identifier/],
    ] as const) {
        it(`${status} is news of an object where the service says it and an object was asked for`, () => {
            const error = failureOf(failed(status, own(status)));
            assert.equal(error.constructor, NotFoundError);
            assert.match(error.message, words);
            assert.equal(error.outcome, "refused");
            const create = failureOf(failed(status, own(status), { id: undefined }));
            assert.equal(create.constructor, ClientError);
            assert.equal(create.outcome, "refused");
        });
        it(`${status} of somebody else is no news, and leaves a create in doubt`, () => {
            const error = failureOf(failed(status, html));
            assert.equal(error.constructor, UnconfirmedNotFoundError);
            assert.match(error.message, /\): "nginx"\. The object is not treated as deleted/);
            assert.equal(error.outcome, "ambiguous");
            for (const trustNotFound of [true, false]) {
                const create = failureOf(failed(status, html, { id: undefined, trustNotFound }));
                assert.equal(create.constructor, UnconfirmedNotFoundError);
                assert.match(create.message, /\): "nginx"\. Check baseUrl and any gateway or proxy in front/);
                assert.equal(create.outcome, "ambiguous");
            }
        });
        it(`${status} of anybody is news of an object where the user says so`, () => {
            const error = failureOf(failed(status, html, { trustNotFound: true }));
            assert.equal(error.constructor, NotFoundError);
            assert.equal(error.outcome, "refused");
        });
    }
});

describe("the error for a success that its envelope denies", () => {
    for (const [code, definite, kind, outcome, words] of [
        [undefined, true, MalformedAnswerError, "ambiguous", /reports an error: "no"\. Try again; if it persists, ask/],
        [
            399,
            true,
            MalformedAnswerError,
            "ambiguous",
            /reports an error \(code 399\): "no"\. Try again; if it persists/,
        ],
        [400, true, BadRequestError, "refused", /reports an error \(code 400\): "no"\. Correct/],
        [400, false, BadRequestError, "ambiguous", /reports an error \(code 400\): "no"\. Correct/],
        [403, true, PermissionError, "refused", /\(code 403\): "no"\. Use an access token/],
        [404, true, NotFoundError, "refused", /\(code 404\): "no"\. Check the identifier/],
        [410, true, NotFoundError, "refused", /\(code 410\): "no"\. Check the identifier/],
        [404, false, MalformedAnswerError, "ambiguous", /\(code 404\): "no"\. Try again; if it persists, ask/],
        [408, true, ClientError, "ambiguous", /\(code 408\): "no"\. Try again; if it persists, check/],
        [429, true, RateLimitError, "ambiguous", /\(code 429\): "no"\. Try again later, or with less/],
        [499, true, ClientError, "ambiguous", /\(code 499\): "no"\. Check baseUrl/],
        [500, true, ServerError, "ambiguous", /\(code 500\): "no"\. Try again later; if it/],
    ] as const) {
        it(`with the code ${code}, ${definite ? "definite" : "in doubt"}, is a ${kind.name}, and ${outcome}`, () => {
            const error = denialOf(failed(200, { message: "no" }), code, definite);
            assert.equal(error.constructor, kind);
            assert.match(error.message, words);
            assert.ok(
                error.message.startsWith("GET /contents/c1: the service answered HTTP 200, but the response body"),
            );
            assert.deepEqual([error.endpoint, error.status, error.outcome], ["GET /contents/{id}", 200, outcome]);
        });
    }
    it("with a 404 is no missing object where none was asked for", () => {
        for (const code of [404, 410]) {
            const error = denialOf(failed(200, "", { id: undefined }), code, true);
            assert.deepEqual([error.constructor, error.outcome], [ClientError, "refused"]);
            assert.match(error.message, new RegExp(`reports an error \\(code ${code}\\)\\. Check baseUrl and what`));
        }
    });
});

describe("the error for an answer that is not what the contract says", () => {
    it("leaves open what happened", () => {
        const error = malformed(failed(201, "<html>no</html>"), messages.notJson);
        assert.match(error.message, /^GET \/contents\/c1: the answer is not JSON \(HTTP 201\): "no"\. Check/);
        assert.deepEqual([error.endpoint, error.status, error.outcome], ["GET /contents/{id}", 201, "ambiguous"]);
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
        it(`is read without the loss of a digit: ${text}`, () => assert.deepEqual(parseJson(text), value));
    }
});
