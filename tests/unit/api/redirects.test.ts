/** S7: credentials never go to another origin, and a creation is never sent twice. */
import assert from "node:assert/strict";
import { RedirectError } from "../../../provider/dist/api/errors.js";
import { type Reply, rejection, Service, success, useService } from "./support.ts";

const content = success({ contentId: "c1", status: "Ready" });
const to = (status: number, location: string): Reply => ({ status, headers: { location } });
const body = { title: "t", content: [{ url: "https://m.example/t.mp4" }], playbackPolicy: ["public"] };

describe("redirects", () => {
    const held = useService();

    for (const status of [301, 302, 303, 307, 308]) {
        it(`of a GET within the origin are followed: ${status}`, async () => {
            const { service } = held;
            service.script = ({ path }) => (path === "/moved?x=1" ? content : to(status, "/moved?x=1#y"));
            await service.clock.runUntil(service.api().getContent("c1"));
            assert.equal(service.requests.length, 2);
            assert.equal(service.requests[1]?.headers.authorization, service.requests[0]?.headers.authorization);
        });
    }

    it("of a GET that lead to a 404 elsewhere say nothing about the object", async () => {
        const { service } = held;
        const nothing = { status: 404, body: { status: "Error", code: 404, message: "There is nothing" } };
        service.script = ({ path }) => (path === "/moved" ? nothing : to(302, "/moved"));
        await service.clock.runUntil(rejection(RedirectError, service.api().getContent("c1")));
    });

    for (const status of [307, 308]) {
        it(`of a PUT within the origin are followed with its body: ${status}`, async () => {
            const { service } = held;
            service.script = ({ path }) => (path === "/moved" ? content : to(status, "../../../../../../moved"));
            await service.clock.runUntil(service.api().updateContent("c1", { title: "t" }));
            assert.deepEqual(service.requests[1]?.body, { title: "t" });
            assert.equal(service.requests[1]?.method, "PUT");
        });
    }

    for (const status of [301, 302, 303]) {
        it(`of a DELETE that would become a GET are an error: ${status}`, async () => {
            const { service } = held;
            service.script = () => to(status, "/moved");
            await service.clock.runUntil(rejection(RedirectError, service.api().deleteContent("c1")));
            assert.equal(service.requests.length, 1);
        });
    }

    for (const status of [301, 302, 303, 307, 308]) {
        it(`of a POST are an error that leaves open whether it was accepted: ${status}`, async () => {
            const { service } = held;
            service.script = () => to(status, "/moved");
            const error = await service.clock.runUntil(rejection(RedirectError, service.api().createContent(body)));
            assert.equal(error.outcome, "ambiguous", "it may have been accepted before");
            assert.equal(service.requests.length, 1);
        });
    }

    it("to another origin are an error that names it, and nothing is sent there", async () => {
        const { service } = held;
        const other = await Service.start(() => content);
        try {
            service.script = () => to(307, `${other.origin.replace("//", "//u:p@")}/x?secret=1`);
            const error = await service.clock.runUntil(rejection(RedirectError, service.api().getContent("c1")));
            assert.ok(error.message.includes(` to ${other.origin}, `), error.message);
            assert.match(error.message, /baseUrl/);
            assert.equal(other.requests.length, 0);
            assert.equal(service.requests.length, 1);
        } finally {
            await other.stop();
        }
    });

    it("to another scheme are to another origin", async () => {
        const { service } = held;
        service.script = () => to(308, service.origin.replace("http:", "https:"));
        await service.clock.runUntil(rejection(RedirectError, service.api().getContent("c1")));
    });

    it("in circles end after the fifth", async () => {
        const { service } = held;
        service.script = ({ path }) => to(302, `${path}1`);
        await service.clock.runUntil(rejection(RedirectError, service.api().getContent("c1")));
        assert.equal(service.requests.length, 6);
    });

    for (const location of ["", "http://", "javascript:alert(1)"]) {
        it(`to ${JSON.stringify(location)} are an error`, async () => {
            const { service } = held;
            service.script = () => (location === "" ? { status: 302 } : to(302, location));
            await service.clock.runUntil(rejection(RedirectError, service.api().getContent("c1")));
            assert.equal(service.requests.length, 1);
        });
    }
});
