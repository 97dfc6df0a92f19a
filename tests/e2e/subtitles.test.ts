/** Subtitles through the CLI: added and changed in place, removed by a replacement that the preview explains (L5). */
import assert from "node:assert/strict";
import { declare } from "../support/program.ts";
import { requestsOf } from "../support/requests.ts";
import { useTestbed } from "../support/testbed.ts";

interface Subtitle {
    url: string;
    name: string;
    languageCode: string;
    supportClosedCaptions: boolean;
}

describe("Subtitles of a content", () => {
    const testbed = useTestbed();
    const text = (languageCode: string, file = `${languageCode}.vtt`): Subtitle => ({
        ...{ url: testbed.media.video(file), name: `In ${languageCode}`, languageCode },
        supportClosedCaptions: false,
    });
    const video = (name: string, subtitle?: Subtitle[], options?: string, more: object = {}) =>
        declare(
            "Content",
            name,
            { title: name, content: [{ url: testbed.media.video() }], subtitle, ...more },
            options,
        );
    const there = (id: string) =>
        Object.fromEntries((testbed.emulator.content(id)?.subtitle ?? []).map((one) => [one.language_code, one.url]));
    const urls = (...all: Subtitle[]) => Object.fromEntries(all.map(({ languageCode, url }) => [languageCode, url]));
    const read = (id: string) => `GET /contents/${id}`;
    const post = (id: string) => `POST /contents/${id}/subtitles`;
    const of = (requests: string[], id: string) => requests.filter((request) => request.includes(id));

    it("are added and changed in place, reordered for nothing, replace the content when one is removed, and obey resource options, of an adopted content too (L2, L5, L8)", async () => {
        const { contentId } = testbed.emulator.addContent({ title: "adopted" });
        const adopted = (...subtitle: Subtitle[]) =>
            declare("Content", "adopted", { title: "adopted", importId: contentId, subtitle });
        const both = adopted(text("en"), text("de"));
        const stack = await testbed.stack(
            video("one") +
                video("order", [text("en"), text("de")]) +
                video("fewer", [text("en"), text("de")]) +
                video("ignored", [text("en")]) +
                video("forced", [text("en")]) +
                both,
        );
        await stack.up();
        const before = await stack.ids();
        const { one = "", ignored = "", order = "" } = before;
        assert.equal(before.adopted, contentId);
        assert.deepEqual(there(contentId), urls(text("en"), text("de")));

        const twice = [text("de"), text("en", "new.vtt")];
        await stack.program(
            video("one", twice, undefined, { title: "Two" }) +
                video("order", [text("de"), text("en")]) +
                video("fewer", [text("en", "new.vtt")]) +
                video("ignored", [text("de")], `{ ignoreChanges: ["subtitle"] }`) +
                video("forced", [text("en"), text("de")], `{ replaceOnChanges: ["subtitle"] }`) +
                both,
        );
        let output = "";
        const requests = await requestsOf(testbed.emulator, async () => ({ output } = await stack.up("--diff")));
        assert.match(output, /no longer declares languageCode "de".*Content fewer \(.*\) is replaced, with a new id/);
        assert.match(output, /\(replace\)[\s\S]*subtitle/);
        assert.deepEqual(of(requests, one), [`GET /contents/${one}`, `PUT /contents/${one}`, post(one), post(one)]);
        for (const id of [ignored, order, contentId]) assert.deepEqual(of(requests, id), []);
        assert.deepEqual(there(one), urls(...twice));
        for (const name of ["fewer", "forced"]) assert.notEqual(await stack.resourceId(name), before[name]);
        assert.deepEqual(there(await stack.resourceId("fewer")), urls(text("en", "new.vtt")));
        assert.deepEqual(there(await stack.resourceId("forced")), urls(text("en"), text("de")));
        assert.equal(testbed.emulator.contents().length, Object.keys(before).length);
    });

    it("go on where an update failed or lost an answer, and presigned URLs stay secret (L4, S3)", async () => {
        const signed = (languageCode: string, signature: string) => ({
            ...text(languageCode),
            url: `${testbed.media.video(`${languageCode}.vtt`)}?signature=${signature}`,
        });
        const versioned = (...subtitle: Subtitle[]) =>
            video("signed", subtitle, undefined, { sourceVersion: "spring" });
        const all = [text("en"), text("de"), text("fr")];
        const partly = (...subtitle: Subtitle[]) => video("partly", subtitle, undefined, { title: "Two" });
        const stack = await testbed.stack("", "native");
        await stack.program(
            video("partly", [text("en")]) + video("lost", [text("en")]) + versioned(signed("en", "first-signature")),
        );
        stack.secrets.push("first-signature", "second-signature");
        await stack.up();
        const { partly: one = "", lost = "", signed: third = "" } = await stack.ids();
        /** The next POST of a subtitle of that content. */
        const next = (id: string) => ({ method: "POST", path: `/contents/${id}/subtitles`, times: 1 });
        const refusal = (message: string) => ({ status: "Error", code: 422, message });
        testbed.emulator.inject({ kind: "reset", when: "after", ...next(one) });
        const json = refusal("The file is no subtitle");
        testbed.emulator.inject({ kind: "answer", status: 422, json, ...next(one), after: 1 });
        // A redirect of a POST is not followed: the change is made, and nothing says so.
        testbed.emulator.inject({ kind: "redirect", when: "after", ...next(lost) });
        const more = [signed("en", "second-signature"), signed("de", "second-signature")] as const;
        const echo = refusal(`Cannot fetch ${more[1].url}`);
        testbed.emulator.inject({ kind: "answer", status: 422, json: echo, ...next(third) });
        await stack.program(partly(...all) + video("lost", [text("en", "new.vtt")]) + versioned(...more));
        await stack.upOfAllFails(
            /Content \(partly\)/,
            /subtitle\[2\] \(languageCode "fr"\) was not set: .*"The file is no subtitle"/,
            /subtitle\[0\] \(languageCode "en"\) was not set/,
            /languageCode "de".*"Cannot fetch \[subtitle\[1\]\.url\]"/,
        );
        assert.equal(testbed.emulator.content(one)?.title, "Two");
        assert.deepEqual(there(one), urls(text("en"), text("de")));

        // What was lost is sent again, also after a refresh.
        const requests = await requestsOf(testbed.emulator, () => stack.up("--refresh"));
        assert.deepEqual(of(requests, one), [read(one), read(one), post(one)]);
        assert.deepEqual(there(one), urls(...all));
        assert.deepEqual(of(requests, lost), [read(lost), read(lost), post(lost)]);
        assert.deepEqual(there(lost), urls(text("en", "new.vtt")));
        // With a sourceVersion another signature is no change.
        assert.deepEqual(of(requests, third), [read(third), read(third), post(third)]);
        assert.deepEqual(there(third), urls(signed("en", "first-signature"), more[1]));
    });
});
