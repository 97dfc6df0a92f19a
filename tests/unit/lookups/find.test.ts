/** Lookups while others change what they read. */
import assert from "node:assert/strict";
import { type Emulator, startEmulator } from "videograph-emulator";
import { VideographApi } from "../../../provider/dist/api/index.js";
import { find, findContents, findLivestreams } from "../../../provider/dist/lookups/find.js";

describe("a lookup", () => {
    let emulator: Emulator;
    let api: VideographApi;

    beforeEach(async () => {
        emulator = await startEmulator({ fetchSources: false });
        const { id: accessTokenId, secret: secretKey } = emulator.token;
        api = new VideographApi({ baseUrl: emulator.url, accessTokenId, secretKey });
    });
    afterEach(() => Promise.all([api.close(), emulator.close()]));

    it("by tags leaves out a content that is deleted between the list and its GET", async () => {
        emulator.addContent({ title: "Stays", tags: ["t"] });
        const { contentId } = emulator.addContent({ title: "Goes", tags: ["t"] });
        emulator.inject({ method: "GET", path: `/contents/${contentId}`, kind: "status", status: 404 });
        const found = await findContents(api, { tags: ["t"] }, {});
        assert.equal(found.map(({ title }) => title).join(), "Stays");
        assert.ok(emulator.requests.some(({ path }) => path.endsWith(contentId)));
    });

    it("finds a title and tags in either Unicode form (P5)", async () => {
        const name = (form: string) => "Café".normalize(form);
        emulator.addContent({ title: name("NFC"), tags: [name("NFD")] });
        emulator.addLivestream({ title: name("NFC"), region: "us-east-1" });
        for (const form of ["NFC", "NFD"])
            for (const filters of [
                { title: name(form) },
                { tags: [name(form)] },
                { title: name(form), tags: [name(form)] },
            ])
                assert.equal((await findContents(api, filters, {})).length, 1, JSON.stringify(filters));
        assert.equal((await findLivestreams(api, { title: name("NFD") }, {})).length, 1);
        assert.equal((await findContents(api, { title: "Cafe" }, {})).length, 0);
    });

    it("that finds nothing warns of a value that may be a typo", async () => {
        const warned = async (name: "getContents" | "getSigningKeys", args: object) => {
            const warnings: string[] = [];
            await find(name, api, { ...args }, (message) => warnings.push(message), {});
            return warnings;
        };
        assert.deepEqual(await warned("getSigningKeys", { productTypeId: 9 }), [
            "getSigningKeys found nothing: productTypeId is not one of the known values (1 Video, 2 Data, 3 System). If it is a typo, correct it. [VG2052]",
        ]);
        assert.match((await warned("getContents", { status: "Redy" })).join(), /status is not .*Ready, Failed.*VG2052/);
        for (const args of [{ status: "ready" }, { title: "Redy" }])
            assert.deepEqual(await warned("getContents", args), []);
        emulator.setContentStatus(emulator.addContent({ title: "Odd" }).contentId, "Archived");
        assert.deepEqual(await warned("getContents", { status: "Archived" }), []);
    });
});
