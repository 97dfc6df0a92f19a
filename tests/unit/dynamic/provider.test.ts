/** The entry that every resource's recorded `__provider` requires: one process with all resources, against the emulator. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { type Emulator, startEmulator } from "videograph-emulator";
import type { Adapter } from "../../../provider/dist/dynamic/adapter.js";

const require = createRequire(import.meta.url);
const entry = require.resolve("../../../provider/dist/dynamic/provider.js");

const signals = ["SIGINT", "SIGTERM"] as const;

describe("the entry of recorded resources", () => {
    let emulator: Emulator;
    let resources: typeof import("../../../provider/dist/dynamic/provider.js");

    beforeEach(async () => {
        emulator = await startEmulator({ fetchSources: false });
        const config: Record<string, string> = {
            "videograph:ownSettings": "accessTokenId,secretKey,baseUrl",
            "videograph:accessTokenId": emulator.token.id,
            "videograph:secretKey": emulator.token.secret,
            "videograph:baseUrl": emulator.url,
        };
        // As a new process loads it.
        delete require.cache[entry];
        resources = require(entry);
        const listeners = signals.map((signal) => process.listeners(signal));
        await resources.content.configure({ config: { get: (key) => config[key] } });
        // The tests' own process ends as it always does.
        for (const [index, signal] of signals.entries()) {
            const added = process.listeners(signal).filter((listener) => !listeners[index]?.includes(listener));
            assert.equal(added.length, 1);
            for (const listener of added) process.off(signal, listener);
        }
    });
    afterEach(() => emulator.close());

    it("L7: reads existing objects of each kind, all with the settings of the first call", async () => {
        const { contentId } = emulator.addContent({ title: "Trailer" });
        const found = await resources.content.read(contentId, { __get: true });
        assert.equal(found.props?.title, "Trailer");
        const { streamUUID } = emulator.addLivestream({ title: "Live" });
        const { props } = await resources.livestream.read(streamUUID, { __get: true });
        assert.equal(props?.title, "Live");
    });

    it("S3: marks the stream key as a secret", async () => {
        const { streamUUID, streamKey } = emulator.addLivestream({ title: "Live" });
        const { props } = await resources.livestream.read(streamUUID, { __get: true });
        assert.deepEqual(props?.streamKey, {
            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            value: streamKey,
        });
    });

    it("tells the kind of what does not exist", async () => {
        const told = (adapter: Adapter) =>
            adapter.read("none", { __get: true }).then(
                () => assert.fail("It should have failed"),
                (error: Error) => error.message,
            );
        assert.match(await told(resources.content), /Content none does not exist/);
        assert.match(await told(resources.livestream), /Livestream none does not exist/);
        assert.match(await told(resources.contentReadiness), /cannot be imported or read by an id/);
    });
});
