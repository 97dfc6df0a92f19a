/** L8: an existing object becomes a resource's, if no other resource has it and nothing contradicts its inputs. */
import assert from "node:assert/strict";
import { NotFoundError } from "../../../provider/dist/api/errors.js";
import { adopt } from "../../../provider/dist/lifecycle/adoption.js";
import type { Message } from "../../../provider/dist/messages/index.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";
import { bareOperation } from "../../support/bareOperation.ts";
import { entryOf } from "../../support/oneSession.ts";
import { type Properties, urnOf } from "../../support/providerRun.ts";

type Shown = Properties & { status?: string; metadata?: Record<string, string> };

describe("an adoption", () => {
    /** Of the object 1, by the resource `mine`. */
    function adoption(shown: Shown | undefined, inputs: Properties, whyNot?: (object: Shown) => string | undefined) {
        const sent: unknown[] = [];
        const { operation, clock, managers, journal } = bareOperation();
        const target = {
            inputs: contentDefinition.inputs,
            kind: "Content",
            what: "Content 1",
            id: "1",
            get: async (): Promise<Shown> => {
                sent.push(`GET for ${managers.by("1")}`);
                if (shown !== undefined) return shown;
                throw new NotFoundError("404" as Message, { endpoint: "GET", outcome: "refused" });
            },
            put: async (body: Properties) => void sent.push(body),
        };
        return { run: () => clock.runUntil(adopt(target, inputs, operation, whyNot)), managers, journal, sent };
    }
    const mine = urnOf("mine");

    it("L8: claims the object before it reads it, and sends what differs", async () => {
        const shown = { title: "One", metadata: { k: "v" } };
        const { run, managers, sent } = adoption(shown, { title: "Two" });
        const { object, marker } = await run();
        assert.equal(object, shown);
        assert.deepEqual(sent, [`GET for ${mine}`, { title: "Two", metadata: { k: "v", managed_by: marker } }]);
        assert.match(marker ?? "", /^pulumi:shop\/dev\/mine:\?-/);
        assert.equal(managers.by("1"), mine);
    });

    it("S9: an object that this resource had gets a new marker, which no journal knows, and its entries are closed", async () => {
        const old = "pulumi:shop/dev/mine:11111111-22222222-33333333-0-0123456789ab";
        const { run, journal, sent } = adoption({ title: "One", metadata: { managed_by: old } }, { title: "One" });
        await journal.open(entryOf(mine, { id: "1", told: true }));
        const { marker } = await run();
        assert.notEqual(marker, old);
        assert.deepEqual(sent.slice(1), [{ title: "One", metadata: { managed_by: marker } }]);
        assert.deepEqual(await journal.entries(), []);
    });

    it("L8: sends nothing for an object that is as declared, and gives it no marker", async () => {
        const { run, sent } = adoption({ title: "One", metadata: { k: "v" } }, { title: "One" });
        assert.equal((await run()).marker, undefined);
        assert.deepEqual(sent, [`GET for ${mine}`]);
    });

    it("L8: an object that another resource has is refused without a request, and stays that one's", async () => {
        const { run, managers, sent } = adoption({ title: "One" }, { title: "Two" });
        managers.note("1", urnOf("other"));
        await assert.rejects(run(), /is already managed by .*::other/);
        assert.deepEqual(sent, []);
        assert.equal(managers.by("1"), urnOf("other"));
    });

    it("L8: a replacement cannot adopt its own predecessor", async () => {
        const { run, managers } = adoption({ title: "One" }, { title: "Two" });
        managers.note("1", mine);
        await assert.rejects(run(), /^LifecycleError: importId: this resource already manages Content 1/);
    });

    const refused: Record<string, [Shown | undefined, RegExp]> = {
        "does not exist": [undefined, /^LifecycleError: importId: Content 1 does not exist/],
        "has the marker of another stack": [
            {
                title: "One",
                metadata: { managed_by: "pulumi:shop/prod/mine:11111111-22222222-33333333-0-0123456789ab" },
            },
            /managed by Pulumi as shop\/prod\/mine/,
        ],
        "cannot be used": [
            { title: "broken" },
            /^LifecycleError: importId: Content 1 cannot be adopted, because of its status Broken\./,
        ],
        "is being deleted": [
            { title: "One", status: "Deleting" },
            /^LifecycleError: importId: Content 1 cannot be adopted, because of its status Deleting\./,
        ],
        "was created otherwise": [{ title: "One", mp4Support: true }, /different value of mp4Support/],
    };
    for (const [what, [shown, message]] of Object.entries(refused)) {
        it(`L8: an object that ${what} is refused, unchanged, and free again`, async () => {
            const isBroken = ({ title }: Shown) => (title === "broken" ? "Broken" : undefined);
            const { run, managers, sent } = adoption(shown, { title: "Two", mp4Support: false }, isBroken);
            await assert.rejects(run(), message);
            assert.deepEqual(sent, [`GET for ${mine}`]);
            assert.equal(managers.by("1"), undefined);
        });
    }
});
