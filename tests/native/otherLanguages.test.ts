/** A create of a program in any language has the fingerprint of its credentials in the state, and holds a plan made without any. (W3) */
import assert from "node:assert/strict";
import { useTestbed } from "../support/testbed.ts";

describe("A resource without hidden inputs", () => {
    const testbed = useTestbed({}, "native");

    it("records the credentials of its create, also from a plan that was made without credentials", async () => {
        // As the SDK of another language registers it.
        const stack = await testbed.stack(`
            for (const title of ["One", "Two"])
                new pulumi.CustomResource("videograph:index:Livestream", title, { title, region: "us-east-1" });`);
        const { VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: key } = stack.env;
        Object.assign(stack.env, { PULUMI_EXPERIMENTAL: "true", VIDEOGRAPH_ACCESS_TOKEN_ID: undefined });
        Object.assign(stack.env, { VIDEOGRAPH_SECRET_KEY: undefined });
        await stack.run("preview", "--save-plan=plan.json");
        Object.assign(stack.env, { VIDEOGRAPH_ACCESS_TOKEN_ID: id, VIDEOGRAPH_SECRET_KEY: key });
        await stack.run("up", "--yes", "--plan=plan.json");
        const attempts = (await stack.resources()).map(({ inputs }) => String(inputs?.__attempt).split("-"));
        assert.equal(attempts.length, 2);
        const [[one, fingerprint] = [], [two, same] = []] = attempts;
        assert.ok(fingerprint && fingerprint === same && one !== two);

        await stack.program(
            `new pulumi.CustomResource("videograph:index:Livestream", "Three", { title: "Three", region: "us-east-1" });`,
        );
        await stack.run("preview", "--save-plan=plan.json");
        await stack.run("up", "--yes", "--plan=plan.json");
    });
});
