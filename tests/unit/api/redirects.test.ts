/** S7: no redirect is followed, so credentials never go to another origin and a creation is never sent twice. */
import assert from "node:assert/strict";
import { VideographApi } from "../../../provider/dist/api/client.js";
import { ClientError } from "../../../provider/dist/api/errors.js";
import { serve } from "../../support/media.ts";
import { rejection } from "./support.ts";

describe("a redirect", () => {
    let asked = 0;
    /** A service that answers everything with this, and a client of it. */
    const redirecting = async (status: number, location: string) => {
        asked = 0;
        const server = await serve((_, response) => {
            asked++;
            response.writeHead(status, { location }).end();
        });
        const credentials = { accessTokenId: "token-id", secretKey: "s3cr3t-key" };
        return Object.assign(server, { api: new VideographApi({ ...credentials, baseUrl: server.url }) });
    };

    for (const status of [301, 302, 303, 307, 308])
        it(`with ${status} is an error that names the other origin, and nothing is sent there`, async () => {
            let reached = 0;
            await using other = await serve((_, response) => response.end(`${++reached}`));
            await using service = await redirecting(status, `${other.url.replace("//", "//u:p@")}/x?secret=1`);
            const { contents } = service.api;
            for (const [call, outcome] of [
                [() => contents.get("c1"), "refused"],
                [() => contents.put("c1", {}), "refused"],
                [() => contents.remove("c1"), "refused"],
                // The answer to an accepted create may be a redirect, too.
                [() => contents.post({}), "ambiguous"],
            ] as const) {
                const error = await rejection(ClientError, call());
                assert.match(error.message, new RegExp(` ${other.url}\\. .*VG1013`));
                assert.doesNotMatch(error.message, /secret|u:p/);
                assert.equal(error.outcome, outcome);
            }
            assert.deepEqual([reached, asked], [0, 4]);
        });
    it("within the origin, or to nowhere, is an error as well", async () => {
        for (const location of ["/moved", "", "http://", "javascript:alert(1)"]) {
            await using service = await redirecting(302, location);
            assert.match((await rejection(ClientError, service.api.contents.get("c1"))).message, /VG1013/);
            assert.equal(asked, 1);
        }
    });
});
