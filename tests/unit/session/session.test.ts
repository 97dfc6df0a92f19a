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
    { shown = Promise.resolve(), answerNow = new AbortController().signal } = {},
) {
    const said: { severity: string; urn: string; message: string; passing: boolean }[] = [];
    const session = new Session({
        ...{ clock: new FakeClock(), random: seededRandom(1), variables },
        journal: new Journal({ folder: "unused" }),
        ownState: () => ({ skipsCheckpoints: false, of: async () => undefined, holderOf: async () => undefined }),
        engine: {
            say: (severity, urn, message, passing) => void said.push({ severity, urn, message, passing }),
            shown: () => shown,
            watch: () => undefined,
        },
        lifetime: {
            ...{ signal: new AbortController().signal, answerNow, answersAreDiscarded: false },
            ...{ during: (body) => body(), start: () => undefined, cancel: () => undefined },
        },
    });
    session.configure(own, stack);
    return { session, said };
}

describe("a session", () => {
    const credentials = { VIDEOGRAPH_SECRET_KEY: "the-secret-key", VIDEOGRAPH_ACCESS_TOKEN_ID: "token" };

    it("S3: says no secret of the configuration, in whatever form", () => {
        for (const token of ["", "token"]) {
            const variables = { ...credentials, VIDEOGRAPH_ACCESS_TOKEN_ID: token };
            const header = Buffer.from(`${token}:the-secret-key`).toString("base64");
            const text = configured(variables).session.redacted(`key the-secret-key of token, header ${header}`);
            assert.equal(text, "key [secretKey] of token, header [authorization]");
        }
    });

    it("S8: answers after the lines of its row, and without them when the answer has to leave", async () => {
        const leave = new AbortController();
        const lines = { shown: new Promise<void>(() => undefined), answerNow: leave.signal };
        const { session } = configured(credentials, {}, {}, lines);
        const answer = session.runOperation({ urn }, async () => "done");
        const turn = new Promise((resolve) => setImmediate(resolve, "not yet"));
        assert.equal(await Promise.race([answer, turn]), "not yet");
        leave.abort(new Error("now"));
        assert.equal(await answer, "done");
    });

    it("L6, S3: puts progress that passes on a row, and lines that stay, each once and without a secret of the configuration", () => {
        const { session, said } = configured();
        for (const name of [urn, urn, "other"]) {
            const reporter = session.reporterFor(name);
            assert.equal(reporter.urn, name);
            reporter.progress("waits");
            reporter.info("a" as Message);
            reporter.warn("b the-secret-key" as Message);
        }
        const lines = (urn: string) => [
            { severity: "info", urn, message: "waits", passing: true },
            { severity: "info", urn, message: "a", passing: false },
            { severity: "warning", urn, message: "b [secretKey]", passing: false },
        ];
        const [progress, ...once] = lines(urn);
        assert.deepEqual(said, [progress, ...once, progress, ...lines("other")]);
    });
});

describe("a session's address", () => {
    const baseUrl = "https://videos.example.com";
    const secretKey = "the-secret-key";
    const fromEnvironment = { VIDEOGRAPH_SECRET_KEY: secretKey };

    it("S7: is said on the row of the stack where the program or its configuration sets it, and not the credentials", () => {
        const [ofStack, ofProvider] = ["the stack's configuration", "the videograph.Provider"];
        for (const [variables, own, stack, place] of [
            [fromEnvironment, {}, { baseUrl }, ofStack],
            [fromEnvironment, { baseUrl }, {}, ofProvider],
            [{}, { baseUrl }, { secretKey }, ofProvider],
            [{}, { secretKey }, { baseUrl }, ofStack],
            // A pull request's preview has no credentials, and is where a reviewer looks.
            [{}, {}, { baseUrl }, ofStack],
            [fromEnvironment, {}, {}],
            [{ ...fromEnvironment, VIDEOGRAPH_BASE_URL: baseUrl }, {}, { baseUrl: "https://other.example.com" }],
            [{ VIDEOGRAPH_BASE_URL: baseUrl }, { secretKey }, {}],
            [{}, {}, { baseUrl, secretKey }],
            [{}, { baseUrl, secretKey }, {}],
            // Other messages say that this is no URL.
            [fromEnvironment, {}, { baseUrl: "videos" }],
        ] as const) {
            const [line, ...more] = configured(variables, own, stack).said;
            assert.deepEqual(more, []);
            if (place === undefined) assert.equal(line, undefined);
            else {
                assert.deepEqual(line, { ...line, urn: "", severity: "info", passing: false });
                assert.ok(line?.message.startsWith(`Requests go to ${baseUrl}, from ${place}`), line?.message);
            }
        }
    });
});
