/** examples/multi-environment: one program, two environments, and nothing gets into the wrong one. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useLab } from "../support/lab.ts";
import { requestsOf } from "../support/requests.ts";
import type { TestStack } from "../support/testStack.ts";
import { exampleStack } from "./exampleStack.ts";

const environments = { staging: 1, production: 2 } as const;

interface SiteOutputs {
    playbackUrls: Record<string, string>;
    legalNotices: string[];
    signingKeyIds: string[];
}

describe("The site in two environments", function () {
    this.timeout(300_000);
    const lab = useLab({
        tokens: Object.entries(environments).map(([name, environmentId]) => ({
            id: `${name}-token`,
            secret: `${name} secret+/= 7d1e`,
            environmentId,
        })),
    });
    const titles = (environmentId: number) =>
        lab.emulator
            .contents(environmentId)
            .map(({ title }) => title)
            .sort();

    async function site(): Promise<TestStack> {
        const stack = await exampleStack(lab, "multi-environment");
        delete stack.env.VIDEOGRAPH_ACCESS_TOKEN_ID;
        delete stack.env.VIDEOGRAPH_SECRET_KEY;
        await stack.config("sourceBaseUrl", lab.media.video(""));
        for (const name of Object.keys(environments)) {
            await stack.config(`${name}:accessTokenId`, `${name}-token`);
            await stack.config(`${name}:secretKey`, `${name} secret+/= 7d1e`, "secret");
        }
        return stack;
    }

    it("keeps staging and production apart, in resources and lookups, and brings over what is approved", async () => {
        const notice = lab.emulator.addContent({ title: "Notice", tags: ["legal"] }, 2);
        const stack = await site();
        await stack.up();
        assert.deepEqual(titles(1), ["A tour of the house", "How it began", "What comes next"]);
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice"]);
        for (const content of lab.emulator.contents(1)) {
            assert.deepEqual([content.playbackPolicy, content.testVideo], [["signed"], true]);
        }

        const outputs = (await stack.outputs()) as unknown as Record<keyof typeof environments, SiteOutputs>;
        assert.deepEqual(outputs.staging.legalNotices, []);
        assert.equal(outputs.production.legalNotices.length, 1);
        assert.ok(outputs.production.legalNotices[0]?.includes(notice.contentId));
        assert.equal((await fetch(outputs.production.playbackUrls.tour ?? "")).status, 200);
        assert.equal((await fetch(outputs.staging.playbackUrls.tour ?? "")).status, 403);
        for (const [name, environmentId] of Object.entries(environments)) {
            assert.deepEqual(
                outputs[name as keyof typeof environments].signingKeyIds,
                lab.emulator
                    .signingKeys(environmentId)
                    .filter(({ productTypeId }) => productTypeId === 1)
                    .map(({ signingKeyId }) => signingKeyId),
            );
        }

        const videos = join(stack.folder, "videos.ts");
        await writeFile(videos, (await readFile(videos, "utf8")).replace("approved: false", "approved: true"));
        const approved = await requestsOf(lab.emulator, () => stack.up());
        assert.equal(approved.filter((request) => request.startsWith("POST")).length, 1);
        assert.deepEqual(titles(2), ["A tour of the house", "How it began", "Notice", "What comes next"]);

        await stack.destroy();
        assert.deepEqual(titles(1), []);
        assert.deepEqual(titles(2), ["Notice"]);
    });

    it("takes another key for production without touching a video", async () => {
        const stack = await site();
        await stack.up();
        const rotated = "another secret+/= 0b44";
        lab.emulator.addToken({ id: "production-token-2", secret: rotated, environmentId: 2 });
        await stack.config("production:accessTokenId", "production-token-2");
        await stack.config("production:secretKey", rotated, "secret");
        const requests = await requestsOf(lab.emulator, () => stack.up());
        assert.deepEqual(
            requests.filter((request) => !request.startsWith("GET")),
            [],
        );
        lab.emulator.revokeToken("production-token");
        try {
            await stack.refresh("--expect-no-changes");
            await stack.destroy();
            assert.deepEqual([...titles(1), ...titles(2)], []);
        } finally {
            lab.emulator.revokeToken("production-token-2");
            lab.emulator.addToken({ id: "production-token", secret: "production secret+/= 7d1e", environmentId: 2 });
        }
    });
});
