/** What a user reads when a connection fails: what happened, what to check, and never an address. */
import assert from "node:assert/strict";
import { errors } from "undici";
import { describeFailure, ProxyUnreachable, tooLarge } from "../../../provider/dist/api/connectionFailure.js";

const failed = (code: unknown, message = "connect to u:hunter2@h.example") =>
    Object.assign(new Error(message), code === undefined ? {} : { code });

describe("the explanation of a failed connection", () => {
    for (const [what, error, reason, byProxy] of [
        ["a refused connection", failed("ECONNREFUSED"), /refused.*\(ECONNREFUSED\)$/, false],
        ["an unknown host", failed("ENOTFOUND"), /host name.*\(ENOTFOUND\)$/, false],
        ["a connection that breaks", failed("UND_ERR_SOCKET"), /closed.*\(UND_ERR_SOCKET\)$/, false],
        ["TLS where there is none", failed("EPROTO"), /secure connection.*\(EPROTO\)$/, false],
        ["another failure of TLS", failed("ERR_SSL_X"), /secure connection.*\(ERR_SSL_X\)$/, false],
        ["an expired certificate", failed("CERT_HAS_EXPIRED"), /NODE_EXTRA_CA_CERTS.*\(CERT_HAS_EXPIRED\)$/, false],
        ["another host's certificate", failed("ERR_TLS_CERT_ALTNAME_INVALID"), /NODE_EXTRA_CA_CERTS/, false],
        ["an incomplete chain", failed("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), /NODE_EXTRA_CA_CERTS/, false],
        ["a revoked certificate", failed("CRL_HAS_EXPIRED"), /NODE_EXTRA_CA_CERTS/, false],
        ["a code that only looks like these", failed("XEPROTO"), /^the connection failed \(XEPROTO\)$/, false],
        ["an unknown code", failed("EWHATEVER"), /^the connection failed \(EWHATEVER\)$/, false],
        ["a number as code", failed(7), /^the connection failed$/, false],
        ["no code", failed(undefined), /^the connection failed$/, false],
        ["no error", { code: "ENOTFOUND", message: "Proxy response (407)" }, /^the connection failed$/, false],
        ["an answer that is not HTTP", new errors.HTTPParserError("Expected HTTP/"), /not HTTP/, false],
        ["an answer without end", new Error(tooLarge), /16 MiB/, false],
        ["a proxy that closes", failed("UND_ERR_PRX_CONN"), /proxy.*\(UND_ERR_PRX_CONN\)$/, true],
        ["a proxy's certificate", failed("UND_ERR_PRX_TLS"), /proxy's certificate.*\(UND_ERR_PRX_TLS\)$/, true],
        ["a proxy that refuses", failed(undefined, "Proxy response (407) !== 200"), /407.*NO_PROXY$/, true],
        ["what only looks like that", failed(undefined, "a Proxy response (407)"), /^the connection failed$/, false],
        ["no way to a proxy", new ProxyUnreachable(failed("ECONNREFUSED")), /HTTPS_PROXY.*\(ECONNREFUSED\)$/, true],
        ["an unknown proxy", new ProxyUnreachable(failed("ENOTFOUND")), /HTTPS_PROXY.*\(ENOTFOUND\)$/, true],
        ["a proxy far away", new ProxyUnreachable(failed(undefined)), /HTTPS_PROXY/, true],
    ] as const) {
        it(`${byProxy ? "names the proxy" : "is about the service"} for ${what}`, () => {
            const text = describeFailure(error);
            assert.match(text.reason, reason);
            assert.equal(text.byProxy, byProxy);
            assert.doesNotMatch(text.reason, /hunter2/);
        });
    }
});
