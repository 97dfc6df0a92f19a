/** S7: credentials never go to another origin, and a creation is never sent twice. */
import assert from "node:assert/strict";
import { NotFoundError, RedirectError, ServerError } from "../../../provider/dist/api/errors.js";
import { isList, notFound, type Reply, rejection, Service, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const to = (status: number, location?: string): Reply =>
    location === undefined ? { status } : { status, headers: { location } };
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };

describe("redirects", () => {
    const held = useService();
    const get = () => held.service.clock.runUntil(held.service.api().getContent("c1"));
    const refused = (call: Promise<unknown> = held.service.api().getContent("c1")) =>
        held.service.clock.runUntil(rejection(RedirectError, call));

    for (const status of [301, 302, 303, 307, 308]) {
        it(`of a GET within the origin are followed: ${status}`, async () => {
            const { service } = held;
            const location = `${service.origin.replace("//", "//user:pass@")}/moved?x=1#y`;
            service.script = ({ path }) => (path === "/moved?x=1" ? content : to(status, location));
            await get();
            assert.equal(service.requests.length, 2);
            assert.equal(service.requests[1]?.headers.authorization, service.requests[0]?.headers.authorization);
        });
        it(`of a POST are an error that leaves open whether it was accepted: ${status}`, async () => {
            const { service } = held;
            service.script = () => to(status, "/moved");
            assert.equal((await refused(service.api().createContent(body))).outcome, "ambiguous");
            assert.equal(service.requests.length, 1);
        });
    }

    for (const method of ["PUT", "DELETE"] as const) {
        const call = (): Promise<unknown> =>
            method === "PUT"
                ? held.service.api().updateContent("c1", { title: "t" })
                : held.service.api().deleteContent("c1");
        it(`of a ${method} are followed where the status keeps the method`, async () => {
            for (const status of [307, 308]) {
                held.service.script = ({ path }) =>
                    path === "/moved" ? content : to(status, "../../../../../../moved");
                await held.service.clock.runUntil(call());
                const { method: again, body: sent } = held.service.requests.at(-1) ?? {};
                assert.deepEqual([again, sent], [method, method === "PUT" ? { title: "t" } : undefined]);
            }
        });
        it(`of a ${method} that would become a GET are an error`, async () => {
            for (const status of [301, 302, 303]) {
                held.service.script = () => to(status, "/moved");
                assert.equal((await refused(call())).outcome, "refused");
            }
            assert.equal(held.service.requests.length, 3);
        });
    }

    it("to another origin are an error that names it, and nothing is sent there", async () => {
        const { service } = held;
        const other = await Service.start(() => content);
        try {
            service.script = () => to(307, `${other.origin.replace("//", "//u:p@")}/x?secret=1`);
            const { message } = await refused();
            assert.ok(message.includes(` ${other.origin}`) && !/secret|u:p/.test(message), message);
            assert.deepEqual([other.requests.length, service.requests.length], [0, 1]);
        } finally {
            await other.stop();
        }
    });
    it("to another scheme or port are to another origin", async () => {
        const { service } = held;
        for (const location of [
            service.origin.replace("http:", "https:"),
            "http://127.0.0.1:1/",
            "javascript:alert(1)",
        ]) {
            service.script = () => to(308, location);
            await refused();
        }
        assert.equal(service.requests.length, 3);
    });
    it("to nowhere are an error", async () => {
        for (const location of [undefined, "", "http://"]) {
            held.service.script = () => to(302, location);
            await refused();
        }
        assert.equal(held.service.requests.length, 3);
    });
    it("are followed five times", async () => {
        const { service } = held;
        service.script = ({ path }) => to(302, `/video/services/api/v1${path}1`);
        await refused();
        assert.equal(service.requests.length, 6);
        service.script = ({ path }) => (path.endsWith("c11111") ? content : to(302, `/video/services/api/v1${path}1`));
        await get();
    });

    it("of a GET that lead to a 404 elsewhere say nothing about the object", async () => {
        const { service } = held;
        service.script = (seen) =>
            isList(seen) && seen.path !== "/moved"
                ? success([])
                : seen.path === "/moved"
                  ? notFound()
                  : to(302, "/moved");
        assert.equal((await refused()).outcome, "ambiguous");
        // The same path below another one is about the object; and another failure has failed.
        service.script = (seen) =>
            isList(seen) ? success([]) : seen.path.startsWith("/v2") ? notFound() : to(302, "/v2/contents/c1/");
        await service.clock.runUntil(rejection(NotFoundError, service.api().getContent("c1")));
        service.script = ({ path }) => (path === "/moved" ? { status: 500 } : to(302, "/moved"));
        await service.clock.runUntil(rejection(ServerError, service.api().getContent("c1")));
    });
});
