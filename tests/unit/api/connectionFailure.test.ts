/** What a user reads when a connection fails: what happened, what to check, and never an address. */
import assert from "node:assert/strict";
import { errors } from "undici";
import { describeFailure, ProxyUnreachable, tooLarge } from "../../../provider/dist/api/connectionFailure.js";

const failed = (code: unknown, message = "connect to u:hunter2@h.example") =>
    Object.assign(new Error(message), code === undefined ? {} : { code });

describe("the explanation of a failed connection", () => {
    for (const [code, reason] of [
        ["ECONNREFUSED", "the connection was refused; check the base URL and that the service runs (ECONNREFUSED)"],
        ["ENOTFOUND", "the host name is unknown; check the base URL and the proxy settings (ENOTFOUND)"],
        ["UND_ERR_SOCKET", "the connection was closed before the answer was complete (UND_ERR_SOCKET)"],
        ["EPROTO", "the secure connection could not be set up; check the base URL and its port (EPROTO)"],
        ["ERR_SSL_X", "the secure connection could not be set up; check the base URL and its port (ERR_SSL_X)"],
        ["ERR_TLS_X", "the secure connection could not be set up; check the base URL and its port (ERR_TLS_X)"],
        ["EPROTOX", "the connection failed (EPROTOX)"],
        ["XEPROTO", "the connection failed (XEPROTO)"],
        ["MY_ERR_TLS_X", "the connection failed (MY_ERR_TLS_X)"],
        ["ERR_OTHER_X", "the connection failed (ERR_OTHER_X)"],
        ["EWHATEVER", "the connection failed (EWHATEVER)"],
        [undefined, "the connection failed"],
        [7, "the connection failed"],
    ] as const) {
        it(`of the code ${code} says: ${reason}`, () =>
            assert.deepEqual(describeFailure(failed(code)), { reason, byProxy: false }));
    }

    for (const code of [
        "CERT_HAS_EXPIRED",
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        "CRL_HAS_EXPIRED",
        "HOSTNAME_MISMATCH",
    ]) {
        it(`of the code ${code} names the certificate and where to name its authority`, () => {
            const { reason, byProxy } = describeFailure(failed(code));
            assert.match(reason, /^the server's certificate is not trusted; .* NODE_EXTRA_CA_CERTS, .* base URL \(/);
            assert.ok(reason.endsWith(` (${code})`), reason);
            assert.equal(byProxy, false);
        });
    }
    for (const code of ["IS_UNABLE_TO_X", "A_CRL_X", "NO_HOSTNAME_MISMATCH", "HOSTNAME_MISMATCH_X"]) {
        it(`of the code ${code} does not name the certificate`, () =>
            assert.equal(describeFailure(failed(code)).reason, `the connection failed (${code})`));
    }

    it("of an answer that is not HTTP says so, without its code", () => {
        const error = new errors.HTTPParserError("Expected HTTP/");
        const reason = "the answer is not HTTP; check the base URL and its port";
        assert.deepEqual(describeFailure(error), { reason, byProxy: false });
    });

    it("of an answer without end says so", () =>
        assert.deepEqual(describeFailure(new Error(tooLarge)), {
            reason: "the answer is larger than 16 MiB",
            byProxy: false,
        }));

    it("of anything that is no error has no details", () => {
        for (const error of [undefined, null, "no", { code: "ENOTFOUND", message: "Proxy response (407)" }]) {
            assert.deepEqual(describeFailure(error), { reason: "the connection failed", byProxy: false });
        }
    });
});

describe("the explanation of a proxy's failure", () => {
    const checkAddress = "the proxy cannot be reached; check its address in HTTPS_PROXY or HTTP_PROXY, and the network";

    for (const [code, reason] of [
        ["UND_ERR_PRX_CONN", "the proxy closed the connection; check the proxy's address, credentials and rules"],
        ["UND_ERR_PRX_TLS", "the proxy's certificate does not match its host name; check the proxy's address"],
        ["UND_ERR_PRX_X", checkAddress],
    ] as const) {
        it(`of the code ${code} says: ${reason}`, () =>
            assert.deepEqual(describeFailure(failed(code)), { reason: `${reason} (${code})`, byProxy: true }));
    }

    for (const [code, reason] of [
        [
            "ECONNREFUSED",
            "the proxy refused the connection; check its address in HTTPS_PROXY or HTTP_PROXY, and that it runs",
        ],
        ["ENOTFOUND", "the proxy's host name is unknown; check its address in HTTPS_PROXY or HTTP_PROXY"],
        ["ETIMEDOUT", checkAddress],
    ] as const) {
        it(`that cannot be reached because of ${code} says: ${reason}`, () =>
            assert.deepEqual(describeFailure(new ProxyUnreachable(failed(code))), {
                reason: `${reason} (${code})`,
                byProxy: true,
            }));
    }
    it("that cannot be reached for an unknown reason has no code", () =>
        assert.deepEqual(describeFailure(new ProxyUnreachable(failed(undefined))), {
            reason: checkAddress,
            byProxy: true,
        }));
    it("keeps the error that it comes from", () => {
        const cause = failed("ENOTFOUND", "getaddrinfo");
        const error = new ProxyUnreachable(cause);
        assert.deepEqual([error.cause, error.message, error.code], [cause, "getaddrinfo", "ENOTFOUND"]);
    });

    it("names the status that the proxy answered with", () => {
        const { reason, byProxy } = describeFailure(failed("UND_ERR_ABORTED", "Proxy response (407) !== 200"));
        assert.match(reason, /^the proxy answered 407 instead of connecting; .* NO_PROXY$/);
        assert.equal(byProxy, true);
    });
    for (const message of ["a Proxy response (407)", "Proxy response (4)", "Proxy response (abc)"]) {
        it(`is not read from "${message}"`, () =>
            assert.deepEqual(describeFailure(failed("UND_ERR_ABORTED", message)), {
                reason: "the connection failed (UND_ERR_ABORTED)",
                byProxy: false,
            }));
    }
    it("is not read from a code that only ends as the proxy's do", () =>
        assert.equal(describeFailure(failed("X_UND_ERR_PRX_")).byProxy, false));
});
