/** What all resources of a provider process share. */
import assert from "node:assert/strict";
import { FileJournal } from "../../../provider/dist/evidence/fileJournal.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { Session } from "../../../provider/dist/session/session.js";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";

const urn = "urn:pulumi:dev::shop::t::a";
/** A session that is configured from its environment, and what it says. */
function configured(variables: Record<string, string> = { VIDEOGRAPH_SECRET_KEY: "the-secret-key" }) {
    const said: { severity: string; urn: string | undefined; message: string; passing: boolean }[] = [];
    const session = new Session({
        ...{ clock: new FakeClock(), random: seededRandom(1), variables },
        journal: new FileJournal({ folder: "unused" }),
        engine: {
            say: (severity, urn, message, passing) => void said.push({ severity, urn, message, passing }),
            watch: () => undefined,
        },
        lifetime: {
            ...{ signal: new AbortController().signal, isEnding: false },
            ...{ during: (body) => body(), start: () => undefined },
        },
    });
    session.configure({}, () => undefined);
    return { session, said };
}

describe("a session's texts", () => {
    it("S3: have no secret of the configuration, in whatever form", () => {
        for (const [token, variables] of [
            ["", {}],
            ["token", { VIDEOGRAPH_ACCESS_TOKEN_ID: "token" }],
        ] as const) {
            const { session } = configured({ VIDEOGRAPH_SECRET_KEY: "the-secret-key", ...variables });
            const header = Buffer.from(`${token}:the-secret-key`).toString("base64");
            const text = session.outgoing(`key the-secret-key of token, header ${header}`);
            assert.equal(text, "key [secretKey] of token, header [authorization]");
        }
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

    it("has each line once in a process", () => {
        const { session, said } = configured();
        for (const name of ["a", "a", "b"]) {
            const row = session.row(name);
            row.info(a);
            row.warn(b);
        }
        assert.deepEqual(
            said.map(({ message, urn }) => `${message} on ${urn}`),
            ["row a on a", "row b on a", "row a on b", "row b on b"],
        );
    });
});
