/** What all resources of a provider process share. */
import assert from "node:assert/strict";
import type { Message } from "../../../provider/dist/messages/index.js";
import type { Dependencies } from "../../../provider/dist/session/session.js";
import { oneSession } from "../../support/oneSession.ts";

const urn = "urn:pulumi:dev::shop::t::a";
const none = () => undefined;

/** A session that is configured from its environment. */
const configured = (more: Partial<Dependencies> = {}) => {
    const one = oneSession(more);
    one.session.configure({}, none);
    return one;
};

describe("a session's texts", () => {
    const basic = Buffer.from("token:the-secret-key").toString("base64");

    it("S3: have no secret of the configuration, in whatever form", () => {
        const { session } = configured();
        assert.equal(session.outgoing("key the-secret-key"), "key [secretKey]");
        assert.equal(session.outgoing(`header ${basic}`), "header [authorization]");
        assert.equal(session.outgoing("token"), "token");
        const onlyKey = oneSession({ variables: { VIDEOGRAPH_SECRET_KEY: "the-secret-key" } }).session;
        onlyKey.configure({}, none);
        const header = Buffer.from(":the-secret-key").toString("base64");
        assert.equal(onlyKey.outgoing(`the-secret-key, ${header}`), "[secretKey], [authorization]");
    });
});

describe("a row", () => {
    const a = "row a" as Message;
    const b = "row b" as Message;

    it("L6, S3: has progress that passes, and lines that stay, without a secret of the configuration", () => {
        const { session, said } = configured();
        const row = session.row(urn);
        assert.equal(row.urn, urn);
        row.progress("waits");
        row.info(a);
        row.warn(`${b} the-secret-key` as Message);
        assert.deepEqual(said, [
            { severity: "info", urn, message: "waits", passing: true },
            { severity: "info", urn, message: a, passing: false },
            { severity: "warning", urn, message: "row b [secretKey]", passing: false },
        ]);
    });

    it("has each line that needs no action once in a process, and all others each time", () => {
        const { session, said } = configured();
        for (const name of ["a", "a", "b"]) {
            const row = session.row(name);
            row.info(a);
            row.warn(b);
        }
        assert.deepEqual(
            said.map(({ message, urn }) => `${message} on ${urn}`),
            ["row a on a", "row b on a", "row b on a", "row a on b", "row b on b"],
        );
    });
});
