import assert from "node:assert/strict";
import { type CallOptions, call, createContent, createLivestream, startStill } from "./support.ts";

describe("emulator: authentication and environments", () => {
    const second = { id: "second", secret: "two" };
    const other = { id: "other", secret: "three", environmentId: 2 };
    const tokens = [{ id: "first", secret: "one" }, second, other];

    it("answers 401 to missing, wrong and malformed credentials", async () => {
        const { emulator } = await startStill({ tokens });
        await using _ = emulator;
        const basic = `Basic ${Buffer.from("first").toString("base64")}`;
        const attempts: [CallOptions, RegExp][] = [
            [{ token: null }, /has no Authorization header; send Basic authentication/],
            [{ token: { id: "first", secret: "two" } }, /id or the secret key is wrong/],
            [{ token: { id: "nobody", secret: "one" } }, /id or the secret key is wrong/],
            [{ token: null, headers: { authorization: "Bearer one" } }, /is not "Basic"/],
            [{ token: null, headers: { authorization: basic } }, /id or the secret key is wrong/],
        ];
        for (const [attempt, message] of attempts) {
            const answer = await call(emulator, "GET", "/contents", undefined, attempt);
            assert.equal(answer.status, 401);
            assert.equal(answer.headers.get("www-authenticate"), null); // in no source; see the variant `challenge`
            assert.equal(answer.json.code, 401);
            assert.match(answer.json.message, message);
        }
        assert.deepEqual(
            emulator.requests.map((request) => [request.authorization, request.tokenId, request.environmentId]),
            [
                ["none", undefined, undefined],
                ["basic", "first", undefined],
                ["basic", "nobody", undefined],
                ["other", undefined, undefined],
                ["basic", "first", undefined],
            ],
        );
    });

    it("shows a token its own environment and answers 404 for everything of another", async () => {
        const { emulator } = await startStill({ tokens });
        await using _ = emulator;
        const content = await createContent(emulator);
        const stream = await createLivestream(emulator);
        assert.equal((await call(emulator, "GET", `/contents/${content}`, undefined, { token: second })).status, 200);
        for (const path of [`/contents/${content}`, `/livestreams/${stream}`]) {
            for (const [method, body] of [["GET"], ["PUT", { title: "x" }], ["DELETE"]] as const) {
                const answer = await call(emulator, method, path, body, { token: other });
                assert.equal(answer.status, 404, `${method} ${path}`);
            }
        }
        const list = await call(emulator, "GET", "/contents", undefined, { token: other });
        assert.deepEqual(list.json.data, []);
        assert.equal(emulator.contents(1).length, 1);
        assert.equal(emulator.contents(2).length, 0);
    });

    it("answers 403 to what a limited token may not do", async () => {
        const reader = { id: "reader", secret: "r", access: "read" } as const;
        const nobody = { id: "nobody", secret: "n", access: "none" } as const;
        const { emulator } = await startStill({ tokens: [{ id: "first", secret: "one" }, reader, nobody] });
        await using _ = emulator;
        const path = `/contents/${await createContent(emulator)}`;
        const status = async (token: { id: string; secret: string }, method: string, body?: unknown) =>
            (await call(emulator, method, path, body, { token })).status;
        assert.equal(await status(reader, "GET"), 200);
        assert.equal(await status(reader, "PUT", { title: "x" }), 403);
        assert.equal(await status(reader, "DELETE"), 403);
        assert.equal(await status(nobody, "GET"), 403);
        assert.equal(emulator.contents()[0]?.title, "Trailer");
    });

    it("adds and revokes tokens while running", async () => {
        const { emulator } = await startStill({ tokens: [{ id: "old", secret: "s" }] });
        await using _ = emulator;
        const content = await createContent(emulator);
        emulator.addToken({ id: "elsewhere", secret: "s", environmentId: 9 });
        assert.equal(emulator.signingKeys(9).length, 3);
        const rotated = { id: "new", secret: "t" };
        emulator.addToken(rotated);
        assert.equal(emulator.revokeToken("old"), true);
        assert.equal(emulator.revokeToken("old"), false);
        assert.equal((await call(emulator, "GET", `/contents/${content}`)).status, 401);
        assert.equal((await call(emulator, "GET", `/contents/${content}`, undefined, { token: rotated })).status, 200);
    });

    it("never keeps the Authorization header in the log", async () => {
        const { emulator } = await startStill({ tokens: [{ id: "id", secret: "very-secret" }] });
        await using _ = emulator;
        await createContent(emulator);
        const logged = JSON.stringify(emulator.requests);
        assert.ok(!logged.includes("very-secret"));
        assert.ok(!logged.includes(Buffer.from("id:very-secret").toString("base64")));
    });
});
