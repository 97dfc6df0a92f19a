/** S4: what the envelope of a 2xx says about success, and how much of that is believed. */
import assert from "node:assert/strict";
import { readList, readObject, readOptionalObject } from "../../../provider/dist/api/answer.js";
import { ApiError, MalformedAnswerError, NotFoundError, ServerError } from "../../../provider/dist/api/errors.js";
import { Redactor } from "../../../provider/dist/api/redact.js";
import { contentSchema } from "../../../provider/dist/api/schema.js";

const reading = {
    endpoint: "PUT /contents/{id}",
    requestLine: "PUT /contents/c1",
    id: "c1",
    redactor: new Redactor([{ name: "title", value: "hunter2" }]),
};
const answer = (body: unknown) => ({
    status: 200,
    headers: {},
    body: typeof body === "string" ? body : JSON.stringify(body),
});
const object = (body: unknown) => readObject(contentSchema, answer(body), reading);
const optional = (body: unknown) => readOptionalObject(contentSchema, answer(body), reading);
const list = (body: unknown) => readList(contentSchema, answer(body), reading);
const failure = (read: () => unknown): ApiError => {
    try {
        read();
    } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
    }
    throw new Error("it succeeded");
};

describe("an envelope", () => {
    for (const word of [
        ...["Success", "Successful", "SUCCESSFULLY", "succeeded", "ok", "OKAY", "accepted", "created", "updated"],
        ...["deleted", "deleting", "done", "complete", "completed", " Success ", "true"],
    ]) {
        it(`says success by the status "${word}" alone`, () => assert.equal(optional({ status: word }), undefined));
    }
    for (const word of [
        ...["unsuccessful", "not ok", "was accepted", "accepted by nobody", "okayish", "done?", "success!"],
        ...["enabled", "pending", "", "false"],
    ]) {
        it(`reports an error by the status "${word}" alone`, () => {
            assert.match(failure(() => optional({ status: word })).message, /the response body reports an error/);
        });
    }

    for (const word of [
        ...["Error", "err", "Failed", "failure", "invalid title", "denied", "Refused", "rejected", "forbidden"],
        ...["Unauthorized", "unauthorised", "Not found", "bad request", " error ", "false"],
    ]) {
        it(`reports an error by the status "${word}" even with a code that says success`, () => {
            const error = failure(() => optional({ status: word, code: 200 }));
            assert.ok(error instanceof MalformedAnswerError);
            assert.equal(error.outcome, "ambiguous");
            assert.match(error.message, /reports an error \(code 200\)\. /);
        });
    }
    for (const word of ["Archived", "notified", "badge issued", "no error", "Disabled"]) {
        it(`says success by the status "${word}" only with a code that does`, () => {
            for (const code of [200, 299, "204", " 201 "]) {
                assert.equal(optional({ status: word, code }), undefined, String(code));
            }
            for (const code of [undefined, 100, 199, 300, 302, 404, 500, "2", "2000", "x200", "200x", {}]) {
                assert.throws(() => optional({ status: word, code }), ApiError, String(code));
            }
        });
    }

    for (const code of [400, 404, 500, "500", " 500 ", "\t503\n"]) {
        it(`reports an error by the code ${JSON.stringify(code)} alone`, () => {
            for (const body of [{ code }, { status: code }, { status: "Success", code }, { success: true, code }]) {
                assert.match(failure(() => optional(body)).message, /reports an error/, JSON.stringify(body));
            }
        });
    }
    for (const code of [200, 302, 399, "399", "x500", "500x", "5000", "50", "500 x", 500.5, null, [500]]) {
        it(`does not deny success by the code ${JSON.stringify(code)} alone`, () => {
            for (const body of [{ code }, { status: "Success", code }]) assert.equal(optional(body), undefined);
        });
    }

    for (const [what, body, denies] of [
        ["a status true", { status: true, code: 200 }, false],
        ["a status false", { status: false, code: 200 }, true],
        ["success false", { status: "Success", success: false, code: 200 }, true],
        ["success as text", { success: "FALSE" }, true],
        ["a word as success", { success: "disabled" }, false],
        ["a status that is an object", { status: {} }, false],
    ] as const) {
        it(`with ${what} ${denies ? "reports an error" : "says success"}`, () => {
            if (denies) assert.throws(() => optional(body), ApiError);
            else assert.equal(optional(body), undefined);
        });
    }

    it("that reports an error by its code alone gives up no object, unlike one whose status does", () => {
        assert.ok(failure(() => optional({ code: 404 })) instanceof MalformedAnswerError);
        assert.ok(failure(() => optional({ status: "Error", code: 404 })) instanceof NotFoundError);
        assert.ok(failure(() => list({ status: "Error", code: 404, data: [] })) instanceof MalformedAnswerError);
    });
});

describe("an answer", () => {
    it("to an update or deletion may be empty, whatever its white space", () => {
        for (const body of ["", " ", "\r\n\t "]) assert.equal(optional(body), undefined);
    });
    it("to an update or deletion may be the object itself, whose status is its own", () => {
        assert.deepEqual(optional({ contentId: "c1", status: "Error" }), { contentId: "c1", status: "Error" });
    });
    for (const [what, read] of Object.entries({ "an object": object, "a list": list })) {
        it(`where ${what} is asked for says how it is none`, () => {
            for (const body of ["", " \n"]) assert.match(failure(() => read(body)).message, /the answer is empty/);
            for (const body of ["<html>", "[{"]) assert.match(failure(() => read(body)).message, /is not JSON/);
        });
    }
    it("where a list is asked for says whether there is none, or none that is known", () => {
        for (const body of [{}, { data: {} }, 7, null]) {
            assert.match(failure(() => list(body)).message, /^PUT \/contents\/c1: the answer has no list/);
        }
        for (const body of [[{}], { data: [{ id: 1 }, null] }]) {
            assert.match(failure(() => list(body)).message, /^PUT \/contents\/c1: no item of the list has an identif/);
        }
        assert.ok(failure(() => list({ status: "Error", code: 500, data: [{}] })) instanceof ServerError);
    });
    it("with a list is believed as far as it has objects, whatever the envelope says", () => {
        const denied = { status: "Error", code: 500, data: [{ contentId: "a" }, {}] };
        assert.deepEqual(list(denied), [{ contentId: "a" }]);
        assert.deepEqual(list([]), []);
    });
});

describe("the reason of an object that has failed", () => {
    const reason = (status: string, rest: object = {}, envelope: object = {}) =>
        object({ ...envelope, data: { contentId: "c1", status, ...rest } }).reason;

    it("is looked for where the status says so", () => {
        for (const status of ["Failed", "FAILED", "error", "Errored"]) {
            assert.equal(reason(status, { message: "gone" }), "gone", status);
        }
        for (const status of ["No error", "not failed", "Ready"]) {
            assert.equal(reason(status, { message: "gone" }), undefined, status);
        }
    });
    it("is the object's own before the envelope's", () => {
        assert.equal(reason("Failed", { reason: "own" }, { message: "other" }), "own");
        assert.equal(reason("Failed", {}, { message: "hunter2", error: "gone" }), "[title]; gone");
    });
    for (const [text, isReason] of [
        ["OK", false],
        ["ok, here it is", false],
        ["not ok", true],
        ["okra is no codec", true],
        ["Content fetched", false],
        ["successfully read", false],
        ["unsuccessful", true],
        ["found one", false],
        ["not found", true],
        ["Retrieved", false],
    ] as const) {
        it(`${isReason ? "may" : "cannot"} be an envelope's "${text}"`, () =>
            assert.equal(reason("Failed", {}, { message: text }), isReason ? text : undefined));
    }
});
