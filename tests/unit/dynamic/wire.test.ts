/** What goes to the engine: plain JSON, and the secret output wherever its text is (S3). */
import assert from "node:assert/strict";
import { marked } from "../../../provider/dist/session/secretValues.js";
import { toState } from "../../../provider/dist/session/state.js";

const signature = "4dabf18193072939515e22adb298388d";
const withSecret = (outputs: Record<string, unknown>, output: string) => marked(toState(outputs), { output });
const secretNames = (outputs: Record<string, unknown>) =>
    Object.entries(outputs).flatMap(([name, value]) =>
        typeof value === "object" && value !== null && signature in value ? [name] : [],
    );

describe("outputs for the engine", () => {
    it("S3: the secret, and every other output that contains it, are secret", () => {
        const outputs = withSecret({ streamKey: 'a"b', rtmpUrl: 'rtmp://live/a"b', status: "Idle" }, "streamKey");
        assert.deepEqual(secretNames(outputs), ["streamKey", "rtmpUrl"]);
    });

    it("S4: outputs that are absent or null are no obstacle", () => {
        const outputs = withSecret(
            { streamKey: "k", rtmpsUrl: undefined, createdOn: null, nothing: () => 1 },
            "streamKey",
        );
        assert.deepEqual(secretNames(outputs), ["streamKey"]);
        assert.deepEqual(withSecret({ rtmpUrl: "u" }, "streamKey"), { rtmpUrl: "u" });
        assert.deepEqual(withSecret({ streamKey: undefined }, "streamKey"), {});
    });

    it("S4: what JSON cannot carry is left out or made a number", () => {
        assert.deepEqual(toState({ a: undefined, b: 1n, c: () => 1, d: Object.freeze({ e: [undefined] }) }), {
            b: 1,
            d: { e: [null] },
        });
    });
});
