/** What an import by the engine records: `pulumi import`, and the resource option. */
import assert from "node:assert/strict";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import { NativeResource } from "../../../provider/dist/native/resource.js";
import { fromStruct } from "../../../provider/dist/native/wire.js";
import { Machine, stateOf } from "../../support/machine.ts";

const urn = "urn:pulumi:dev::shop::videograph:index:Content::one";

describe("an import", () => {
    for (const [status, waitForReady] of [
        ["Preparing", false],
        ["Ready", undefined],
    ] as const)
        it(`of a ${status} content ${waitForReady === false ? "declares no wait, as the program that adopt writes" : "declares what the service shows"}`, async () => {
            const machine = new Machine();
            machine.state = stateOf();
            const { contentId } = machine.core.addContent({ title: "Late" });
            machine.core.setContentStatus(contentId, status);
            const native = new NativeResource(machine.start().session, "Content");
            const request = new providerProto.ReadRequest();
            request.setUrn(urn);
            request.setId(contentId);
            const response = await machine.run(native.read(request));
            const inputs = fromStruct(response.getInputs());
            assert.deepEqual([inputs.title, inputs.waitForReady], ["Late", waitForReady]);
            assert.equal(fromStruct(response.getProperties()).waitForReady, waitForReady);
        });
});
