/** A create of a program in any language has the fingerprint of its credentials in the state, and needs some. (W3) */
import assert from "node:assert/strict";
import { useTestbed } from "../support/testbed.ts";

describe("A resource without hidden inputs", () => {
    const testbed = useTestbed({}, "native");

    it("is not created without credentials, and then records those of its create, also from a saved plan", async () => {
        // As the SDK of another language registers it.
        const stack = await testbed.stack(`
            for (const title of ["One", "Two"])
                new pulumi.CustomResource("videograph:index:Livestream", title, { title, region: "us-east-1" });`);
        const { VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: key } = stack.env;
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: undefined, VIDEOGRAPH_SECRET_KEY: undefined });
        await stack.upFails(/VG1001/);
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: key });
        Object.assign(stack.env, { PULUMI_EXPERIMENTAL: "true" });
        await stack.run("preview", "--save-plan=plan.json");
        await stack.run("up", "--yes", "--plan=plan.json");
        const attempts = (await stack.resources()).map(({ inputs }) => String(inputs?.__attempt).split("-"));
        assert.equal(attempts.length, 2);
        const [[one, fingerprint] = [], [two, same] = []] = attempts;
        assert.ok(fingerprint && fingerprint === same && one !== two);
    });
});
