/** S7: no redirect is followed, so credentials never go to another origin and a creation is never sent twice. */
import assert from "node:assert/strict";
import { ClientError } from "../../../provider/dist/api/errors.js";
import { serve } from "../../support/media.ts";
import { rejection, useService } from "./support.ts";

describe("a redirect", () => {
    const held = useService();

    for (const status of [301, 302, 303, 307, 308])
        it(`with ${status} is an error that names the other origin, and nothing is sent there`, async () => {
            const { service } = held;
            let reached = 0;
            await using other = await serve((_, response) => response.end(`${++reached}`));
            const location = `${other.url.replace("//", "//u:p@")}/x?secret=1`;
            service.script = () => ({ status, headers: { location } });
            const api = service.api();
            for (const [call, outcome] of [
                [() => api.contents.get("c1"), "refused"],
                [() => api.contents.put("c1", {}), "refused"],
                [() => api.contents.remove("c1"), "refused"],
                // The answer to an accepted create may be a redirect, too.
                [() => api.contents.post({}), "ambiguous"],
            ] as const) {
                const error = await service.clock.runUntil(rejection(ClientError, call()));
                assert.match(error.message, new RegExp(` ${other.url}\\. .*VG1013`));
                assert.doesNotMatch(error.message, /secret|u:p/);
                assert.equal(error.outcome, outcome);
            }
            assert.deepEqual([reached, service.requests.length], [0, 4]);
        });
    it("within the origin, or to nowhere, is an error as well", async () => {
        for (const location of ["/moved", "", "http://", "javascript:alert(1)"]) {
            held.service.script = () => ({ status: 302, headers: { location } });
            const call = held.service.api().contents.get("c1");
            assert.match((await held.service.clock.runUntil(rejection(ClientError, call))).message, /VG1013/);
        }
        assert.equal(held.service.requests.length, 4);
    });
});
