/** Subtitles through the CLI: added and changed in place, removed by a replacement that the preview explains (L5). */
import assert from "node:assert/strict";
import { useLab } from "../support/lab.ts";
import { killAll, providersIn } from "../support/processes.ts";
import { declare } from "../support/program.ts";
import { requestsOf } from "../support/requests.ts";
import type { Face, TestStack } from "../support/testStack.ts";

interface Subtitle {
    url: string;
    name: string;
    languageCode: string;
    supportClosedCaptions: boolean;
}

for (const face of ["dynamic", "native"] as const) subtitleTests(face);

function subtitleTests(face: Face): void {
    describe(`Subtitles of a content (${face})`, function () {
        this.timeout(300_000);
        const lab = useLab({}, face);
        const text = (languageCode: string, file = `${languageCode}.vtt`): Subtitle => ({
            ...{ url: lab.media.video(file), name: `In ${languageCode}`, languageCode },
            supportClosedCaptions: false,
        });
        const video = (subtitle?: Subtitle[], options?: string, more: object = {}) =>
            declare(
                "Content",
                "one",
                { title: "One", content: [{ url: lab.media.video() }], subtitle, ...more },
                options,
            );
        const there = (id: string) =>
            Object.fromEntries((lab.emulator.content(id)?.subtitle ?? []).map((one) => [one.language_code, one.url]));
        const urls = (...all: Subtitle[]) =>
            Object.fromEntries(all.map(({ languageCode, url }) => [languageCode, url]));
        const post = (id: string) => `POST /contents/${id}/subtitles`;
        /** The request that a fault hits. */
        const oneSubtitle = { method: "POST", path: "/contents/*/subtitles", times: 1 } as const;
        const quiet = async (stack: TestStack) =>
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up("--expect-no-changes")), []);

        it("are added and changed in place, and reordered for nothing (L2, L5)", async () => {
            const stack = await lab.stack(video());
            await stack.up();
            const id = await stack.resourceId("one");

            await stack.program(video([text("en")]));
            assert.deepEqual(await stack.planned(), ["update one"]);
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up()), [`GET /contents/${id}`, post(id)]);
            assert.deepEqual(there(id), urls(text("en")));
            await quiet(stack);

            await stack.program(video([text("de"), text("en", "new.vtt")], undefined, { title: "Two" }));
            const preview = await stack.preview();
            assert.match(preview.output, /~ pulumi-nodejs:dynamic|~ videograph:index/);
            assert.doesNotMatch(preview.output, /replace/);
            const requests = await requestsOf(lab.emulator, () => stack.up());
            assert.deepEqual(requests, [`GET /contents/${id}`, `PUT /contents/${id}`, post(id), post(id)]);
            assert.deepEqual(there(id), urls(text("de"), text("en", "new.vtt")));

            await stack.program(video([text("en", "new.vtt"), text("de")], undefined, { title: "Two" }));
            await quiet(stack);
            await stack.refresh("--expect-no-changes");
            await quiet(stack);
            await stack.destroy();
        });

        it("replace the content when one is removed, and the preview says why (L5)", async () => {
            const stack = await lab.stack(video([text("en"), text("de")]));
            await stack.up();
            const id = await stack.resourceId("one");
            await stack.program(video([text("en", "new.vtt")]));
            const { output } = await stack.run("preview");
            assert.match(
                output,
                /Content \(one\)[\s\S]*languageCode "de" is no longer declared.*Content one .* is replaced by a new one/,
            );
            const { output: diff } = await stack.preview();
            assert.match(diff, /Content one \(.*\) is replaced by a new one/);
            assert.match(diff, /\(replace\)[\s\S]*subtitle/);
            assert.deepEqual(await stack.planned(), ["replace one"]);
            await stack.up();
            assert.notEqual(await stack.resourceId("one"), id);
            assert.deepEqual(there(await stack.resourceId("one")), urls(text("en", "new.vtt")));
            assert.equal(lab.emulator.contents().length, 1);
            await quiet(stack);
        });

        it("obey replaceOnChanges, deleteBeforeReplace and ignoreChanges (L5)", async () => {
            const stack = await lab.stack(video([text("en")]));
            await stack.up();
            const id = await stack.resourceId("one");
            await stack.program(video([text("de")], `{ ignoreChanges: ["subtitle"] }`));
            await quiet(stack);
            await stack.program(video([text("en"), text("de")], `{ replaceOnChanges: ["subtitle"] }`));
            assert.ok((await stack.planned()).includes("replace one"));
            await stack.up();
            const second = await stack.resourceId("one");
            assert.notEqual(second, id);
            await stack.program(video([text("en")], `{ deleteBeforeReplace: true }`));
            const requests = await requestsOf(lab.emulator, () => stack.up());
            assert.equal(requests[0], `DELETE /contents/${second}`);
            assert.deepEqual(there(await stack.resourceId("one")), urls(text("en")));
        });

        it("are refused in the preview when a language is declared twice (S5)", async () => {
            const stack = await lab.stack(video([text("en"), text("EN")]));
            await stack.previewFails(/one.*subtitle\[1\]\.languageCode is that of subtitle\[0\] again/s);
        });

        it("go on where an update failed, which names the subtitle and the service's reason (L4)", async () => {
            const stack = await lab.stack(video([text("en")]));
            await stack.up();
            const id = await stack.resourceId("one");
            lab.emulator.inject({ kind: "reset", when: "after", ...oneSubtitle });
            const refusal = { status: "Error", code: 422, message: "The file is no subtitle" };
            lab.emulator.inject({
                kind: "answer",
                status: 422,
                json: refusal,
                ...oneSubtitle,
                after: 1,
            });
            const all = [text("en"), text("de"), text("fr")];
            await stack.program(video(all, undefined, { title: "Two" }));
            await stack.upFails(
                /Content \(one\)/,
                /subtitle\[2\] \(languageCode "fr"\) was not set: .*"The file is no subtitle"/,
            );
            assert.equal(lab.emulator.content(id)?.title, "Two");
            assert.deepEqual(there(id), urls(text("en"), text("de")));
            const requests = await requestsOf(lab.emulator, () => stack.up());
            assert.deepEqual(requests, [`GET /contents/${id}`, post(id)]);
            assert.deepEqual(there(id), urls(...all));
            await quiet(stack);
        });

        it("are settled when the program goes back after a lost answer, also after a refresh (L4)", async () => {
            const stack = await lab.stack(video([text("en")]));
            await stack.up();
            const id = await stack.resourceId("one");
            // A redirect of a POST is not followed: the change is made, and nothing says so.
            lab.emulator.inject({ kind: "redirect", when: "after", ...oneSubtitle });
            await stack.program(video([text("en", "new.vtt")]));
            await stack.upFails(/subtitle\[0\] \(languageCode "en"\) was not set/);
            await stack.refresh();
            await stack.program(video([text("en")]));
            assert.deepEqual(await stack.planned(), ["update one"]);
            await stack.up();
            assert.deepEqual(there(id), urls(text("en")));
            await quiet(stack);
        });

        it("are set once more after a kill -9 while they were sent (L4, S8)", async function () {
            if (process.platform !== "linux") this.skip();
            const stack = await lab.stack(video([text("en")]));
            await stack.up();
            const id = await stack.resourceId("one");
            lab.emulator.inject({ kind: "hang", when: "after", ...oneSubtitle });
            const all = [text("en"), text("de"), text("fr")];
            await stack.program(video(all));
            const running = stack.start("up", "--yes", "--skip-preview");
            await lab.emulator.waitForRequest(
                (request) => request.path.endsWith("/subtitles") && request.accepted,
                60_000,
            );
            running.kill();
            killAll(providersIn(stack.folder));
            await running.result;
            await stack.run("cancel", "--yes");
            lab.emulator.clearRequests();
            await stack.up();
            assert.equal(await stack.resourceId("one"), id);
            assert.deepEqual(there(id), urls(...all));
            assert.equal(lab.emulator.contents().length, 1);
            await quiet(stack);
        });

        it("with presigned URLs stay secret, and a new signature is no change with sourceVersion (S3)", async () => {
            const signed = (languageCode: string, signature: string) => ({
                ...text(languageCode),
                url: `${lab.media.video(`${languageCode}.vtt`)}?signature=${signature}`,
            });
            const stack = await lab.stack(
                video([signed("en", "first-signature")], undefined, { sourceVersion: "spring" }),
            );
            stack.secrets.push("first-signature", "second-signature", "third-signature");
            await stack.up();
            const id = await stack.resourceId("one");
            await stack.program(video([signed("en", "second-signature")], undefined, { sourceVersion: "spring" }));
            assert.deepEqual(await requestsOf(lab.emulator, () => stack.up()), []);
            const echo = { status: "Error", code: 400, message: `Cannot fetch ${signed("de", "third-signature").url}` };
            lab.emulator.inject({ kind: "answer", status: 400, json: echo, ...oneSubtitle });
            const all = [signed("en", "third-signature"), signed("de", "third-signature")];
            await stack.program(video(all, undefined, { sourceVersion: "spring" }));
            await stack.preview();
            await stack.upFails(/languageCode "de".*"Cannot fetch \[subtitle\[1\]\.url\]"/);
            await stack.up();
            assert.equal(await stack.resourceId("one"), id);
            assert.equal(there(id).de, all[1]?.url);
        });

        it("of an adopted content are set, and removing one of them is refused (L8)", async () => {
            const { contentId } = lab.emulator.addContent({ title: "One" });
            const adopted = (subtitle: Subtitle[]) =>
                face === "native"
                    ? video(subtitle, JSON.stringify({ import: contentId }))
                    : declare("Content", "one", { title: "One", importId: contentId, subtitle });
            const stack = await lab.stack(adopted([text("en"), text("de")]));
            await stack.up();
            assert.equal(await stack.resourceId("one"), contentId);
            assert.deepEqual(there(contentId), urls(text("en"), text("de")));
            await quiet(stack);
            if (face === "native") return;
            await stack.program(adopted([text("en")]));
            await stack.previewFails(
                /subtitle: this needs a replacement, and a resource with importId cannot be replaced/,
            );
        });
    });
}
