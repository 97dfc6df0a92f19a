// The encoder's own stack: it reads the event's stack, and needs no credentials of the video service.
import * as pulumi from "@pulumi/pulumi";

const event = new pulumi.StackReference(new pulumi.Config().require("event"));

/** OBS Studio's service.json. A secret as a whole, because the key in it is one. */
export const obsService = pulumi.jsonStringify({
    type: "rtmp_custom",
    settings: {
        server: event.requireOutput("ingestUrl"),
        key: event.requireOutput("streamKey"),
        use_auth: false,
    },
});
