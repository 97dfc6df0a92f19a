/** What the engine records of a failed create and a failed update. */
import assert from "node:assert/strict";
import providerProto from "@pulumi/pulumi/proto/provider_pb.js";
import { NativeResource } from "../../../provider/dist/native/resource.js";
import { toStruct, valuesOf } from "../../../provider/dist/native/wire.js";
import { PartialFailure } from "../../../provider/dist/operation/operation.js";
import { secret } from "../../../provider/dist/secretValues/marks.js";
import { Machine, stateOf } from "../../support/machine.ts";

const urn = "urn:pulumi:dev::shop::videograph:index:Content::one";
const video = { title: secret("Quiet"), content: [{ url: "https://media.example.com/a.mp4" }] };

describe("what a failure keeps", () => {
    const failureOf = async (machine: Machine, call: Promise<unknown>) => {
        const error = await machine.run(call).catch((thrown: unknown) => thrown);
        assert.ok(error instanceof PartialFailure, String(error));
        return error;
    };

    it("has the secrets that the program gave, and of an update those of the program before (S3)", async () => {
        const machine = new Machine();
        machine.state = stateOf();
        machine.core.inject({ kind: "processing", stuck: true });
        const native = new NativeResource(machine.start().session, "Content");
        const create = new providerProto.CreateRequest().setUrn(urn).setProperties(toStruct(video)).setTimeout(5);
        const created = await failureOf(machine, native.create(create));
        assert.deepEqual(created.outputs.title, secret("Quiet"));
        const before = valuesOf(toStruct(created.outputs));
        const update = new providerProto.UpdateRequest().setUrn(urn).setId(created.id).setTimeout(5);
        update.setOlds(toStruct(before)).setOldInputs(toStruct(video));
        update.setNews(toStruct({ ...video, title: "Loud", tags: [secret("tag")] }));
        const updated = await failureOf(machine, native.update(update));
        // The record had it as a secret, which this program may only have forgotten to say.
        assert.deepEqual(updated.outputs.title, secret("Loud"));
        assert.deepEqual(updated.outputs.tags, secret(["tag"]));
    });
});
