/** What all resources of a provider process share. */
import assert from "node:assert/strict";
import { Journal } from "../../../provider/dist/evidence/journal.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { Session } from "../../../provider/dist/session/session.js";
import type { Settings } from "../../../provider/dist/session/settings.js";
import { FakeClock, seededRandom } from "../../support/fakeClock.ts";

const urn = "urn:pulumi:dev::shop::t::a";
/** A session that is configured from its environment, and what it says. */
function configured(
    variables: Record<string, string> = { VIDEOGRAPH_SECRET_KEY: "the-secret-key" },
    own: Settings = {},
    stack: Settings = {},
    mayReceiveKey: (baseUrl: string) => boolean = () => true,
) {
    const said: { severity: string; urn: string | undefined; message: string; passing: boolean }[] = [];
    const session = new Session({
        ...{ clock: new FakeClock(), random: seededRandom(1), variables },
        journal: new Journal({ folder: "unused" }),
        mayReceiveKey,
        ownState: () => ({ skipsCheckpoints: false, of: async () => undefined }),
        engine: {
            say: (severity, urn, message, passing) => void said.push({ severity, urn, message, passing }),
            watch: () => undefined,
        },
        lifetime: {
            ...{ signal: new AbortController().signal, answersAreDiscarded: false },
            ...{ during: (body) => body(), start: () => undefined },
        },
    });
    session.configure(own, stack);
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
            const text = session.redacted(`key the-secret-key of token, header ${header}`);
            assert.equal(text, "key [secretKey] of token, header [authorization]");
        }
    });
});

describe("the key of the environment", () => {
    it("X9: goes to no address that an attached process was not given first", async () => {
        const variables = { VIDEOGRAPH_SECRET_KEY: "the-secret-key", VIDEOGRAPH_ACCESS_TOKEN_ID: "token" };
        const own = { baseUrl: "https://elsewhere.example.com" };
        const mayReceiveKey = (baseUrl: string) => baseUrl !== own.baseUrl;
        const used = (session: Session) => session.operate({ urn: undefined, timeouts: {} }, async () => "used");
        await assert.rejects(async () => used(configured(variables, own, {}, mayReceiveKey).session), /VG1016/);
        assert.equal(await used(configured(variables, {}, {}, mayReceiveKey).session), "used");
        const withKey = { ...own, accessTokenId: "other", secretKey: "other-key" };
        assert.equal(await used(configured(variables, withKey, {}, mayReceiveKey).session), "used");
    });
});

describe("a row", () => {
    const a = "row a" as Message;
    const b = "row b" as Message;

    it("L6, S3: has progress that passes, and lines that stay, without a secret of the configuration", () => {
        const { session, said } = configured();
        const reporter = session.reporterFor(urn);
        assert.equal(reporter.urn, urn);
        reporter.progress("waits");
        reporter.info(a);
        reporter.warn(`${b} the-secret-key` as Message);
        assert.deepEqual(said, [
            { severity: "info", urn, message: "waits", passing: true },
            { severity: "info", urn, message: a, passing: false },
            { severity: "warning", urn, message: "row b [secretKey]", passing: false },
        ]);
    });

    it("has each line once in a process", () => {
        const { session, said } = configured();
        for (const name of ["a", "a", "b"]) {
            const reporter = session.reporterFor(name);
            reporter.info(a);
            reporter.warn(b);
        }
        assert.deepEqual(
            said.map(({ message, urn }) => `${message} on ${urn}`),
            ["row a on a", "row b on a", "row a on b", "row b on b"],
        );
    });
});

describe("a session's address", () => {
    const baseUrl = "https://videos.example.com";
    const secretKey = "the-secret-key";
    const fromEnvironment = { VIDEOGRAPH_SECRET_KEY: secretKey };

    it("S7: is said on the row of the stack where the program or its configuration sets it, and not the credentials", () => {
        for (const [variables, own, stack, place] of [
            [fromEnvironment, {}, { baseUrl }, "the stack's configuration"],
            [fromEnvironment, { baseUrl }, {}, "the videograph.Provider"],
            [{}, { baseUrl }, { secretKey }, "the videograph.Provider"],
            [{}, { secretKey }, { baseUrl }, "the stack's configuration"],
            // A pull request's preview has no credentials, and is where a reviewer looks.
            [{}, {}, { baseUrl }, "the stack's configuration"],
        ] as const) {
            const { said } = configured(variables, own, stack);
            assert.equal(said.length, 1, place);
            assert.match(said[0]?.message ?? "", /^Requests go to https:\/\/videos\.example\.com, from .*\[VG1015\]/);
            assert.ok(said[0]?.message.includes(`from ${place}`), said[0]?.message);
            assert.deepEqual([said[0]?.urn, said[0]?.severity, said[0]?.passing], [undefined, "info", false]);
        }
        for (const [variables, own, stack] of [
            [fromEnvironment, {}, {}],
            [{ ...fromEnvironment, VIDEOGRAPH_BASE_URL: baseUrl }, {}, { baseUrl: "https://other.example.com" }],
            [{ VIDEOGRAPH_BASE_URL: baseUrl }, { secretKey }, {}],
            [{}, {}, { baseUrl, secretKey }],
            [{}, { baseUrl, secretKey }, {}],
            // Other messages say that this is no URL.
            [fromEnvironment, {}, { baseUrl: "videos" }],
        ] as const)
            assert.deepEqual(configured(variables, own, stack).said, []);
    });
});
